"""The run store: the interface to everything needed to resume a run after a crash and to read it later.

``stores`` implements it on SQLite and on PostgreSQL. Who works on a run holds its lease. Each lease of a run has an
epoch, one more than the lease before, and every write checks it in its own transaction; so a process whose run was
taken over cannot write, however late it notices (Kleppmann, Designing Data-Intensive Applications, 2017, chapter 8:
fencing tokens).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from rabbithole.kb.errors import RabbitholeError
from rabbithole.kb.models import Model
from rabbithole.steps.models import Evidence
from rabbithole.steps.report_models import Report
from rabbithole.workflow.ledger import LedgerEntry
from rabbithole.workflow.run.recording import Executed

from .state import AnswerState, Cost, Phase, ResearchState

RunStatus = Literal["running", "waiting", "stopped", "failed", "done"]


class RunError(RabbitholeError):
    """A run cannot be stored, found or continued."""


class RunHeld(RunError):
    """Somebody holds the run's lease: another process, or this one in another session."""


class RunTakenOver(RunError):
    """This process no longer holds the lease of the run and may not write: the run goes on elsewhere."""


class RunStoreAway(RunError):
    """The shared database cannot be reached now; the run goes on from its last commit once it can."""


class RunInfo(Model):
    """One line of the list of runs. ``created`` and ``updated`` are seconds since the epoch."""

    id: str
    query: str
    mode: str
    status: RunStatus
    phase: Phase
    created: float
    updated: float
    seconds: float
    calls: int
    tokens: int
    error: str = ""


class RunStore(Protocol):
    """The runs of one knowledge base, and a cache of reasoner answers. Thread-safe.

    Every write is one transaction, so a killed process leaves the last one whole. Writes of a run need its lease and
    raise RunTakenOver without it. Any call raises RunStoreAway while a shared database cannot be reached.
    """

    @property
    def shared(self) -> bool:
        """Whether processes on other machines may work on these runs too."""

    def close(self) -> None:
        """Release all leases and close the store."""

    # --- leases -------------------------------------------------------------------------------------------------------
    def acquire(self, run_id: str) -> None:
        """Take the lease of a run, stored or not yet, and keep it renewed until it is released.

        Raises RunHeld if another process, or this one, holds it already.
        """

    def holds(self, run_id: str) -> bool:
        """Return whether this store holds the run's lease, as far as it knows."""

    def renew(self) -> None:
        """Renew the leases held, and give up those that have run out. A thread does it in time by itself."""

    def release(self, run_id: str) -> None:
        """Give the lease back, if it is held. If that cannot be written, it runs out by itself."""

    def orphans(self) -> tuple[str, ...]:
        """Return the runs that are under way but that nobody holds: their process ended or lost its database."""

    # --- writing ------------------------------------------------------------------------------------------------------
    def save(self, state: ResearchState | AnswerState, entries: Iterable[LedgerEntry] = ()) -> None:
        """Store a state and the changed ledger entries in one transaction."""

    def put_evidence(self, run_id: str, evidence: Sequence[Evidence]) -> None:
        """Store pieces of evidence, replacing those with the same key."""

    def put_draft(self, run_id: str, attempt: int, markdown: str) -> None:
        """Store the writer's Markdown of this attempt."""

    def put_report(self, run_id: str, report: Report) -> None:
        """Store the finished report."""

    def put_execution(self, run_id: str, steps: Sequence[Executed]) -> None:
        """Store the record of the steps of one more session."""

    def finish(self, run_id: str, status: RunStatus, error: str = "", cost: Cost | None = None) -> None:
        """Record how a session ended and, if given, its cost including calls after the last commit."""

    # --- reading ------------------------------------------------------------------------------------------------------
    def mode(self, run_id: str) -> str:
        """Return the run's mode: ``research``, ``plain`` or ``answer``. Raises UsageError for an unknown run."""

    def load_answer(self, run_id: str) -> AnswerState:
        """Return the stored state of an answer. Raises UsageError if the run is unknown or is research."""

    def load(self, run_id: str) -> ResearchState:
        """Return the stored state of a research run, ready to resume.

        Raises UsageError if the run is unknown or an answer, RunError if another version saved it in another form.
        """

    def evidence(self, run_id: str, keys: Sequence[str]) -> tuple[Evidence, ...]:
        """Return the pieces of evidence with these keys, in the same order; unknown keys are left out."""

    def documents(self, run_id: str) -> tuple[str, ...]:
        """Return the ids of the documents in which a run found evidence."""

    def draft(self, run_id: str, attempt: int) -> str:
        """Return the writer's Markdown of this attempt, or '' if there is none."""

    def executions(self, run_id: str) -> tuple[tuple[Executed, ...], ...]:
        """Return the recorded steps of each ended session, in order."""

    def report(self, run_id: str) -> Report | None:
        """Return the finished report, or None if there is none yet. Raises UsageError for an unknown run."""

    def list(self) -> tuple[RunInfo, ...]:
        """Return all runs, newest first."""

    # --- deleting -----------------------------------------------------------------------------------------------------
    def prune(self, *, older_than_days: float = 0.0, unfinished: bool = False) -> tuple[str, ...]:
        """Delete finished runs last updated more than this many days ago; return their ids.

        ``unfinished`` also deletes runs that are not done. A run whose lease somebody holds is kept.
        """

    def delete(self, run_id: str) -> bool:
        """Delete a run and everything stored with it. Return False if somebody holds its lease."""

    # --- cache of reasoner answers ------------------------------------------------------------------------------------
    def get_answer(self, key: str) -> str | None:
        """Return the cached answer, or None."""

    def put_answer(self, key: str, answer: str) -> None:
        """Cache an answer of a reasoner."""


def new_run_id() -> str:
    """Return a random id of twelve hexadecimal digits."""
    return uuid.uuid4().hex[:12]
