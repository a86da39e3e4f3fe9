"""Serve documents to the browser by id only, so that no path from a request ever reaches the disk."""

from __future__ import annotations

import hashlib
import tempfile
from io import BufferedReader
from pathlib import Path
from threading import Lock, get_ident

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import open_regular
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.originals import Originals, content_ids

from .page_process import PageProcess
from .pages import PageView
from .rendition import is_pdf, rendition, sheet_of

KEPT_COPIES, KEPT_PICTURES = 50, 48


class Documents:
    """Serves documents. Marked copies are kept in a temporary folder until ``close``."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._originals = Originals(kb.originals)
        self._pages = PageProcess(copies=kb.originals)
        self._pictures: dict[tuple[str, int], bytes] = {}
        self._lock = Lock()
        self._copies = tempfile.TemporaryDirectory(prefix="rabbithole-")

    def close(self) -> None:
        self._pages.close()
        self._copies.cleanup()

    def find(self, document_id: str) -> Document | None:
        try:
            return self._kb.document(document_id)
        except KnowledgeBaseError:  # no document has this id
            return None

    def open(self, document: Document) -> BufferedReader:
        """Open the file if it is still the one that was ingested. Raises KnowledgeBaseError."""
        return self._originals.open(document)

    def page(self, document: Document, page: int, quote: str) -> PageView:
        """Return the page with the quotation marked, or the neighbouring page if the quotation is there.

        For a document that is not a PDF it is the sheet with its stored text.
        """
        if is_pdf(document):
            view = self._pages.view(document, page, quote)
            return view.model_copy(update={"label": self._label(document, view.page) or view.label})
        _, label = self._kb.page_of(document.id, self._kb.page_span(document.id, page)[0])
        view = self._pages.view(*self._shown(document, page), quote)
        shown = {"page": page, "label": label, "pages": self._kb.page_count(document.id)}
        return view.model_copy(update=shown)

    def _label(self, document: Document, page: int) -> str:
        """Return the label printed on a page, as citations name it; "" for a page without text."""
        if page >= self._kb.page_count(document.id):
            return ""
        at, label = self._kb.page_of(document.id, self._kb.page_span(document.id, page)[0])
        return label if at == page else ""

    def _shown(self, document: Document, page: int) -> tuple[Document, int]:
        """Return the PDF to show, the document's own or its sheet, and the page in it."""
        if is_pdf(document):
            return document, page
        target = Path(self._copies.name) / f"{document.id}-{sheet_of(document, page)[0]}.pdf"
        if not target.exists():
            self._make_room()
            part = target.with_suffix(f".{get_ident()}.part")
            part.write_bytes(rendition(self._kb, document, page))
            part.replace(target)
        sheet = content_ids(hashlib.sha256(target.read_bytes()).hexdigest(), document.collection)[0]
        return document.model_copy(update={"id": sheet, "path": str(target), "pages": 1}), 0

    def picture(self, document: Document, page: int) -> bytes:
        document, page = self._shown(document, page)
        self.open(document).close()  # a cached picture is valid only while the file is unchanged
        key = document.id, page
        drawn = self._pictures.get(key) or self._pages.picture(document, page)
        with self._lock:
            self._pictures[key] = drawn
            while len(self._pictures) > KEPT_PICTURES:
                del self._pictures[next(iter(self._pictures))]
        return drawn

    def marked(self, document: Document, page: int, quote: str) -> BufferedReader:
        """Return the open PDF or sheet, with the quotation highlighted if there is one."""
        document, page = self._shown(document, page)
        file = self.open(document)
        if not quote:
            return file
        file.close()
        return self._copy(document, page, quote, alone=False)

    def cited(self, document: Document, page: int, quote: str) -> BufferedReader:
        """Return an open PDF of this page only, with the quotation highlighted and nothing else of the document."""
        shown, at = self._shown(document, page)
        if is_pdf(document) and quote:
            at = self._pages.view(document, page, quote).page  # the words may be on a neighbouring page
        return self._copy(shown, at, quote, alone=True)

    def _copy(self, document: Document, page: int, quote: str, *, alone: bool) -> BufferedReader:
        name = hashlib.sha256(f"{document.id}:{page}:{alone}:{quote}".encode()).hexdigest()[:24]
        target = Path(self._copies.name) / f"{name}.pdf"
        if not target.exists():
            self._make_room()
            part = target.with_suffix(f".{get_ident()}.part")
            self._pages.mark(document, page, quote, part, alone=alone)
            part.replace(target)
        return open_regular(target)

    def _make_room(self) -> None:
        copies = sorted(Path(self._copies.name).glob("*.pdf"), key=lambda path: path.stat().st_mtime)
        for old in copies[: max(0, len(copies) - KEPT_COPIES)]:
            old.unlink(missing_ok=True)
