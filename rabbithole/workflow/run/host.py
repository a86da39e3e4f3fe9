"""What stands around the flow of a research: states committed, sittings, events sent.

The steps themselves are in ``research.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from workflows import Context
from workflows.events import Event

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.events import PhaseChanged, ReferenceSeen, ResearchRequest, TaskProgress
from rabbithole.workflow.observability.dumps import dump_state
from rabbithole.workflow.observability.telemetry import install_if_configured

from .run_host import RunHost
from .session import Sitting
from .state import ResearchState
from .state_update import Draft
from .store import RunStatus, RunStore

log = logging.getLogger(__name__)

STREAMED = (PhaseChanged, TaskProgress, ReferenceSeen)
Ctx = Context[ResearchState]


class Host(RunHost):
    """A research's runs. One writer at a time commits; see ``_commit``."""

    request = ResearchRequest

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: ResearchSettings | None = None,
        reasoner: Reasoner | None = None,
        runs: RunStore | None = None,
        **options: Any,
    ) -> None:
        install_if_configured()
        self.settings = settings or ResearchSettings()
        super().__init__(kb, self.settings, reasoner, runs, **options)
        self._sittings: dict[str, Sitting] = {}

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

    def _ended(self, run_id: str, status: RunStatus, error: str) -> None:
        sitting = self._sittings.pop(run_id, None)
        if sitting is not None:
            sitting.ahead.close()
        if self.runs.holds(run_id):
            self._give_free(run_id, status, error, sitting.cost if sitting and status != "done" else None)
