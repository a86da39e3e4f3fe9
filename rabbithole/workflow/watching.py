"""A collection that follows its folder: new, changed, moved and deleted files, within seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles import Change, watch

from rabbithole.kb.errors import KnowledgeBaseError, UsageError
from rabbithole.kb.ingest.document.metadata import TABLE_NAME
from rabbithole.kb.ingest.formats.suffixes import is_taken
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import IngestReport

SETTLED_MS = 1600
"""A file that is still being copied is read when nothing has changed for so long, or nearly."""
STEP_MS = 50
TICK_MS = 1000


@dataclass(slots=True)
class Grace:
    """How long the documents of deleted files stay: ``seconds``, or for good (None)."""

    seconds: float | None
    clock: Callable[[], float] = time.monotonic
    _since: dict[str, float] = field(default_factory=dict)

    def keep(self, gone: Sequence[str]) -> Collection[str]:
        """Of the files that are gone, those that stay for now. One that comes back begins anew."""
        now = self.clock()
        self._since = {path: self._since.get(path, now) for path in gone}
        if self.seconds is None:
            return tuple(gone)
        self._since = {path: since for path, since in self._since.items() if now - since < self.seconds}
        return tuple(self._since)

    @property
    def due(self) -> bool:
        """Whether a file has been gone for long enough."""
        if self.seconds is None:
            return False
        return any(self.clock() - since >= self.seconds for since in self._since.values())


def concerns(changes: Iterable[tuple[Change, str]]) -> bool:
    """Whether documents or what is said of them changed; a folder that came or went holds either."""
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
    """Bring the collection up to date, and again whenever the folder changes, until ``stop`` is set or Ctrl-C.

    ``tell`` gets what each run did, or a sentence: a folder that is not there (a disk that was taken out) and a
    knowledge base that another process writes to are waited for, and nothing is removed. Raises UsageError for a path
    that is no folder at the start.
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
        raise UsageError(f"The folder {folder} is not there; nothing is removed, and it is waited for.")
    return base.ingest([folder], collection, keep=grace.keep)


def is_news(report: IngestReport) -> bool:
    """Whether a run did anything."""
    return bool(report.added or report.changed or report.moved or report.removed)
