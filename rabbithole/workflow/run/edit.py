"""A copy-on-write edit of the research state that records which ledger entries it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rabbithole.steps.follow_limits import Totals
from rabbithole.steps.models import Todo, TodoStatus
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.ledger import LedgerEntry, batch_around, closed

from .state import ResearchState, TaskState

OPENING = 8
"""Most FollowRefEvents under way at once. Kept small because the runtime copies its queue with every event."""


class StateEdit:
    """Copy-on-write edit: ``state`` is the resulting state, ``entries`` the changed ledger entries to store."""

    def __init__(self, state: ResearchState) -> None:
        self._base = state
        self._fields: dict[str, Any] = {}
        self._ledger: dict[str, LedgerEntry] | None = None
        self._tasks: dict[int, TaskState] | None = None
        self._changed: dict[str, LedgerEntry] = {}

    @property
    def state(self) -> ResearchState:
        update = dict(self._fields)
        if self._ledger is not None:
            update["ledger"] = self._ledger
        if self._tasks is not None:
            update["tasks"] = self._tasks
        return self._base.model_copy(update=update)

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        return tuple(self._changed.values())

    @property
    def ledger(self) -> Mapping[str, LedgerEntry]:
        return self._base.ledger if self._ledger is None else self._ledger

    @property
    def tasks(self) -> dict[int, TaskState]:
        if self._tasks is None:
            self._tasks = dict(self._base.tasks)
        return self._tasks

    # --- fields -------------------------------------------------------------------------------------------------------
    def set(self, **fields: Any) -> None:
        self._fields.update(fields)

    def task(self, task: int, **fields: Any) -> TaskState:
        self.tasks[task] = self.tasks[task].model_copy(update=fields)
        return self.tasks[task]

    def put(self, entry: LedgerEntry) -> None:
        if self._ledger is None:
            self._ledger = dict(self._base.ledger)
        self._ledger[entry.key] = self._changed[entry.key] = entry

    def mark(self, task: int, status: TodoStatus) -> None:
        """Set a task's status in the to-do list."""
        todos: Sequence[Todo] = self._fields.get("todos", self._base.todos)
        self.set(todos=tuple(one.model_copy(update={"status": status}) if one.id == task else one for one in todos))

    def warn(self, *texts: str) -> None:
        warnings = self._fields.get("warnings", self._base.warnings)
        self.set(warnings=tuple(dict.fromkeys((*warnings, *texts))))

    # --- waves --------------------------------------------------------------------------------------------------------
    def wave(self, task: int) -> tuple[str, ...]:
        """Return the keys of the entries to follow in the task's current wave, in order."""
        waves: Mapping[int, tuple[str, ...]] = self._fields.get("waves", self._base.waves)
        return waves.get(task, ())

    def open_wave(self, task: int, depth: int, entries: Sequence[LedgerEntry]) -> None:
        """Add a gated wave to the ledger and set the task to follow its wanted entries in order."""
        for entry in entries:
            self.put(entry)
        wave = tuple(entry.key for entry in entries if entry.wanted)
        self.set(waves={**self._fields.get("waves", self._base.waves), task: wave})
        self.set(known={**self._fields.get("known", self._base.known), task: self._seen().get(task, frozenset())})
        self.task(task, stage="following", depth=depth, next=0, counted=0, batched=0, cursor=0)

    def count(self, task: int, settings: ResearchSettings) -> None:
        """Count opened entries in order up to the first unopened one; once a limit is reached, close the rest."""
        state, wave, seen = self.tasks[task], self.wave(task), self._seen()
        before = seen.get(task, frozenset())
        totals, counted = Totals(seen=before, stale=state.stale, tokens=state.tokens), state.counted
        while counted < len(wave):
            entry, stop = self.ledger[wave[counted]], totals.stop(settings)
            if stop is not None:
                self.put(closed(entry, stop, settings, self._base.depth, self._base.language))
            elif entry.status not in ("opened", "settled"):
                break
            elif entry.status == "opened":
                totals = totals.count(entry.sections, entry.tokens)
                if entry.decision == "failed":
                    self.put(entry.model_copy(update={"status": "settled"}))
            counted += 1
        stop = totals.stop(settings)
        self.task(task, counted=counted, stale=totals.stale, tokens=totals.tokens, stop=stop or "")
        if totals.seen is not before:
            self.set(seen={**seen, task: totals.seen})

    def settle(self, task: int) -> None:
        """Move the cursor past the settled entries."""
        wave, cursor = self.wave(task), self.tasks[task].cursor
        while cursor < len(wave) and self.ledger[wave[cursor]].status == "settled":
            cursor += 1
        self.task(task, cursor=cursor)

    def batches(self) -> Iterator[tuple[LedgerEntry, ...]]:
        """Yield each batch whose entries are all counted and mark its opened entries as extracting."""
        for task in sorted(self.tasks):
            wave = self.wave(task)
            while self.tasks[task].stage == "following" and self.tasks[task].batched < len(wave):
                start, end = batch_around(self.tasks[task].batched, len(wave))
                if self.tasks[task].counted < end:
                    break
                self.task(task, batched=end)
                batch = [entry for key in wave[start:end] if (entry := self.ledger[key]).status == "opened"]
                for entry in batch:
                    self.put(entry.model_copy(update={"status": "extracting"}))
                if batch:
                    yield tuple(batch)

    def to_open(self, window: int) -> Iterator[LedgerEntry]:
        """Yield the entries to open now, in canonical order; at most ``window`` batches are unsettled at once."""
        following = [task for task in sorted(self.tasks) if self.tasks[task].stage == "following"]
        opening, batches = 0, 0
        for task in following:
            for statuses in self._begun(task):
                opening += statuses.count("opening")
                batches += any(status != "settled" for status in statuses)
        for task in following:
            wave = self.wave(task)
            while opening < OPENING and (position := self.tasks[task].next) < len(wave):
                start, _ = batch_around(position, len(wave))
                entry = self.ledger[wave[position]]
                if entry.status == "queued":
                    if position == start or not self._is_begun(wave[start:position]):
                        if batches >= window:
                            break
                        batches += 1
                    opening += 1
                    self.put(entry.model_copy(update={"status": "opening"}))
                    yield self.ledger[entry.key]
                self.task(task, next=position + 1)

    def _is_begun(self, keys: Sequence[str]) -> bool:
        return any(self.ledger[key].status not in ("queued", "settled") for key in keys)

    def _begun(self, task: int) -> Iterator[list[str]]:
        """Yield the entry statuses of each batch from the first unsettled entry to the last one sent to be opened."""
        state, wave = self.tasks[task], self.wave(task)
        position = state.cursor
        while position < state.next:
            start, end = batch_around(position, len(wave))
            yield [self.ledger[key].status for key in wave[start : min(end, state.next)]]
            position = end

    def _seen(self) -> Mapping[int, frozenset[str]]:
        seen: Mapping[int, frozenset[str]] = self._fields.get("seen", self._base.seen)
        return seen
