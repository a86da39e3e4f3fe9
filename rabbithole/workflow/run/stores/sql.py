"""What both run stores do: their rows, written and read in the SQL that SQLite and PostgreSQL share.

There is one row per run (rewritten with every commit of the state), per ledger entry and per piece of evidence, a cache
of reasoner answers, and a record of the steps of each session.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal

from pydantic import ValidationError

from rabbithole.kb.errors import UsageError
from rabbithole.steps.models import Evidence
from rabbithole.steps.report_models import Report
from rabbithole.workflow.ledger import LedgerEntry
from rabbithole.workflow.run.recording import Executed
from rabbithole.workflow.run.run_store import RunError, RunInfo, RunStatus
from rabbithole.workflow.run.state import DERIVED, AnswerState, Cost, ResearchState, restored

from .leases import SqlLeases
from .run_transaction import Rows

AT_ONCE = 500
"""Keys in one query; SQLite limits the number of values."""
PARTS = ("evidence", "ledger", "drafts", "executions")


class SqlRunStore(SqlLeases):
    """The part of ``RunStore`` that does not depend on the database. An adapter adds transactions and leases."""

    shared: ClassVar[bool]
    document_of: ClassVar[str]
    """The SQL expression for the document of a row of evidence."""

    def __init__(self, name: str, renew_seconds: float) -> None:
        """``name`` is how messages call the store; leases are renewed every ``renew_seconds``."""
        super().__init__(renew_seconds)
        self.name = name

    # --- writing ------------------------------------------------------------------------------------------------------
    def save(self, state: ResearchState | AnswerState, entries: Iterable[LedgerEntry] = ()) -> None:
        now, kept = time.time(), DERIVED if isinstance(state, ResearchState) else None
        values = (
            state.run_id, state.query, state.mode, state.status, state.phase, now, now, state.cost.seconds,
            *_counts(state.cost), state.model_dump_json(exclude=set(kept) if kept else None),
        )  # fmt: skip
        with self._holding(state.run_id) as db:
            db.many(
                "INSERT INTO ledger VALUES (?,?,?) ON CONFLICT (run, key) DO UPDATE SET entry=excluded.entry",
                ((state.run_id, entry.key, entry.model_dump_json()) for entry in entries),  # lazily: waves can be long
            )
            db.rows(
                "INSERT INTO runs (id, query, mode, status, phase, created, updated, seconds, calls, tokens, state) "
                "VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET status=excluded.status, error='', "
                "phase=excluded.phase, updated=excluded.updated, seconds=excluded.seconds, calls=excluded.calls, "
                "tokens=excluded.tokens, state=excluded.state",
                values,
            )

    def put_evidence(self, run_id: str, evidence: Sequence[Evidence]) -> None:
        if not evidence:
            return
        with self._holding(run_id) as db:
            db.many(
                'INSERT INTO evidence VALUES (?,?,?) ON CONFLICT (run, key) DO UPDATE SET "row"=excluded."row"',
                ((run_id, item.key, item.model_dump_json()) for item in evidence),
            )

    def put_draft(self, run_id: str, attempt: int, markdown: str) -> None:
        statement = (
            "INSERT INTO drafts VALUES (?,?,?) ON CONFLICT (run, attempt) DO UPDATE SET markdown=excluded.markdown"
        )
        with self._holding(run_id) as db:
            db.rows(statement, (run_id, attempt, markdown))

    def put_report(self, run_id: str, report: Report) -> None:
        with self._holding(run_id) as db:
            db.rows("UPDATE runs SET report=? WHERE id=?", (report.model_dump_json(), run_id))

    def put_execution(self, run_id: str, steps: Sequence[Executed]) -> None:
        text = json.dumps([one.model_dump(exclude_defaults=True) for one in steps], ensure_ascii=False)
        number = "(SELECT COALESCE(MAX(session), 0) + 1 FROM executions WHERE run=?)"
        with self._holding(run_id) as db:
            db.rows(f"INSERT INTO executions VALUES (?, {number}, ?)", (run_id, run_id, text))

    def finish(self, run_id: str, status: RunStatus, error: str = "", cost: Cost | None = None) -> None:
        with self._holding(run_id) as db:
            db.rows("UPDATE runs SET status=?, error=?, updated=? WHERE id=?", (status, error, time.time(), run_id))
            if cost is not None:
                values = (cost.seconds, *_counts(cost), run_id)
                db.rows("UPDATE runs SET seconds=?, calls=?, tokens=? WHERE id=?", values)

    # --- reading ------------------------------------------------------------------------------------------------------
    def mode(self, run_id: str) -> str:
        return str(self._of_run(run_id, "mode"))

    def load_answer(self, run_id: str) -> AnswerState:
        if self.mode(run_id) != "answer":
            raise UsageError(f"Run {run_id} is research, not an answer.")
        return AnswerState.model_validate_json(self._of_run(run_id, "state"))

    def load(self, run_id: str) -> ResearchState:
        if self.mode(run_id) == "answer":
            raise UsageError(f"Run {run_id} is an answer, not research.")
        stored = self._of_run(run_id, "state")
        entries = self._read("SELECT entry FROM ledger WHERE run=? ORDER BY key", (run_id,))
        try:
            state = ResearchState.model_validate_json(stored)
            return restored(state, [LedgerEntry.model_validate_json(entry) for (entry,) in entries])
        except ValidationError as error:
            raise RunError(
                f"Run {run_id} was saved by another version and cannot be continued; start a new run of its question."
            ) from error

    def evidence(self, run_id: str, keys: Sequence[str]) -> tuple[Evidence, ...]:
        found: dict[str, Evidence] = {}
        for at in range(0, len(keys), AT_ONCE):
            part = list(keys[at : at + AT_ONCE])
            marks = ",".join("?" * len(part))
            rows = self._read(f'SELECT key, "row" FROM evidence WHERE run=? AND key IN ({marks})', [run_id, *part])
            found.update({key: Evidence.model_validate_json(row) for key, row in rows})
        return tuple(found[key] for key in keys if key in found)

    def documents(self, run_id: str) -> tuple[str, ...]:
        rows = self._read(f"SELECT DISTINCT {self.document_of} FROM evidence WHERE run=?", (run_id,))
        return tuple(str(found) for (found,) in rows)

    def draft(self, run_id: str, attempt: int) -> str:
        rows = self._read("SELECT markdown FROM drafts WHERE run=? AND attempt=?", (run_id, attempt))
        return str(rows[0][0]) if rows else ""

    def executions(self, run_id: str) -> tuple[tuple[Executed, ...], ...]:
        rows = self._read("SELECT steps FROM executions WHERE run=? ORDER BY session", (run_id,))
        return tuple(tuple(Executed.model_validate(one) for one in json.loads(steps)) for (steps,) in rows)

    def report(self, run_id: str) -> Report | None:
        stored = self._of_run(run_id, "report")
        return Report.model_validate_json(stored) if stored else None

    def list(self) -> tuple[RunInfo, ...]:
        columns = "id, query, mode, status, phase, created, updated, seconds, calls, tokens, error"
        rows = self._read(f"SELECT {columns} FROM runs ORDER BY created DESC, id")
        names = columns.split(", ")
        return tuple(RunInfo.model_validate(dict(zip(names, row, strict=True))) for row in rows)

    def _of_run(self, run_id: str, column: Literal["mode", "state", "report"]) -> Any:
        rows = self._read(f"SELECT {column} FROM runs WHERE id=?", (run_id,))
        if not rows:
            raise UsageError(f"There is no run {run_id!r} in {self.name}; `rabbithole runs` lists them.")
        return rows[0][0]

    def _read(self, statement: str, values: Sequence[object] = ()) -> Rows:
        with self._reading() as db:
            return db.rows(statement, values)

    # --- deleting -----------------------------------------------------------------------------------------------------
    def prune(self, *, older_than_days: float = 0.0, unfinished: bool = False) -> tuple[str, ...]:
        limit = time.time() - older_than_days * 86_400
        gone = [one.id for one in self.list() if one.updated < limit and (unfinished or one.status == "done")]
        deleted = [run_id for run_id in gone if self.delete(run_id)]
        if deleted and not self.list():
            with self._writing() as db:
                db.rows("DELETE FROM reasoner_cache")
        return tuple(deleted)

    def delete(self, run_id: str) -> bool:
        with self._writing() as db:
            if self._take(db, run_id) is None:
                return False
            for table in (*PARTS, "leases"):
                db.rows(f"DELETE FROM {table} WHERE run=?", (run_id,))
            db.rows("DELETE FROM runs WHERE id=?", (run_id,))
        return True

    # --- cache of reasoner answers ------------------------------------------------------------------------------------
    def get_answer(self, key: str) -> str | None:
        rows = self._read("SELECT answer FROM reasoner_cache WHERE key=?", (key,))
        return rows[0][0] if rows else None

    def put_answer(self, key: str, answer: str) -> None:
        with self._writing() as db:
            db.rows(
                "INSERT INTO reasoner_cache VALUES (?,?,?) "
                "ON CONFLICT (key) DO UPDATE SET answer=excluded.answer, created=excluded.created",
                (key, answer, time.time()),
            )


def _counts(cost: Cost) -> tuple[int, int]:
    """Return the total numbers of calls and tokens."""
    every = cost.by_purpose.values()
    return sum(one.calls for one in every), sum(one.prompt_tokens + one.output_tokens for one in every)
