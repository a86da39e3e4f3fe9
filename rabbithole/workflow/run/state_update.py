"""A draft of the next state: copies only what it touches, knows what changed. Used by the one writer of a phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rabbithole.steps.models import Todo, TodoStatus
from rabbithole.steps.settings import ResearchSettings

from .compressed_entries import PackedLedger, keys_of
from .ledger import LedgerEntry, Settler, Settling
from .state import ResearchState, TaskState

BATCH = 8  # references followed together at most


def batch_around(position: int, length: int) -> tuple[int, int]:
    """Start and end of the batch of a wave of this length that holds ``position``: few batches, all of one size."""
    size = -(-length // -(-length // BATCH))
    start = position - position % size
    return start, min(start + size, length)


class Draft:
    """Copy-on-write edit of a state. ``state`` is the result, ``changed`` the ledger entries to store."""

    def __init__(self, state: ResearchState) -> None:
        self._fields: dict[str, Any] = {}
        self._base = state
        self._ledger: PackedLedger | None = None
        self._tasks: dict[int, TaskState] | None = None
        self.changed: dict[str, LedgerEntry] = {}

    @property
    def ledger(self) -> PackedLedger:
        if self._ledger is None:
            self._ledger = PackedLedger(self._base.ledger)
        return self._ledger

    @property
    def tasks(self) -> dict[int, TaskState]:
        if self._tasks is None:
            self._tasks = dict(self._base.tasks)
        return self._tasks

    def set(self, **fields: Any) -> None:
        self._fields.update(fields)

    @property
    def phase_changed(self) -> bool:
        return bool(self._fields.get("phase", self._base.phase) != self._base.phase)

    def task(self, task: int, **fields: Any) -> TaskState:
        self.tasks[task] = self.tasks[task].model_copy(update=fields)
        return self.tasks[task]

    def put(self, entry: LedgerEntry) -> None:
        self.changed[entry.key] = entry
        self.ledger.put(entry)

    def mark(self, task: int, status: TodoStatus) -> None:
        """Show a task's status in the to-do list."""
        todos: Sequence[Todo] = self._fields.get("todos", self._base.todos)
        self.set(todos=tuple(one.model_copy(update={"status": status}) if one.id == task else one for one in todos))

    def warn(self, *texts: str) -> None:
        warnings = self._fields.get("warnings", self._base.warnings)
        self.set(warnings=tuple(dict.fromkeys((*warnings, *texts))))

    @property
    def state(self) -> ResearchState:
        update = dict(self._fields)
        if self._ledger is not None:
            update["ledger"] = self._ledger
        if self._tasks is not None:
            update["tasks"] = self._tasks
        return self._base.model_copy(update=update)

    def wave(self, task: int) -> tuple[str, ...]:
        """Keys of the task's current wave to follow, in order."""
        waves: Mapping[int, tuple[str, ...]] = self._fields.get("waves", self._base.waves)
        return waves.get(task, ())

    # --- waves --------------------------------------------------------------------------------------------------------
    def open_wave(self, task: int, depth: int, entries: Sequence[LedgerEntry]) -> None:
        """Take a gated wave into the ledger; the task then follows what is to be followed, in order."""
        for entry in entries:
            self.put(entry)
        wave = tuple(entry.key for entry in entries if entry.wanted)
        self.set(waves={**self._fields.get("waves", self._base.waves), task: wave})
        self.set(known={**self._fields.get("known", self._base.known), task: self._seen(task)})
        self.task(task, stage="following", depth=depth, cursor=0, next=0)

    def _seen(self, task: int) -> frozenset[str]:
        seen: frozenset[str] = self._fields.get("seen", self._base.seen).get(task, frozenset())
        return seen

    def settle_wave(self, task: int, settings: ResearchSettings, language: str) -> None:
        """Settle results as far as all before them are known; a stop closes the rest of the wave."""
        state = self.tasks[task]
        wave = self.wave(task)
        before = self._seen(task)
        settler = Settler(Settling(seen=before, stale=state.stale, tokens=state.tokens), settings, language)
        cursor = state.cursor
        while cursor < len(wave):
            entry = self.ledger[wave[cursor]]
            if entry.status not in ("resolved", "settled") and settler.stop is None:
                break
            if entry.status != "settled":
                self.put(settler.settle(entry))
            cursor += 1
        totals = settler.totals
        self.task(task, cursor=cursor, stale=totals.stale, tokens=totals.tokens, stop=settler.stop or "")
        if totals.seen is not before:
            self.set(seen={**self._fields.get("seen", self._base.seen), task: totals.seen})

    def send_out(self, window: int) -> list[tuple[LedgerEntry, ...]]:
        """Batches of entries to follow now: canonical order over all tasks, no more than ``window`` in flight.

        A batch is always the same part of a wave, whatever was running when a run was interrupted: what is read
        together makes one prompt, and the answer to it may be known already.
        """
        sent: list[tuple[LedgerEntry, ...]] = []
        free = window - sum(self._running(task) for task in self.tasks)
        for task in sorted(self.tasks):
            wave = self.wave(task)
            while free > 0 and self.tasks[task].stage == "following" and self.tasks[task].next < len(wave):
                start, end = batch_around(self.tasks[task].next, len(wave))
                self.task(task, next=end)
                batch = [self.ledger[key] for key in wave[start:end]]
                queued = [entry for entry in batch if entry.status == "queued"]
                if queued:
                    for entry in queued:
                        self.put(entry.model_copy(update={"status": "running"}))
                    sent.append(tuple(self.ledger[entry.key] for entry in queued))
                    free -= 1
        return sent

    def _running(self, task: int) -> int:
        """Batches of this task under way."""
        state = self.tasks[task]
        if state.stage != "following":
            return 0
        wave = self.wave(task)
        at, running = state.cursor, 0
        while at < state.next:
            start, at = batch_around(at, len(wave))
            running += any(self.ledger[key].status == "running" for key in wave[start:at])
        return running

    def wave_done(self, task: int) -> bool:
        wave = self.wave(task)
        return self.tasks[task].stage == "following" and self.tasks[task].cursor >= len(wave)


def restored(state: ResearchState, entries: Iterable[LedgerEntry]) -> ResearchState:
    """A saved state ready to go on: what was running is queued again; waves and seen sections are derived."""
    ledger = PackedLedger()
    for entry in entries:
        ledger.put(_requeued(entry))
    waves: dict[int, tuple[str, ...]] = {}
    seen: dict[int, frozenset[str]] = {}
    known: dict[int, frozenset[str]] = {}
    tasks = dict(state.tasks)
    for task, one in state.tasks.items():
        own = [ledger[key] for key in keys_of(ledger, task)]
        waves[task] = tuple(entry.key for entry in own if entry.depth == one.depth and entry.wanted)
        settled = [entry for entry in own if entry.status == "settled"]
        seen[task] = frozenset((*one.sections, *(section for entry in settled for section in entry.sections)))
        earlier = (section for entry in settled if entry.depth < one.depth for section in entry.sections)
        known[task] = frozenset((*one.sections, *earlier))
        tasks[task] = one.model_copy(update={"next": one.cursor})
    return state.model_copy(update={"ledger": ledger, "waves": waves, "seen": seen, "known": known, "tasks": tasks})


def _requeued(entry: LedgerEntry) -> LedgerEntry:
    return entry.model_copy(update={"status": "queued"}) if entry.status == "running" else entry
