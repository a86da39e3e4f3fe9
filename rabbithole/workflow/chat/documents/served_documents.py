"""Documents of the catalog for the browser: by id only, so no path of a request ever reaches the disk."""

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
    """Marked copies live in a temporary folder until ``close``."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._originals = Originals()
        self._pages = PageProcess()
        self._pictures: dict[tuple[str, int], bytes] = {}
        self._lock = Lock()
        self._copies = tempfile.TemporaryDirectory(prefix="rabbithole-")

    def close(self) -> None:
        self._pages.close()
        self._copies.cleanup()

    def find(self, document_id: str) -> Document | None:
        try:
            return self._kb.document(document_id)
        except KnowledgeBaseError:  # an id nobody has
            return None

    def open(self, document: Document) -> BufferedReader:
        """The file, while it is the one that was ingested. Raises KnowledgeBaseError."""
        return self._originals.open(document)

    def page(self, document: Document, page: int, quote: str) -> PageView:
        """The page with the quote marked, or the one beside it where the quote stands there.

        Of a document that is no PDF: the sheet that shows its text as it is kept.
        """
        if is_pdf(document):
            return self._pages.view(document, page, quote)
        _, label = self._kb.page_of(document.id, self._kb.page_span(document.id, page)[0])
        view = self._pages.view(*self._shown(document, page), quote)
        shown = {"page": page, "label": label, "pages": self._kb.page_count(document.id)}
        return view.model_copy(update=shown)

    def _shown(self, document: Document, page: int) -> tuple[Document, int]:
        """The PDF and the page of it that are looked at: the document's own, or its sheet."""
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
        self.open(document).close()  # a kept picture is of the document, too, only while that is what it was
        key = document.id, page
        drawn = self._pictures.get(key) or self._pages.picture(document, page)
        with self._lock:
            self._pictures[key] = drawn
            while len(self._pictures) > KEPT_PICTURES:
                del self._pictures[next(iter(self._pictures))]
        return drawn

    def marked(self, document: Document, page: int, quote: str) -> BufferedReader:
        """The PDF or sheet with the quote highlighted, open; without a quote as it is."""
        document, page = self._shown(document, page)
        file = self.open(document)
        if not quote:
            return file
        file.close()
        return self._copy(document, page, quote, alone=False)

    def cited(self, document: Document, page: int, quote: str) -> BufferedReader:
        """A PDF of this page alone with the quote highlighted, open: nothing else of the document is in it."""
        shown, at = self._shown(document, page)
        if is_pdf(document) and quote:
            at = self._pages.view(document, page, quote).page  # the words may stand on the page beside
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
