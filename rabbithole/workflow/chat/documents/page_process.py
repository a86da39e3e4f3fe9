"""Draw pages in a separate process, so that one that takes for ever or all memory costs only that page.

A PDF of a few kilobytes can take days to draw. Ingestion leaves such a page out, but a user may still open it here.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import path_of
from rabbithole.kb.ingest.run.worker import limit_memory
from rabbithole.kb.models import Document
from rabbithole.kb.mupdf import FAULTS, pymupdf
from rabbithole.kb.originals import Originals
from rabbithole.kb.store.blobs.blobs_place import BlobsPlace

from .pages import PageView, marked_pdf, page_png, page_view

SCALE = 2.0
START_SECONDS, PAGE_SECONDS = 60.0, 20.0
MEMORY_MB = 2048
T = TypeVar("T")
Job = Callable[[Path], T]
Said = tuple[bool, object]  # (True, the result) or (False, a sentence that says why there is none)


class PageProcess:
    """The drawing process, started on first use and again after it died or was stopped. Thread-safe."""

    def __init__(self, seconds: float = PAGE_SECONDS, copies: BlobsPlace | None = None) -> None:
        self._seconds = seconds
        self._copies = copies
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._hopeless: set[tuple[str, int]] = set()

    def view(self, document: Document, page: int, quote: str) -> PageView:
        """Return the page with the quotation marked, or the neighbouring page if the quotation is there."""
        return self._ask(document, page, partial(_view, page=page, quote=quote))

    def picture(self, document: Document, page: int) -> bytes:
        """Return a PNG of the page."""
        return self._ask(document, page, partial(page_png, page=page, scale=SCALE))

    def mark(self, document: Document, page: int, quote: str, target: Path, *, alone: bool = False) -> None:
        """Write a copy of the document, or with ``alone`` of that page only, with the quotation highlighted."""
        self._ask(document, page, partial(marked_pdf, page=page, quote=quote, target=target, alone=alone))

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _ask(self, document: Document, page: int, job: Job[T]) -> T:
        """Run a job. Raises KnowledgeBaseError if the page cannot be drawn; later requests for it fail at once."""
        key = document.id, page
        with self._lock:
            if key in self._hopeless:
                raise KnowledgeBaseError(f"Page {page + 1} of {document.file} cannot be shown: open the PDF itself.")
            try:
                done, answer = self._answer(document, job)
            except TimeoutError as error:
                self._hopeless.add(key)
                raise KnowledgeBaseError(
                    f"Page {page + 1} of {document.file} cannot be shown because it takes too long."
                ) from error
            except (OSError, EOFError) as error:
                self._hopeless.add(key)
                raise KnowledgeBaseError(
                    f"Page {page + 1} of {document.file} cannot be shown because it crashes the renderer."
                ) from error
        if not done:
            raise KnowledgeBaseError(answer)
        drawn: T = answer
        return drawn

    def _answer(self, document: Document, job: Job[T]) -> tuple[bool, Any]:
        """Run a job, and once more in a new process if the first one died, as another page may have killed it."""
        try:
            return self._answer_once(document, job)
        except TimeoutError:
            raise
        except (OSError, EOFError):
            return self._answer_once(document, job)

    def _answer_once(self, document: Document, job: Job[T]) -> tuple[bool, Any]:
        try:
            line = self._started()
            line.send((document, job))
            if not line.poll(self._seconds):
                raise TimeoutError
            done, answer = line.recv()
        except (OSError, EOFError):
            self._stop()
            raise
        return done, answer

    def _started(self) -> Connection:
        if self._line is not None and self._process is not None and self._process.is_alive():
            return self._line
        self._stop()
        context = get_context("spawn")
        self._line, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other, MEMORY_MB, self._copies), name="pages", daemon=True)
        self._process.start()
        other.close()
        if not self._line.poll(START_SECONDS):
            raise TimeoutError
        self._line.recv()
        return self._line

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None


def serve(line: Connection, memory_mb: int, copies: BlobsPlace | None) -> None:
    """Run jobs until the other end of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C and ends this process
    limit_memory(memory_mb)
    originals = Originals(copies)
    line.send("ready")
    while True:
        try:
            document, job = line.recv()
        except EOFError:
            return
        line.send(_done(originals, document, job))


def _done(originals: Originals, document: Document, job: Job[object]) -> Said:
    try:
        with originals.open(document) as file:
            return True, job(path_of(file))
    except KnowledgeBaseError as error:
        return False, str(error)
    except (pymupdf.mupdf.FzErrorBase, MemoryError, *FAULTS) as error:
        said = " ".join(str(error).split())[:100] or type(error).__name__
        return False, f"This page of {document.file} cannot be shown ({said})."


def _view(path: Path, page: int, quote: str) -> PageView:
    view = page_view(path, page, quote)
    if view.found in ("none", "close"):
        for beside in (page + 1, page - 1):
            if 0 <= beside < view.pages and (other := page_view(path, beside, quote)).found == "exact":
                return other
    return view
