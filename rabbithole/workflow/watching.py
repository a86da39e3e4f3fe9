"""Keep a collection in step with a folder: new, changed, moved and deleted files, within seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles import Change, watch

from rabbithole.kb.errors import KnowledgeBaseError, UsageError
from rabbithole.kb.ingest.metadata.sidecar import TABLE_NAME
from rabbithole.kb.ingest.suffixes import is_taken
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import IngestReport

SETTLED_MS = 1600
"""Milliseconds without a change after which files are read, so that a file still being copied is left alone."""
STEP_MS = 50
TICK_MS = 1000


@dataclass(slots=True)
class Grace:
    """Keeps the documents of deleted files for ``seconds``, or for ever if None."""

    seconds: float | None
    clock: Callable[[], float] = time.monotonic
    _since: dict[str, float] = field(default_factory=dict)

    def keep(self, gone: Sequence[str]) -> Collection[str]:
        """Return the missing files whose documents stay for now. The time of a file that comes back starts afresh."""
        now = self.clock()
        self._since = {path: self._since.get(path, now) for path in gone}
        if self.seconds is None:
            return tuple(gone)
        self._since = {path: since for path, since in self._since.items() if now - since < self.seconds}
        return tuple(self._since)

    @property
    def due(self) -> bool:
        """Whether the grace period of some missing file is over."""
        if self.seconds is None:
            return False
        return any(self.clock() - since >= self.seconds for since in self._since.values())


def concerns(changes: Iterable[tuple[Change, str]]) -> bool:
    """Return whether a change concerns documents or their metadata; a new or removed folder may hold either."""
    for _, changed in changes:
        path = Path(changed)
        if path.name.startswith((".", "~$")):
            continue
        if is_taken(path.name) or path.name == TABLE_NAME or path.suffix.lower() in (".json", ""):
            return True
    return False


def follow(
    base: KnowledgeBase,
    folder: Path,
    collection: str,
    grace: Grace,
    tell: Callable[[IngestReport | str], None],
    stop: threading.Event | None = None,
) -> None:
    """Update the collection now and whenever the folder changes, until ``stop`` is set or Ctrl-C is pressed.

    ``tell`` receives the report of each ingestion, or a sentence while the folder is missing (a disk was unplugged) or
    another process is writing to the knowledge base; then nothing is removed and the update is tried again. Raises
    UsageError if ``folder`` is not a folder at the start.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder} to watch.")
    waiting, said = True, ""
    for changes in watch(
        folder,
        watch_filter=None,
        debounce=SETTLED_MS,
        step=STEP_MS,
        rust_timeout=TICK_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
        ignore_permission_denied=True,
        stop_event=stop,
    ):
        waiting = waiting or concerns(changes) or grace.due
        if not waiting:
            continue
        try:
            report = _run(base, folder, collection, grace)
        except (KnowledgeBaseError, UsageError) as error:
            if str(error) != said:
                tell(str(error))
            said = str(error)
            continue
        waiting, said = False, ""
        tell(report)


def _run(base: KnowledgeBase, folder: Path, collection: str, grace: Grace) -> IngestReport:
    if not folder.is_dir():
        raise UsageError(
            f"The folder {folder} is missing; no documents are removed, and watching continues when it is back."
        )
    return base.ingest([folder], collection, keep=grace.keep)


def is_news(report: IngestReport) -> bool:
    """Return whether an ingestion changed anything."""
    return bool(report.added or report.changed or report.moved or report.removed)
