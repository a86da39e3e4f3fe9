"""A process that reads documents. An idle one is kept for a while, for the next reading."""

from __future__ import annotations

import atexit
import json
import os
import queue
import subprocess
import sys
import threading
from typing import Any, Literal

from rabbithole.kb import worker_process
from rabbithole.kb.errors import IngestError
from rabbithole.kb.mupdf import LAYOUT_VARIABLE

from .reading_time import LOOK_SECONDS, ReadingTime

START_SECONDS = 60.0
KEPT_SECONDS = 300.0
"""How long an idle process is kept. It holds about 100 MB; starting another takes most of a second."""
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
    """One process, started when first needed and again after a failure. Used by one thread at a time.

    ``busy`` is set while a request has no answer yet.
    """

    def __init__(self, memory_mb: int, *, layout: bool = False) -> None:
        self.memory_mb = memory_mb
        self.layout = layout
        self.busy = False
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()

    def ask(self, request: dict[str, Any], allowed: ReadingTime) -> dict[str, Any]:
        """Return the answer to one request. Raises WorkerFailed if the time for the file or for a step is over."""
        process = self._started()
        assert process.stdin is not None
        at = ("open", 0)
        allowed.follow(process.pid)
        self.busy = True
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            while True:
                message = self._next(at, allowed)
                if "at" not in message:
                    self.busy = False
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

    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        self.busy = False
        process, self._process = self._process, None
        if process is not None:
            worker_process.stop(process)

    def _started(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.stop()
        self._process = worker_process.start(
            worker_process.command_of(f"{__package__}.worker", str(self.memory_mb)),
            os.environ | ({LAYOUT_VARIABLE: "1"} if self.layout else {}),
        )
        self._answers = queue.Queue()
        threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True).start()
        allowed = ReadingTime(START_SECONDS, step_share=1.0)
        allowed.follow(self._process.pid)
        try:
            self._next(("start", 0), allowed)
        except WorkerFailed as failure:
            self.stop()
            raise IngestError("The process that reads documents does not start; run `rabbithole doctor`.") from failure
        return self._process


def _listen(process: subprocess.Popen[str], answers: queue.Queue[dict[str, Any]]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            answers.put(json.loads(line))
    except ValueError:
        pass  # the stream was closed or cut off: the process is gone
    answers.put(_END)


_kept: list[tuple[Worker, threading.Timer]] = []
_guard = threading.Lock()


def take(memory_mb: int, *, layout: bool = False) -> Worker:
    """Return the kept worker if it is of this kind and still runs, else a new one."""
    with _guard:
        for kept in _kept:
            worker, end = kept
            if (worker.memory_mb, worker.layout) == (memory_mb, layout) and worker.running():
                _kept.remove(kept)
                end.cancel()
                return worker
    return Worker(memory_mb, layout=layout)


def give_back(worker: Worker) -> None:
    """Keep an idle worker for ``KEPT_SECONDS`` in place of the one kept before; stop a busy one."""
    if worker.busy or not worker.running():
        worker.stop()
        return
    stop_kept()
    end = threading.Timer(KEPT_SECONDS, stop_kept)
    end.daemon = True
    with _guard:
        _kept.append((worker, end))
    end.start()


def stop_kept() -> None:
    """Stop the kept worker; the next reading then starts a new process."""
    with _guard:
        ended, _kept[:] = list(_kept), []
    for worker, end in ended:
        end.cancel()
        worker.stop()


atexit.register(stop_kept)
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_kept.clear)  # the process belongs to the parent
