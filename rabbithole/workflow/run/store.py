"""The run store ``runs.sqlite``: everything needed to resume a run after a crash and to read it later.

It has one row per run (rewritten with every commit of the state), per ledger entry and per piece of evidence, a cache
of reasoner answers, and a record of the steps of each session. Every commit is one transaction, so a killed process
leaves the last committed state.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout
from pydantic import ValidationError

from rabbithole.kb.errors import UsageError
from rabbithole.kb.files import private_folder
from rabbithole.kb.models import Model
from rabbithole.steps.models import Evidence, Report
from rabbithole.workflow.observability.recording import Executed

from .ledger import LedgerEntry
from .run_tables import RunError, WriteGuard, open_database
from .state import DERIVED, AnswerState, Cost, Phase, ResearchState, restored

RunStatus = Literal["running", "waiting", "stopped", "failed", "done"]


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


class RunStore:
    """The runs in one ``runs.sqlite``. Thread-safe; each run is written by one process at a time."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._db = open_database(self.path)
        self._mutex = threading.Lock()
        self._locks: dict[str, FileLock] = {}

    def close(self) -> None:
        for run_id in list(self._locks):
            self.release(run_id)
        self._db.close()

    # --- locks --------------------------------------------------------------------------------------------------------
    def acquire(self, run_id: str) -> None:
        """Lock the run for this process. The operating system releases the lock when the process ends, even by a crash.

        Raises RunError if another process holds the lock.
        """
        folder = self.path.with_name(self.path.name + ".locks")
        private_folder(folder)
        lock = FileLock(folder / f"{run_id}.lock", timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout as error:
            raise RunError(f"Run {run_id} is being worked on already; stop it there or wait for it.") from error
        self._locks[run_id] = lock

    def holds(self, run_id: str) -> bool:
        """Return whether this store holds the run's lock."""
        return run_id in self._locks

    def release(self, run_id: str) -> None:
        lock = self._locks.pop(run_id, None)
        if lock is not None:
            lock.release()

    # --- writing ------------------------------------------------------------------------------------------------------
    def save(self, state: ResearchState | AnswerState, entries: Iterable[LedgerEntry] = ()) -> None:
        """Store a state and the changed ledger entries in one transaction."""
        now, kept = time.time(), DERIVED if isinstance(state, ResearchState) else None
        values = (
            state.run_id, state.query, state.mode, state.status, state.phase, now, now, state.cost.seconds,
            *_counts(state.cost), state.model_dump_json(exclude=set(kept) if kept else None),
        )  # fmt: skip
        with self._mutex, self._guarded():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR REPLACE INTO ledger VALUES (?,?,?)",
                ((state.run_id, entry.key, entry.model_dump_json()) for entry in entries),  # lazily: waves can be long
            )
            self._db.execute(
                "INSERT INTO runs (id, query, mode, status, phase, created, updated, seconds, calls, tokens, state) "
                "VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET status=excluded.status, error='', "
                "phase=excluded.phase, updated=excluded.updated, seconds=excluded.seconds, calls=excluded.calls, "
                "tokens=excluded.tokens, state=excluded.state",
                values,
            )
            self._db.execute("COMMIT")

    def put_evidence(self, run_id: str, evidence: Sequence[Evidence]) -> None:
        rows = [(run_id, item.key, item.model_dump_json()) for item in evidence]
        if rows:
            with self._mutex, self._guarded():
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT OR REPLACE INTO evidence VALUES (?,?,?)", rows)
                self._db.execute("COMMIT")

    def put_draft(self, run_id: str, attempt: int, markdown: str) -> None:
        self._write("INSERT OR REPLACE INTO drafts VALUES (?,?,?)", (run_id, attempt, markdown))

    def put_report(self, run_id: str, report: Report) -> None:
        self._write("UPDATE runs SET report=? WHERE id=?", (report.model_dump_json(), run_id))

    def put_execution(self, run_id: str, steps: Sequence[Executed]) -> None:
        """Store the record of the steps of one more session."""
        number = "(SELECT COALESCE(MAX(session), 0) + 1 FROM executions WHERE run=?)"
        text = json.dumps([one.model_dump(exclude_defaults=True) for one in steps], ensure_ascii=False)
        self._write(f"INSERT INTO executions VALUES (?, {number}, ?)", (run_id, run_id, text))

    def finish(self, run_id: str, status: RunStatus, error: str = "", cost: Cost | None = None) -> None:
        """Record how a session ended and, if given, its cost including calls after the last commit."""
        self._write("UPDATE runs SET status=?, error=?, updated=? WHERE id=?", (status, error, time.time(), run_id))
        if cost is not None:
            values = (cost.seconds, *_counts(cost), run_id)
            self._write("UPDATE runs SET seconds=?, calls=?, tokens=? WHERE id=?", values)

    # --- reading ------------------------------------------------------------------------------------------------------
    def mode(self, run_id: str) -> str:
        """Return the run's mode: ``research``, ``plain`` or ``answer``. Raises UsageError for an unknown run."""
        return str(self._row(run_id, "mode"))

    def load_answer(self, run_id: str) -> AnswerState:
        """Return the stored state of an answer. Raises UsageError if the run is unknown or is research."""
        if self.mode(run_id) != "answer":
            raise UsageError(f"Run {run_id} is research, not an answer.")
        return AnswerState.model_validate_json(self._row(run_id, "state"))

    def load(self, run_id: str) -> ResearchState:
        """Return the stored state of a research run, ready to resume.

        Raises UsageError if the run is unknown or an answer, RunError if another version saved it in another form.
        """
        if self.mode(run_id) == "answer":
            raise UsageError(f"Run {run_id} is an answer, not research.")
        stored = self._row(run_id, "state")
        entries = self._db.execute("SELECT entry FROM ledger WHERE run=? ORDER BY key", (run_id,)).fetchall()
        try:
            state = ResearchState.model_validate_json(stored)
            return restored(state, [LedgerEntry.model_validate_json(entry) for (entry,) in entries])
        except ValidationError as error:
            raise RunError(
                f"Run {run_id} was saved by another version and cannot be continued; start a new run of its question."
            ) from error

    def evidence(self, run_id: str, keys: Sequence[str]) -> tuple[Evidence, ...]:
        """Return the pieces of evidence with these keys, in the same order; unknown keys are left out."""
        found: dict[str, Evidence] = {}
        for at in range(0, len(keys), 500):
            part = list(keys[at : at + 500])
            marks = ",".join("?" * len(part))
            with self._mutex:
                rows = self._db.execute(
                    f"SELECT key, row FROM evidence WHERE run=? AND key IN ({marks})", [run_id, *part]
                ).fetchall()
            found.update({key: Evidence.model_validate_json(row) for key, row in rows})
        return tuple(found[key] for key in keys if key in found)

    def documents(self, run_id: str) -> tuple[str, ...]:
        """Return the ids of the documents in which a run found evidence."""
        query = "SELECT DISTINCT json_extract(row, '$.document') FROM evidence WHERE run=?"
        return tuple(str(found) for (found,) in self._db.execute(query, (run_id,)).fetchall())

    def draft(self, run_id: str, attempt: int) -> str:
        """Return the writer's Markdown of this attempt, or '' if there is none."""
        with self._mutex:
            row = self._db.execute(
                "SELECT markdown FROM drafts WHERE run=? AND attempt=?", (run_id, attempt)
            ).fetchone()
        return str(row[0]) if row else ""

    def executions(self, run_id: str) -> tuple[tuple[Executed, ...], ...]:
        """Return the recorded steps of each ended session, in order."""
        rows = self._db.execute("SELECT steps FROM executions WHERE run=? ORDER BY session", (run_id,)).fetchall()
        return tuple(tuple(Executed.model_validate(one) for one in json.loads(steps)) for (steps,) in rows)

    def report(self, run_id: str) -> Report | None:
        """Return the finished report of a run, or None if there is none yet."""
        stored = self._row(run_id, "report")
        return Report.model_validate_json(stored) if stored else None

    def list(self) -> tuple[RunInfo, ...]:
        """Return all runs, newest first."""
        columns = "id, query, mode, status, phase, created, updated, seconds, calls, tokens, error"
        rows = self._db.execute(f"SELECT {columns} FROM runs ORDER BY created DESC, id").fetchall()
        names = columns.split(", ")
        return tuple(RunInfo.model_validate(dict(zip(names, row, strict=True))) for row in rows)

    def prune(self, *, older_than_days: float = 0.0, unfinished: bool = False) -> tuple[str, ...]:
        """Delete finished runs last updated more than this many days ago; return their ids.

        ``unfinished`` also deletes runs that are not done. A run that a process is working on is kept.
        """
        limit = time.time() - older_than_days * 86_400
        gone = [one.id for one in self.list() if one.updated < limit and (unfinished or one.status == "done")]
        deleted = [run_id for run_id in gone if self.delete(run_id)]
        if deleted and not self.list():
            self._write("DELETE FROM reasoner_cache", ())
        return tuple(deleted)

    def delete(self, run_id: str) -> bool:
        """Delete a run and everything stored with it. Return False if another process is working on it."""
        try:
            self.acquire(run_id)
        except RunError:
            return False
        for table in ("evidence", "ledger", "drafts", "executions"):
            self._write(f"DELETE FROM {table} WHERE run=?", (run_id,))
        self._write("DELETE FROM runs WHERE id=?", (run_id,))
        self.release(run_id)
        return True

    # --- cache of reasoner answers ------------------------------------------------------------------------------------
    def get_answer(self, key: str) -> str | None:
        with self._mutex:
            row = self._db.execute("SELECT answer FROM reasoner_cache WHERE key=?", (key,)).fetchone()
        return row[0] if row else None

    def put_answer(self, key: str, answer: str) -> None:
        self._write("INSERT OR REPLACE INTO reasoner_cache VALUES (?,?,?)", (key, answer, time.time()))

    # --- below --------------------------------------------------------------------------------------------------------
    def _row(self, run_id: str, column: Literal["mode", "state", "report"]) -> Any:
        row = self._db.execute(f"SELECT {column} FROM runs WHERE id=?", (run_id,)).fetchone()
        if row is None:
            raise UsageError(f"There is no run {run_id!r} in {self.path}; `rabbithole runs` lists them.")
        return row[0]

    def _write(self, statement: str, values: Sequence[object]) -> None:
        with self._mutex, self._guarded():
            self._db.execute(statement, list(values))

    def _guarded(self) -> WriteGuard:
        return WriteGuard(self._db, self.path)


def _counts(cost: Cost) -> tuple[int, int]:
    """Return the total numbers of calls and tokens."""
    every = cost.by_purpose.values()
    return sum(one.calls for one in every), sum(one.prompt_tokens + one.output_tokens for one in every)


def new_run_id() -> str:
    """Return a random id of twelve hexadecimal digits."""
    return uuid.uuid4().hex[:12]
