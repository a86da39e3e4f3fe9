"""Reading PDFs in processes that may hang, crash or grow without hurting anything but the page that did it."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.parsed import ParsedDocument
from rabbithole.kb.ingest.document.read_options import Avoid, LayoutMode
from rabbithole.kb.ingest.page.ocr import recognise
from rabbithole.kb.ingest.page.pages_without_text import page_list
from rabbithole.kb.mupdf import LAYOUT_VARIABLE

STALL_SHARE = 0.25
SECONDS_PER_PAGE = 0.25
SECONDS_PER_LAYOUT = 15.0
LAYOUT_MEMORY_MB = 8192
START_SECONDS = 60.0
MAX_ATTEMPTS = 12
AVOIDABLE = {"text", "plain", "links", "outline", "structure", "bibliography", "tables", "look", "layout"}
_END: dict[str, Any] = {}


class WorkerFailed(Exception):
    """The process hung or died. ``at`` is the step it was in."""

    def __init__(self, at: tuple[str, int], hung: bool) -> None:
        super().__init__(f"{'hung' if hung else 'died'} at {at}")
        self.at = at
        self.hung = hung


class Worker:
    """One process; started when first needed and again after a failure. Belongs to one thread."""

    def __init__(self, memory_mb: int, *, layout: bool = False) -> None:
        self._memory_mb = memory_mb
        self._layout = layout
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()

    def ask(self, request: dict[str, Any], stall: float, deadline: float) -> dict[str, Any]:
        """The answer to one request. Raises WorkerFailed after ``stall`` seconds without a sign of life."""
        process = self._started()
        assert process.stdin is not None
        at, pages = ("open", 0), 0
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            while True:
                wait = min(stall * (1 if at[0] != "structure" else 1 + pages / 500), deadline - time.monotonic())
                message = self._answers.get(timeout=max(wait, 0.01))
                if message is _END:
                    raise WorkerFailed(at, hung=False)
                if "at" not in message:
                    return message
                at = (str(message["at"][0]), int(message["at"][1]))
                if at[0] == "layout":
                    deadline += SECONDS_PER_LAYOUT
                if at[0] == "text" and at[1] > pages:
                    deadline += SECONDS_PER_PAGE * (at[1] - pages)
                    pages = at[1]
        except queue.Empty:
            self.stop()
            raise WorkerFailed(at, hung=True) from None
        except (OSError, ValueError) as error:
            self.stop()
            raise WorkerFailed(at, hung=False) from error
        except WorkerFailed:
            self.stop()
            raise

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
        command = [sys.executable, "-m", f"{__package__}.worker", str(self._memory_mb)]
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
        try:
            ready = self._answers.get(timeout=START_SECONDS)
        except queue.Empty:
            ready = _END
        if "ready" not in ready:
            self.stop()
            raise IngestError("The process that reads PDFs does not start; see `rabbithole doctor`.")
        return self._process


def _listen(process: subprocess.Popen[str], answers: queue.Queue[dict[str, Any]]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            answers.put(json.loads(line))
    except ValueError:
        pass  # the stream was closed or cut off in the middle: the process is gone
    answers.put(_END)


class ReaderPool:
    """Reads PDFs in ``workers`` processes. ``timeout`` seconds for a file, and a quarter of a second more a page."""

    def __init__(
        self,
        workers: int,
        *,
        timeout: float = 60.0,
        memory_mb: int = 2048,
        ocr_languages: str = "",
        layout: LayoutMode = "never",
    ) -> None:
        """``ocr_languages`` ("deu+eng") turns OCR on for pages without text."""
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
        """A future that gives the document or raises IngestError in one sentence."""
        return self._threads.submit(self.read, path, passwords)

    def read(self, path: Path, passwords: Sequence[str] = ()) -> ParsedDocument:
        """Read one file here and now, pages without text by OCR where that is turned on."""
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
        # The copy's own properties tell when OCR ran.
        kept = {"properties": parsed.properties, "encrypted": parsed.encrypted}
        return done.model_copy(update=kept | {"ocr_done": not found.reason, "warnings": warnings})

    def _unlocked(self, path: Path, passwords: Sequence[str], target: Path) -> Path:
        """A copy without encryption: OCRmyPDF takes no encrypted file. Raises IngestError."""
        request = {"path": str(path), "passwords": list(passwords), "unlocked": str(target)}
        try:
            answer = self._worker().ask(request, self._timeout * STALL_SHARE, time.monotonic() + self._timeout)
        except WorkerFailed as failure:
            raise IngestError(_sentence(path, failure, self._timeout)) from failure
        if "unlocked" not in answer:
            raise IngestError(str(answer.get("error", f"{path.name} cannot be decrypted for OCR.")))
        return target

    def _read(self, path: Path, passwords: Sequence[str] = ()) -> ParsedDocument:
        """Read one file with the worker of this thread; steps that hang are left out in another attempt."""
        worker = self._worker()
        began = time.monotonic()
        deadline = began + self._timeout
        avoid: Avoid = frozenset()
        for _ in range(MAX_ATTEMPTS):
            request = {
                "path": str(path),
                "passwords": list(passwords),
                "layout": self._layout,
                "avoid": sorted(avoid),
            }
            try:
                answer = worker.ask(request, self._timeout * STALL_SHARE, deadline)
            except WorkerFailed as failure:
                if failure.at[0] not in AVOIDABLE or failure.at in avoid or time.monotonic() >= deadline:
                    raise IngestError(_sentence(path, failure, self._timeout)) from failure
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


def _sentence(path: Path, failure: WorkerFailed, timeout: float) -> str:
    where = f"at {failure.at[0]}, page {failure.at[1] + 1}"
    if failure.hung:
        return f"{path.name} takes longer than {timeout:.0f} s to read (it hangs {where})."
    return f"{path.name} crashes the reader ({where}): the file is damaged."
