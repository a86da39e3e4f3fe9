"""What stands around the flow of an answer: its run taken and given free, its state committed, its reasoner.

The steps themselves are in ``answer.py``. Each commit holds the event that comes next: a run goes on from any moment.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, TypeVar

from workflows import Context, Workflow
from workflows.events import Event
from workflows.handler import WorkflowHandler

from ..kb.errors import UsageError
from ..kb.knowledge_base import KnowledgeBase
from ..steps.answering.reading import Answering
from ..steps.answering.settings import AnswerSettings
from ..steps.reasoning.factory import amake_reasoner
from ..steps.reasoning.protocol import Reasoner
from ..steps.reasoning.recorder import Recorder
from ..steps.reasoning.settings import ReasonerSettings
from ..steps.settings import ResearchSettings
from .answer_events import AnswerClarification, AnswerRequest, ToolUsed
from .answer_state import AnswerState
from .beginning import default_runs, ended_as
from .runs import RunStatus, RunStore, new_run_id
from .sitting import added
from .state import Cost
from .traces import TraceStore

Ctx = Context[AnswerState]
Part = TypeVar("Part")
Next = TypeVar("Next", bound=Event)


class AnswerSitting:
    """One process working on one answer; costs of earlier sittings are carried on."""

    def __init__(self, reasoner: Reasoner, state: AnswerState) -> None:
        self.recorder = Recorder()
        self.reasoner = reasoner.for_run(self.recorder)
        self._before = state.cost
        self._begun = time.monotonic()

    @property
    def cost(self) -> Cost:
        return Cost(
            by_purpose=added(self._before.by_purpose, self.recorder.by_purpose),
            seconds=self._before.seconds + time.monotonic() - self._begun,
            model_seconds=self._before.model_seconds + self.recorder.model_seconds,
            notes=tuple(dict.fromkeys((*self._before.notes, *self.recorder.notes))),
        )


class AnswerHost(Workflow):
    """A workflow whose runs live in a ``RunStore`` and leave a trace."""

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
        super().__init__(timeout=None, **options)
        self.kb = kb
        self.settings = settings or AnswerSettings()
        self.research = research or ResearchSettings()
        self.runs = runs or default_runs(kb, self.research)
        self.traces = traces or TraceStore(self.runs.path.with_name("traces"))
        self._reasoner = reasoner  # None: chosen when the first run begins, because that may ask a server
        self._sittings: dict[str, AnswerSitting] = {}
        self._watching: set[asyncio.Task[None]] = set()

    async def at(self, state: AnswerState) -> AnswerSitting:
        """This process's sitting of a run; a server that restarted begins a new one."""
        if state.run_id not in self._sittings:
            self._reasoner = self._reasoner or await amake_reasoner(ReasonerSettings(), self.kb)
            if not self.runs.holds(state.run_id):
                self.runs.acquire(state.run_id)
            self._sittings[state.run_id] = AnswerSitting(self._reasoner, state)
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

    def run(
        self, ctx: Context[Any] | None = None, start_event: Any = None, *, run_id: str | None = None, **fields: Any
    ) -> WorkflowHandler:
        """Start or resume an answer. ``handler.run_id`` is the run's id in the store, unless a server has its own."""
        if ctx is not None and start_event is None and not fields:  # a server takes up what it was doing
            return self._watched(super().run(ctx=ctx, run_id=run_id), None)
        request = start_event or AnswerRequest(**fields)
        request = request.model_copy(update={"run_id": request.run_id or new_run_id()})
        # The runtime never forgets an id, and a run may be resumed in the process that began it.
        handler = super().run(ctx=ctx, start_event=request, run_id=run_id or f"{request.run_id}-{new_run_id()}")
        if run_id is None:
            handler.run_id = request.run_id
        return self._watched(handler, request.run_id)

    def _watched(self, handler: WorkflowHandler, run_id: str | None) -> WorkflowHandler:
        watch = asyncio.create_task(self._watch(handler, run_id))
        self._watching.add(watch)
        watch.add_done_callback(self._watching.discard)
        return handler

    async def settled(self) -> None:
        """Wait until the runs of this workflow that have ended are noted and given free in the store."""
        await asyncio.gather(*self._watching)

    async def _watch(self, handler: WorkflowHandler, run_id: str | None) -> None:
        """Note how the sitting ended and give the run free, whatever the end was."""
        result = asyncio.ensure_future(handler.stop_event_result())
        result.add_done_callback(lambda task: task.cancelled() or task.exception())  # looked at, even at shutdown
        await asyncio.wait([result])
        status, error = ended_as(result)
        run_id = run_id or (await handler.ctx.store.get_state()).run_id
        if self.runs.holds(run_id) and run_id in self._sittings:
            self.runs.finish(run_id, status, error)
            self.runs.release(run_id)
        self._sittings.pop(run_id, None)


def held(value: Part | None) -> Part:
    """A part of the state that the order of the steps guarantees."""
    if value is None:
        raise UsageError("The answer was taken up in the middle; start it again.")
    return value
