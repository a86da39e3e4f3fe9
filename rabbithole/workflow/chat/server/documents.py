"""Documents of the catalog for the browser: by id only, so no path of a request ever reaches the disk."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from pathlib import Path

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.originals import Originals

from .pages import PageView, marked_pdf, page_png, page_view
from .rendition import is_pdf, rendition, sheet_of

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
        if not is_pdf(document):
            return self._sheet_view(document, page, quote)
        path = self.path(document)
        view = page_view(path, page, quote)
        if view.found in ("none", "close"):
            for beside in (page + 1, page - 1):
                if 0 <= beside < view.pages and (other := page_view(path, beside, quote)).found == "exact":
                    return other
        return view

    def _sheet_view(self, document: Document, page: int, quote: str) -> PageView:
        """A page or paragraph of a document in another format: on the sheet that shows its text as it is kept."""
        _, label = self._kb.page_of(document.id, self._kb.page_span(document.id, page)[0])
        view = page_view(self._sheet(document, page), 0, quote)
        shown = {"page": page, "label": label, "pages": self._kb.page_count(document.id)}
        return view.model_copy(update=shown)

    def _sheet(self, document: Document, page: int) -> Path:
        first, _ = sheet_of(document, page)
        target = Path(self._copies.name) / f"{document.id}-{first}.pdf"
        if not target.exists():
            self._make_room()
            part = target.with_suffix(f".{threading.get_ident()}.part")
            part.write_bytes(rendition(self._kb, document, page))
            part.replace(target)
        return target

    def picture(self, document: Document, page: int) -> bytes:
        if not is_pdf(document):
            return page_png(self._sheet(document, page), 0, SCALE)
        return page_png(self.path(document), page, SCALE)

    def marked(self, document: Document, page: int, quote: str) -> Path:
        """The PDF (or the sheet) with the quote highlighted; without a quote the PDF itself."""
        sheet = None if is_pdf(document) else self._sheet(document, page)
        path, shown = (sheet, 0) if sheet else (self.path(document), page)
        if not quote:
            return path
        name = hashlib.sha256(f"{document.id}:{page}:{quote}".encode()).hexdigest()[:24]
        target = Path(self._copies.name) / f"{name}.pdf"
        if not target.exists():
            self._make_room()
            part = target.with_suffix(".part")
            marked_pdf(path, shown, quote, part)
            part.replace(target)
        return target

    def _make_room(self) -> None:
        copies = sorted(Path(self._copies.name).glob("*.pdf"), key=lambda path: path.stat().st_mtime)
        for old in copies[: max(0, len(copies) - KEPT_COPIES)]:
            old.unlink(missing_ok=True)
