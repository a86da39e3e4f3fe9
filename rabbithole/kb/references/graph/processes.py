"""Resolves the references of many documents in several processes; the result is the same in any of them."""

from __future__ import annotations

import json
import logging
import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from pydantic import TypeAdapter

from rabbithole.kb import worker_process
from rabbithole.kb.store.reference_rows import ReferenceRow
from rabbithole.kb.store.rows import Stored

Command = tuple[Sequence[str], str]
"""Arguments that start a worker process, and the line that tells it which knowledge base to open."""
Resolved = tuple[Stored, list[ReferenceRow]]
_TOGETHER: Final = 8
"""Documents in one request."""
_MOST: Final = 4
"""Maximum number of processes, including this one."""
_ANSWER: Final = TypeAdapter[list[list[ReferenceRow]] | None](list[list[ReferenceRow]] | None)
_log = logging.getLogger(__name__)


def resolve_in_processes(
    entries: Sequence[Stored], resolve: Callable[[Stored], list[ReferenceRow]], worker: Command, mark: str
) -> Iterator[Resolved]:
    """Yield the rows of each document, in no particular order.

    ``resolve`` does the work in this process. If a worker fails, or sees another state of the knowledge base than
    ``mark``, this process resolves the worker's documents.
    """
    waiting = deque(entries[start : start + _TOGETHER] for start in range(0, len(entries), _TOGETHER))
    workers = [_Worker(worker, mark, waiting) for _ in range(min(_MOST, os.cpu_count() or 1, max(len(waiting), 1)) - 1)]
    try:
        while True:
            while waiting:
                try:
                    batch = waiting.popleft()
                except IndexError:  # a worker took the last batch
                    break
                for entry in batch:
                    yield entry, resolve(entry)
                for each in workers:
                    yield from each.done()
            for each in workers:
                yield from each.finished()
            if not waiting:
                return
    finally:
        for each in workers:
            each.stop()


class _Worker:
    """A worker process and the thread that talks to it."""

    def __init__(self, command: Command, mark: str, waiting: deque[Sequence[Stored]]) -> None:
        self._mark, self._waiting = mark, waiting
        self._results: queue.SimpleQueue[Resolved] = queue.SimpleQueue()
        arguments, opening = command
        self._process = worker_process.start(arguments)
        self._thread = threading.Thread(target=self._work, args=(opening,), daemon=True)
        self._thread.start()

    def done(self) -> Iterator[Resolved]:
        """Yield the results that arrived since the last call."""
        while not self._results.empty():
            yield self._results.get()

    def finished(self) -> Iterator[Resolved]:
        """Wait for the worker to end and yield its remaining results."""
        self._thread.join()
        yield from self.done()

    def stop(self) -> None:
        self._process.kill()
        self._thread.join()
        worker_process.stop(self._process)

    def _work(self, opening: str) -> None:
        batch: Sequence[Stored] = ()
        try:
            self._ask(opening)
            while self._waiting:
                batch = self._waiting.popleft()
                rows = self._ask(json.dumps({"mark": self._mark, "documents": [each.ordinal for each in batch]}))
                for resolved in zip(batch, rows, strict=True):
                    self._results.put(resolved)
                batch = ()
        except IndexError:  # another worker took the last batch
            pass
        except (OSError, ValueError) as error:
            _log.info("a process that resolves references failed (%s): its documents are resolved in this one", error)
            if batch:
                self._waiting.append(batch)

    def _ask(self, line: str) -> list[list[ReferenceRow]]:
        """Send one line and return the answer. Raises OSError or ValueError if there is no valid answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        rows = _ANSWER.validate_json(self._process.stdout.readline())
        if rows is None:
            raise ValueError("it sees another state of the knowledge base")
        return rows
