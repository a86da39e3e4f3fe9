"""What has changed in the knowledge base since a user's last visit, and which of their reports are affected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Model
from rabbithole.steps.distinct_names import distinct_names
from rabbithole.steps.phases.verify import stale
from rabbithole.steps.report_models import Report
from rabbithole.workflow.chat.runs.history import History, RunRow

NAMED = 6
"""Most names listed of each kind; the others are counted."""
REPORTS = 50
"""Number of the user's latest reports that are checked."""

Held = Mapping[str, str]
"""'collection/file' -> id of the documents that a user has seen."""


class ListedNames(Model):
    """Some names, and the number of further ones."""

    names: tuple[str, ...] = ()
    more: int = 0


class StaleReport(Model):
    """A saved report and the number of its citations whose source has changed."""

    id: str
    thread: str
    query: str
    citations: int


class Changes(Model):
    """The changes since ``since`` (seconds since the epoch)."""

    since: float
    added: ListedNames = ListedNames()
    changed: ListedNames = ListedNames()
    removed: ListedNames = ListedNames()
    reports: tuple[StaleReport, ...] = ()


def held(documents: Iterable[Document]) -> dict[str, str]:
    return {_key(one): one.id for one in documents}


def _key(document: Document) -> str:
    return f"{document.collection}/{document.file}"


def differences(before: Held, now: Held) -> tuple[list[str], list[str], list[str]]:
    """Return the keys that are new, changed (with another id) and gone; files that only moved are left out."""
    moved = set(before.values()) & set(now.values())
    added = sorted(key for key in now.keys() - before.keys() if now[key] not in moved)
    changed = sorted(key for key in now.keys() & before.keys() if now[key] != before[key])
    removed = sorted(key for key in before.keys() - now.keys() if before[key] not in moved)
    return added, changed, removed


class Visits:
    """What each user has seen. It reads the knowledge base, so call it in a worker thread."""

    def __init__(self, kb: KnowledgeBase, history: History, report_of: Callable[[str], Report | None]) -> None:
        self._kb, self._history, self._report_of = kb, history, report_of
        self._seen: dict[str, int] = {}

    def changes(self, user: str) -> Changes | None:
        """Return what has changed since the user's last visit, or None if nothing. A first visit is recorded: None."""
        last = self._history.visit(user)
        if last is None:
            self.seen(user)
            return None
        documents = self._kb.documents()
        now = held(documents)
        added, changed, removed = differences(last.held, now)
        if not (added or changed or removed):
            return None
        known = distinct_names(documents)
        names = {_key(one): known[one.id] for one in documents}
        return Changes(
            since=last.at,
            added=_named([names[key] for key in added]),
            changed=_named([names[key] for key in changed]),
            removed=_named([key.partition("/")[2] for key in removed]),
            reports=tuple(self._stale(self._history.runs(user, REPORTS))),
        )

    def seen(self, user: str) -> None:
        """Record that the user, having asked something, knows the knowledge base as it is now."""
        generation = self._kb.generation
        if self._seen.get(user) != generation:
            self._history.set_visit(user, held(self._kb.documents()))
            self._seen[user] = generation

    def _stale(self, runs: Sequence[RunRow]) -> Iterable[StaleReport]:
        for run in runs:
            report = self._report_of(run.id) if run.status == "done" else None
            if report is not None and (found := stale(report, self._kb)):
                count = len({one.marker for one in found})
                yield StaleReport(id=run.id, thread=run.thread, query=run.query, citations=count)


def _named(names: Sequence[str]) -> ListedNames:
    return ListedNames(names=tuple(names[:NAMED]), more=max(0, len(names) - NAMED))
