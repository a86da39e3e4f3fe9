"""Reads files in processes that may hang, crash or run out of memory, which then affects only the page concerned."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Protocol, Self, TypedDict

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.pages_without_text import page_list
from rabbithole.kb.ingest.document.read_options import Avoid, LayoutMode
from rabbithole.kb.ingest.document.text_layer import is_unreadable
from rabbithole.kb.ingest.page.ocr import ocr_available, recognise
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.settings import KbSettings

from .reader_process import Worker, WorkerFailed, give_back, take
from .reading_time import ReadingTime

LAYOUT_MEMORY_MB = 8192
MAX_ATTEMPTS = 12
AVOIDABLE = {"text", "plain", "links", "outline", "structure", "bibliography", "tables", "look", "layout"}


class Readers(Protocol):
    """What reads files for ingestion: processes of this machine, or of a Ray cluster."""

    def submit(self, path: Path, passwords: Sequence[str] = ()) -> Future[ParsedDocument]:
        """Return a future that yields the document or raises IngestError with one sentence."""


class ReadingOptions(TypedDict):
    """The options of a ReaderPool."""

    timeout: float
    memory_mb: int
    ocr_languages: str
    layout: LayoutMode


def reading_options(settings: KbSettings) -> ReadingOptions:
    """Return the options that the settings ask for, with OCR if this machine has it."""
    return ReadingOptions(
        timeout=settings.parse_timeout_seconds,
        memory_mb=settings.parse_memory_mb,
        ocr_languages=settings.ocr_languages if settings.ocr == "auto" and ocr_available() else "",
        layout=settings.layout,
    )


class ReaderPool:
    """Reads files in ``workers`` processes.

    ``timeout``: seconds of processor time for a file, plus 0.25 for each page; ten times that in wall-clock time.
    """

    def __init__(
        self,
        workers: int,
        *,
        timeout: float = 60.0,
        memory_mb: int = 2048,
        ocr_languages: str = "",
        layout: LayoutMode = "never",
    ) -> None:
        """``ocr_languages`` ("deu+eng") turns on OCR for pages without text."""
        self._ocr_languages = ocr_languages
        self._layout: LayoutMode = layout
        self._timeout = timeout
        self._memory_mb = memory_mb if layout == "never" else max(memory_mb, LAYOUT_MEMORY_MB)
        self._all: list[Worker] = []
        self._local = threading.local()
        self._guard = threading.Lock()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="reader")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._guard:
            for worker in self._all:
                if worker.busy or kind is not None:
                    worker.stop()
        self._threads.shutdown(wait=True)
        for worker in self._all:
            give_back(worker)

    def submit(self, path: Path, passwords: Sequence[str] = ()) -> Future[ParsedDocument]:
        """Return a future that yields the document or raises IngestError with one sentence."""
        return self._threads.submit(self.read, path, passwords)

    def read(self, path: Path, passwords: Sequence[str] = ()) -> ParsedDocument:
        """Read one file in this thread, with OCR for pages without readable text if it is on."""
        parsed = self._read(path, passwords)
        unread = sorted({*parsed.drawn_pages, *parsed.garbled_pages})
        if parsed.paged and is_unreadable(parsed.text):
            unread = list(range(len(parsed.page_starts)))
        if not unread or not self._ocr_languages:
            return parsed
        with TemporaryDirectory(prefix="rabbithole-ocr-") as folder:
            try:
                source = self._unlocked(path, passwords, Path(folder) / path.name) if parsed.encrypted else path
            except IngestError as error:
                return parsed.model_copy(update={"warnings": (*parsed.warnings, str(error))})
            found = recognise(source, unread, self._ocr_languages, Path(folder))
            if found.copy is None:
                return parsed.model_copy(update={"warnings": (*parsed.warnings, found.reason)})
            done = self._read(found.copy, ())
        said = [f"{page_list(found.pages)} read by OCR", found.reason]
        warnings = (*parsed.warnings, *filter(None, said))
        # The copy's own properties give the time of the OCR.
        kept = {"properties": parsed.properties, "encrypted": parsed.encrypted}
        return done.model_copy(update=kept | {"ocr_done": not found.reason, "warnings": warnings})

    def _unlocked(self, path: Path, passwords: Sequence[str], target: Path) -> Path:
        """Return an unencrypted copy, because OCRmyPDF does not accept encrypted files. Raises IngestError."""
        request = {"path": os.path.abspath(path), "passwords": list(passwords), "unlocked": str(target)}
        allowed = ReadingTime(self._timeout)
        try:
            answer = self._worker().ask(request, allowed)
        except WorkerFailed as failure:
            raise IngestError(_sentence(path, failure, allowed)) from failure
        if "unlocked" not in answer:
            raise IngestError(str(answer.get("error", f"{path.name} cannot be decrypted for OCR.")))
        return target

    def _read(self, path: Path, passwords: Sequence[str] = ()) -> ParsedDocument:
        """Read one file with this thread's worker; steps that hang are skipped in a further attempt."""
        worker = self._worker()
        allowed = ReadingTime(self._timeout)
        avoid: Avoid = frozenset()
        for _ in range(MAX_ATTEMPTS):
            request = {
                "path": os.path.abspath(path),  # the process may have been started in another folder
                "passwords": list(passwords),
                "layout": self._layout,
                "avoid": sorted(avoid),
            }
            try:
                answer = worker.ask(request, allowed)
            except WorkerFailed as failure:
                if failure.at[0] not in AVOIDABLE or failure.at in avoid or allowed.over:
                    raise IngestError(_sentence(path, failure, allowed)) from failure
                avoid |= {failure.at}
                continue
            if "document" in answer:
                return ParsedDocument.model_validate(answer["document"])
            if answer.get("memory"):
                worker.stop()
                raise IngestError(f"{path.name} needs more than {self._memory_mb} MB of memory to read.")
            raise IngestError(str(answer["error"]))
        raise IngestError(f"{path.name} makes the reader hang or crash on too many pages.")

    def _worker(self) -> Worker:
        worker: Worker | None = getattr(self._local, "worker", None)
        if worker is None:
            worker = self._local.worker = take(self._memory_mb, layout=self._layout != "never")
            with self._guard:
                self._all.append(worker)
        return worker


def _sentence(path: Path, failure: WorkerFailed, allowed: ReadingTime) -> str:
    where = f"at {failure.at[0]}, page {failure.at[1] + 1}"
    if failure.how == "slow":
        return f"{path.name} takes longer than {allowed.seconds:.0f} s of processor time to read (it hangs {where})."
    if failure.how == "silent":
        said = f"{path.name} takes longer than {allowed.waited:.0f} s to read, although the reader is idle ({where})"
        return f"{said}; check that its disk responds, then ingest it again."
    return f"{path.name} crashes the reader ({where}): the file is damaged."
