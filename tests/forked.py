"""Processes for tests, forked from one that has loaded the libraries, to save the time of starting each.

Their work is in ``tests/work.py`` and ``tests/chat/browser/serve.py``; a process finds the functions there by name.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ensure_running
from multiprocessing.process import BaseProcess
from typing import Any
from unittest.mock import patch

SECONDS = 120.0
LOADED = ["work", "literalai", "fastapi", "mcp", "socketio", "uvicorn", "chat.browser.serve"]
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(LOADED)


def fork(work: Callable[..., object], *arguments: Any, daemon: bool = True) -> BaseProcess:
    """Start a process that does ``work``. A process that is not a daemon can start processes of its own."""
    # The process all are forked from does not look where this one does, and would silently load nothing.
    with patch.dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path))):
        ensure_running()
    process = _CONTEXT.Process(target=work, args=arguments, daemon=daemon)
    process.start()
    return process


class Forked:
    """A running process. It reports when it is ready, and its result at the end."""

    def __init__(self, work: Callable[..., object], *arguments: Any, daemon: bool = True) -> None:
        self._connection, theirs = _CONTEXT.Pipe(duplex=False)
        self._process = fork(_run, work, theirs, *arguments, daemon=daemon)
        theirs.close()

    def ready(self) -> None:
        """Wait until the process reports that it is ready."""
        assert self._told() == ("ready", None)

    def result(self) -> Any:
        """Return the result of ``work``. Fails with the process's error if it failed."""
        how, value = self._told()
        assert how == "done", value
        self._process.join(SECONDS)
        return value

    def over_within(self, seconds: float) -> bool:
        """Return whether the process ends by itself in this time."""
        self._process.join(seconds)
        return not self._process.is_alive()

    def kill(self) -> None:
        """End it as ``kill -9`` does, and wait for that."""
        if self._process.is_alive() and self._process.pid is not None:
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join(SECONDS)

    def _told(self) -> Any:
        assert self._connection.poll(SECONDS), "the process says nothing"
        return self._connection.recv()


@contextmanager
def forked(work: Callable[..., object], *arguments: Any) -> Iterator[Forked]:
    """``work(ready, *arguments)`` in a process of its own, past the call of ``ready()``; killed at the end."""
    started = Forked(work, *arguments)
    try:
        started.ready()
        yield started
    finally:
        started.kill()


def _run(work: Callable[..., object], connection: Connection, *arguments: Any) -> None:
    try:
        value = work(lambda: connection.send(("ready", None)), *arguments)
    except Exception:  # noqa: BLE001 - told to the test
        connection.send(("failed", traceback.format_exc()))
    else:
        connection.send(("done", value))
