"""Reads files in processes that may hang, crash or run out of memory, which then affects only the page concerned."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Literal, Self

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.parsed import ParsedDocument
from rabbithole.kb.ingest.document.read_options import Avoid, LayoutMode
from rabbithole.kb.ingest.page.ocr import recognise
from rabbithole.kb.ingest.page.pages_without_text import page_list
from rabbithole.kb.mupdf import LAYOUT_VARIABLE

from .reading_time import LOOK_SECONDS, ReadingTime

LAYOUT_MEMORY_MB = 8192
START_SECONDS = 60.0
MAX_ATTEMPTS = 12
AVOIDABLE = {"text", "plain", "links", "outline", "structure", "bibliography", "tables", "look", "layout"}
_END: dict[str, Any] = {}


class WorkerFailed(Exception):
    """A worker failed.

    ``at`` is the step it was in; ``how`` says whether it computed too long, waited too long or died.
    """

    def __init__(self, at: tuple[str, int], how: Literal["slow", "silent", "died"]) -> None:
        super().__init__(f"{how} at {at}")
        self.at = at
        self.how = how


class Worker:
    """One process, started when first needed and again after a failure. Must be used by one thread only."""

    def __init__(self, memory_mb: int, *, layout: bool = False) -> None:
        self._memory_mb = memory_mb
        self._layout = layout
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()

    def ask(self, request: dict[str, Any], allowed: ReadingTime) -> dict[str, Any]:
        """Return the answer to one request. Raises WorkerFailed if the time for the file or for a step is over."""
        process = self._started()
        assert process.stdin is not None
        at = ("open", 0)
        allowed.follow(process.pid)
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            while True:
                message = self._next(at, allowed)
                if "at" not in message:
                    return message
                at = (str(message["at"][0]), int(message["at"][1]))
                allowed.step(*at)
        except (OSError, ValueError) as error:
            self.stop()
            raise WorkerFailed(at, "died") from error
        except WorkerFailed:
            self.stop()
            raise

    def _next(self, at: tuple[str, int], allowed: ReadingTime) -> dict[str, Any]:
        """Return the next message of the process. Raises WorkerFailed."""
        while True:
            if how := allowed.look():
                raise WorkerFailed(at, how)
            try:
                message = self._answers.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                continue
            if message is _END:
                raise WorkerFailed(at, "died")
            return message

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    def _started(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.stop()
        # -P: no module is loaded from the current folder, which may be the folder of the documents.
        command = [sys.executable, "-P", "-m", f"{__package__}.worker", str(self._memory_mb)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | ({LAYOUT_VARIABLE: "1"} if self._layout else {}),
            text=True,
            encoding="utf-8",
        )
        self._answers = queue.Queue()
        threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True).start()
        allowed = ReadingTime(START_SECONDS, step_share=1.0)
        allowed.follow(self._process.pid)
        try:
            self._next(("start", 0), allowed)
        except WorkerFailed as failure:
            self.stop()
            raise IngestError("The process that reads PDFs does not start; see `rabbithole doctor`.") from failure
        return self._process


def _listen(process: subprocess.Popen[str], answers: queue.Queue[dict[str, Any]]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            answers.put(json.loads(line))
    except ValueError:
        pass  # the stream was closed or cut off: the process is gone
    answers.put(_END)


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
                worker.stop()
        self._threads.shutdown(wait=True)

    def submit(self, path: Path, passwords: Sequence[str] = ()) -> Future[ParsedDocument]:
        """Return a future that yields the document or raises IngestError with one sentence."""
        return self._threads.submit(self.read, path, passwords)

    def read(self, path: Path, passwords: Sequence[str] = ()) -> ParsedDocument:
        """Read one file in this thread, with OCR for pages without text if it is turned on."""
        parsed = self._read(path, passwords)
        unread = sorted({*parsed.drawn_pages, *parsed.garbled_pages})
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
        request = {"path": str(path), "passwords": list(passwords), "unlocked": str(target)}
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
                "path": str(path),
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
        raise IngestError(f"{path.name} hangs or crashes the reader on too many pages.")

    def _worker(self) -> Worker:
        worker: Worker | None = getattr(self._local, "worker", None)
        if worker is None:
            worker = self._local.worker = Worker(self._memory_mb, layout=self._layout != "never")
            with self._guard:
                self._all.append(worker)
        return worker


def _sentence(path: Path, failure: WorkerFailed, allowed: ReadingTime) -> str:
    where = f"at {failure.at[0]}, page {failure.at[1] + 1}"
    if failure.how == "slow":
        return f"{path.name} takes longer than {allowed.seconds:.0f} s of processor time to read (it hangs {where})."
    if failure.how == "silent":
        said = f"{path.name} takes longer than {allowed.waited:.0f} s to read, though nothing is computed ({where})"
        return f"{said}; see that the disk it is on answers, and ingest it again."
    return f"{path.name} crashes the reader ({where}): the file is damaged."
