"""What stands around the flow of a research: runs taken and given free, states committed, sittings, events sent.

The steps themselves are in ``research.py``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from workflows import Context, Workflow
from workflows.events import Event
from workflows.handler import WorkflowHandler

from ..kb.knowledge_base import KnowledgeBase
from ..steps.reasoning.protocol import Reasoner
from ..steps.settings import ResearchSettings
from .beginning import default_runs, ended_as
from .draft import Draft
from .dumps import dump_state
from .events import ReferenceSeen, ResearchRequest, TaskProgress
from .runs import RunError, RunStore, new_run_id
from .sitting import Sitting
from .state import ResearchState
from .telemetry import install_if_configured

log = logging.getLogger(__name__)

STREAMED = (TaskProgress, ReferenceSeen)
Ctx = Context[ResearchState]


class Host(Workflow):
    """A workflow whose runs live in a ``RunStore``. One writer at a time commits; see ``_commit``."""

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: ResearchSettings | None = None,
        reasoner: Reasoner | None = None,
        runs: RunStore | None = None,
        **options: Any,
    ) -> None:
        install_if_configured()
        super().__init__(timeout=None, **options)
        self.kb = kb
        self.settings = settings or ResearchSettings()
        self.runs = runs or default_runs(kb, self.settings)
        self._reasoner = reasoner  # None: chosen when the first run begins, because that may ask a server
        self._sittings: dict[str, Sitting] = {}
        self._watching: set[asyncio.Task[None]] = set()

    @property
    def reasoner(self) -> Reasoner:
        """The reasoner of all runs; each run has its own view of it (see ``Sitting``)."""
        if self._reasoner is None:
            # The runtime looks at every attribute and passes over those that raise AttributeError.
            raise AttributeError("the reasoner is chosen when the first run begins, and none has begun")
        return self._reasoner

    async def _commit(self, ctx: Ctx, draft: Draft) -> None:
        """Store first, set second: what the context knows is never ahead of what survives."""
        sitting = self._at(draft.state)
        draft.set(cost=sitting.cost)
        ctx.write_event_to_stream(sitting.metrics)
        state = draft.state
        self.runs.save(state, draft.changed.values())
        sitting.state = state
        if draft.phase_changed:
            log.info("run=%s phase=%s seconds=%.1f", state.run_id, state.phase, state.cost.seconds)
            dump_state(state, self.settings)
        await ctx.store.set_state(state)

    async def _state(self, ctx: Ctx) -> ResearchState:
        """The whole state. A runtime that keeps states outside the process keeps this one without its ledger."""
        state = await ctx.store.get_state()
        return self._at(state).state

    def _at(self, state: ResearchState) -> Sitting:
        """This process's sitting of a run; a server that restarted goes on from the run store."""
        if state.run_id not in self._sittings:
            self.runs.acquire(state.run_id)
            stored = self.runs.load(state.run_id)
            self._sittings[state.run_id] = Sitting(self.kb, self.reasoner, self.settings, self.runs, stored)
        return self._sittings[state.run_id]

    def _emit(self, ctx: Ctx, events: Sequence[Event]) -> Any:
        """Show what is for the person, send all but the last of the rest, return that one."""
        routed = []
        for event in events:
            if isinstance(event, STREAMED):
                ctx.write_event_to_stream(event)
            else:
                routed.append(event)
        for event in routed[:-1]:
            ctx.send_event(event)
        return routed[-1] if routed else None

    def run(
        self, ctx: Context[Any] | None = None, start_event: Any = None, *, run_id: str | None = None, **fields: Any
    ) -> WorkflowHandler:
        """Start or resume a research. ``handler.run_id`` is the run's id in the store, unless a server brings its own.

        Raises ``RunError`` when another process works on the run.
        """
        if ctx is not None and start_event is None and not fields:  # a server takes up what it was doing
            return self._watched(super().run(ctx=ctx, run_id=run_id), None)
        request = start_event or ResearchRequest(**fields)
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
        sitting = self._sittings.pop(run_id, None)
        if sitting is not None:
            sitting.ahead.close()
        if self.runs.holds(run_id):
            try:
                self.runs.finish(run_id, status, error, sitting.cost if sitting and status != "done" else None)
            except RunError as unsaved:  # a full disk: the run's own error has been said already
                log.warning("run=%s ended as %s, which could not be noted: %s", run_id, status, unsaved)
            finally:
                self.runs.release(run_id)
