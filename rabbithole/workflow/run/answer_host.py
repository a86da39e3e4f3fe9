"""What stands around the flow of an answer: its run taken up, its state committed, its reasoner.

The steps themselves are in ``answer.py``. Each commit holds the event that comes next: a run goes on from any moment.
"""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from workflows import Context
from workflows.events import Event

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.answering.reading import Answering
from rabbithole.steps.answering.settings import AnswerSettings
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.answer_events import AnswerClarification, AnswerRequest, ToolUsed
from rabbithole.workflow.observability.traces import TraceStore

from .answer_state import AnswerState
from .run_host import RunHost
from .session import Account
from .store import RunStatus, RunStore

Ctx = Context[AnswerState]
Part = TypeVar("Part")
Next = TypeVar("Next", bound=Event)


class AnswerHost(RunHost):
    """An answer's runs, which leave a trace."""

    request = AnswerRequest

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: AnswerSettings | None = None,
        reasoner: Reasoner | None = None,
        traces: TraceStore | None = None,
        research: ResearchSettings | None = None,
        runs: RunStore | None = None,
        **options: Any,
    ) -> None:
        self.settings = settings or AnswerSettings()
        self.research = research or ResearchSettings()
        super().__init__(kb, self.research, reasoner, runs, **options)
        self.traces = traces or TraceStore(self.runs.path.with_name("traces"))
        self._sittings: dict[str, Account] = {}

    async def at(self, state: AnswerState) -> Account:
        """This process's sitting of a run; a server that restarted begins a new one."""
        if state.run_id not in self._sittings:
            self._reasoner = self._reasoner or await amake_reasoner(ReasonerSettings(), self.kb)
            if not self.runs.holds(state.run_id):
                self.runs.acquire(state.run_id)
            self._sittings[state.run_id] = Account(self._reasoner, state.cost)
        return self._sittings[state.run_id]

    async def work(self, state: AnswerState) -> Answering:
        """What the phases work with in this run."""
        return Answering(
            kb=self.kb,
            reasoner=(await self.at(state)).reasoner,
            settings=self.settings,
            research=self.research,
            anchor=held(state.anchor),
        )

    async def go(self, ctx: Ctx, state: AnswerState, event: Next, **changes: Any) -> Next:
        """Commit a state together with the event that comes next, and hand out that event."""
        await self.commit(ctx, state, event, **changes)
        return event

    async def commit(self, ctx: Ctx, state: AnswerState, event: Event | None, **changes: Any) -> AnswerState:
        """Store first, set second; stream what the trace gained, keep the trace on disk."""
        cost = (await self.at(state)).cost
        new = state.model_copy(update={**changes, "cost": cost}).going_on_with(event)
        status: RunStatus = "waiting" if isinstance(event, AnswerClarification) else "running" if event else "done"
        await asyncio.to_thread(
            self.runs.put_answer_state,
            new.run_id,
            new.query,
            new.model_dump_json(),
            status=status,
            phase=new.phase,
            cost=cost,
        )
        before = len(state.tree.trace) if state.tree else 0
        for entry in new.tree.trace[before:] if new.tree else ():
            ctx.write_event_to_stream(ToolUsed(**entry.model_dump()))
        await ctx.store.set_state(new)
        if new.tree is not None and event is not None:
            await asyncio.to_thread(self.traces.save, new.run_id, new.tree)
        return new

    def taken_up(self, run_id: str, *, interactive: bool) -> AnswerState:
        """The stored state of a run, taken. Raises UsageError for an unknown run, RunError while it is worked on."""
        stored = AnswerState.model_validate_json(self.runs.answer_state(run_id))
        self.runs.acquire(run_id)
        return stored.model_copy(update={"interactive": interactive})

    def _ended(self, run_id: str, status: RunStatus, error: str) -> None:
        if self.runs.holds(run_id) and run_id in self._sittings:
            self._give_free(run_id, status, error)
        self._sittings.pop(run_id, None)


def held(value: Part | None) -> Part:
    """A part of the state that the order of the steps guarantees."""
    if value is None:
        raise UsageError("The answer was taken up in the middle; start it again.")
    return value
