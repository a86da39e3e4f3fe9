"""Documents of the catalog for the browser: by id only, so no path of a request ever reaches the disk."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.originals import Originals

from .pages import PageView, marked_pdf, page_png, page_view

SCALE = 2.0
KEPT_COPIES = 50


class Documents:
    """Marked copies live in a temporary folder until ``close``."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._originals = Originals()
        self._copies = tempfile.TemporaryDirectory(prefix="rabbithole-")

    def close(self) -> None:
        self._copies.cleanup()

    def find(self, document_id: str) -> Document | None:
        try:
            return self._kb.document(document_id)
        except KnowledgeBaseError:  # an id nobody has
            return None

    def path(self, document: Document) -> Path:
        """The PDF, while it is the one that was ingested. Raises KnowledgeBaseError."""
        return self._originals.path(document)

    def page(self, document: Document, page: int, quote: str) -> PageView:
        """The page with the quote marked, or the one beside it where the quote stands there."""
        path = self.path(document)
        view = page_view(path, page, quote)
        if view.found in ("none", "close"):
            for beside in (page + 1, page - 1):
                if 0 <= beside < view.pages and (other := page_view(path, beside, quote)).found == "exact":
                    return other
        return view

    def picture(self, document: Document, page: int) -> bytes:
        return page_png(self.path(document), page, SCALE)

    def marked(self, document: Document, page: int, quote: str) -> Path:
        """The PDF with the quote highlighted; without a quote the PDF itself."""
        path = self.path(document)
        if not quote:
            return path
        name = hashlib.sha256(f"{document.id}:{page}:{quote}".encode()).hexdigest()[:24]
        target = Path(self._copies.name) / f"{name}.pdf"
        if not target.exists():
            self._make_room()
            part = target.with_suffix(".part")
            marked_pdf(path, page, quote, part)
            part.replace(target)
        return target

    def _make_room(self) -> None:
        copies = sorted(Path(self._copies.name).glob("*.pdf"), key=lambda path: path.stat().st_mtime)
        for old in copies[: max(0, len(copies) - KEPT_COPIES)]:
            old.unlink(missing_ok=True)
