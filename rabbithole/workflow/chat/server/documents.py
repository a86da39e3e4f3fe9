"""Documents of the catalog for the browser: by id only, so no path of a request ever reaches the disk."""

from __future__ import annotations

import hashlib
import tempfile
from io import BufferedReader
from pathlib import Path
from threading import Lock

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import open_regular, path_of
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.originals import Originals

from .pages import PageView, marked_pdf, page_png, page_view

SCALE = 2.0
KEPT_COPIES, KEPT_PICTURES = 50, 48


class Documents:
    """Marked copies live in a temporary folder until ``close``."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._originals = Originals()
        self._pictures: dict[tuple[str, int], bytes] = {}
        self._lock = Lock()
        self._copies = tempfile.TemporaryDirectory(prefix="rabbithole-")

    def close(self) -> None:
        self._copies.cleanup()

    def find(self, document_id: str) -> Document | None:
        try:
            return self._kb.document(document_id)
        except KnowledgeBaseError:  # an id nobody has
            return None

    def open(self, document: Document) -> BufferedReader:
        """The PDF, while it is the one that was ingested. Raises KnowledgeBaseError."""
        return self._originals.open(document)

    def page(self, document: Document, page: int, quote: str) -> PageView:
        """The page with the quote marked, or the one beside it where the quote stands there."""
        with self.open(document) as file:
            path = path_of(file)
            view = page_view(path, page, quote)
            if view.found in ("none", "close"):
                for beside in (page + 1, page - 1):
                    if 0 <= beside < view.pages and (other := page_view(path, beside, quote)).found == "exact":
                        return other
        return view

    def picture(self, document: Document, page: int) -> bytes:
        with self.open(document) as file:
            key = document.id, page
            drawn = self._pictures.get(key) or page_png(path_of(file), page, SCALE)
        with self._lock:
            self._pictures[key] = drawn
            while len(self._pictures) > KEPT_PICTURES:
                del self._pictures[next(iter(self._pictures))]
        return drawn

    def marked(self, document: Document, page: int, quote: str) -> BufferedReader:
        """The PDF with the quote highlighted, open; without a quote the PDF itself."""
        file = self.open(document)
        if not quote:
            return file
        name = hashlib.sha256(f"{document.id}:{page}:{quote}".encode()).hexdigest()[:24]
        target = Path(self._copies.name) / f"{name}.pdf"
        with file:
            if not target.exists():
                self._make_room()
                part = target.with_suffix(".part")
                marked_pdf(path_of(file), page, quote, part)
                part.replace(target)
        return open_regular(target)

    def _make_room(self) -> None:
        copies = sorted(Path(self._copies.name).glob("*.pdf"), key=lambda path: path.stat().st_mtime)
        for old in copies[: max(0, len(copies) - KEPT_COPIES)]:
            old.unlink(missing_ok=True)
