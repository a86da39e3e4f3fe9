"""The research workflow: five phases; each step takes an event, calls a phase and emits the next event.

The steps before digging are in ``planning``, the concurrent ones in ``digging``. Only one step writes the state at a
time: before and after digging the steps run in sequence. Every change is stored before it is set in the context, so a
run can be resumed at any point.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from workflows import step

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings

from .digging import Digging
from .events import (
    ClarificationRequested,
    DigFinished,
    DraftAccepted,
    DraftWritten,
    EvidenceValidated,
    PhaseChanged,
    PlainRequested,
    PlanProposed,
    PlanSettled,
    QualityAssessed,
    ReportReady,
    ReportToken,
    ResearchRequest,
    RewriteRequested,
    RoundStarted,
    TaskStarted,
    Warned,
)
from .ledger import LedgerEntry
from .planning import Planning
from .report import validation
from .report.plain_search import search_plainly
from .research_session import ResearchContext, ResearchSession
from .run.edit import StateEdit
from .run.reducer import Change, started
from .run.resources import Kb, Reasoners, Runs
from .run.run_store import RunStore
from .run.start import begin_state, next_events
from .run.state import ResearchState
from .run.state_dump import dump_state

log = logging.getLogger(__name__)


class ResearchWorkflow(Planning, Digging):
    """Research on one knowledge base. ``runs`` stores state, evidence and reasoner answers; see ``RunStore``."""

    request = ResearchRequest

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: ResearchSettings | None = None,
        reasoner: Reasoner | None = None,
        runs: RunStore | None = None,
        **options: Any,
    ) -> None:
        self.settings = settings or ResearchSettings()
        super().__init__(kb, self.settings, reasoner, runs, **options)

    def open_session(self, kb: KnowledgeBase, state: ResearchState, reasoner: Reasoner) -> ResearchSession:
        session = ResearchSession(kb, reasoner, self.settings, self.runs, state)
        if state.phase != "done":
            session.prefetch.warm()
        return session

    def load(self, run_id: str) -> ResearchState:
        return self.runs.load(run_id)

    def next_events(self, state: ResearchState) -> Change[ResearchState]:
        return next_events(state, self.settings, self.runs)

    async def commit(
        self, ctx: ResearchContext, state: ResearchState, entries: Sequence[LedgerEntry] = ()
    ) -> ResearchState:
        """Commit, and note which references are being opened, for ``gathered`` to wait for."""
        before = (await ctx.store.get_state()).phase
        state = await super().commit(ctx, state, entries)
        self.session(state).opening.update(entry.key for entry in entries if entry.status == "opening")
        if state.phase != before:
            log.info("run=%s phase=%s seconds=%.1f", state.run_id, state.phase, state.cost.seconds)
            dump_state(state, self.settings)
        return state

    # --- start, resume ------------------------------------------------------------------------------------------------
    @step
    async def begin(
        self, ctx: ResearchContext, ev: ResearchRequest, kb: Kb, runs: Runs, reasoners: Reasoners
    ) -> RoundStarted | PlainRequested | ClarificationRequested | PlanProposed | ReportReady | None:
        """Start a run, or resume a stored one from its phase, asking an open question again."""
        if ev.resume:
            return await self.resume(ctx, ev.run_id)
        reasoner = await reasoners.get()
        state = await begin_state(runs, kb, reasoner, self.settings, ev)
        self.open(state, reasoner)
        await self.commit(ctx, state)
        return PlainRequested() if ev.mode == "plain" else RoundStarted()

    # --- 1 understand, 2 plan (see ``planning``), 3 dig (see ``digging``), validate -----------------------------------
    @step
    async def start_tasks(self, ctx: ResearchContext, ev: PlanSettled) -> TaskStarted | None:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="dig"))
        change = started(state.model_copy(update={"phase": "dig"}), [todo.id for todo in state.todos])
        await self.commit(ctx, change.state)
        self.send(ctx, change.events)
        return None

    @step
    async def validate_evidence(self, ctx: ResearchContext, ev: DigFinished, runs: Runs) -> EvidenceValidated:
        ctx.write_event_to_stream(PhaseChanged(phase="validate"))
        edit = StateEdit(await self.state(ctx))
        for note in await validation.validate_evidence(edit, self.settings, runs):
            ctx.write_event_to_stream(Warned(text=note))
        edit.set(phase="write")
        await self.commit(ctx, edit.state)
        return EvidenceValidated()

    @step
    async def answer_plainly(self, ctx: ResearchContext, ev: PlainRequested, runs: Runs) -> EvidenceValidated:
        edit = StateEdit(await self.state(ctx))
        session = self.session(edit.state)
        await search_plainly(edit, session.kb, session.reasoner, self.settings, runs)
        edit.set(phase="write")
        await self.commit(ctx, edit.state)
        return EvidenceValidated()

    # --- 4 write and check --------------------------------------------------------------------------------------------
    @step
    async def write(self, ctx: ResearchContext, ev: EvidenceValidated | RewriteRequested, runs: Runs) -> DraftWritten:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="write"))
        text = ""
        async for piece in self.session(state).reporting.drafts.write(state):
            text += piece
            ctx.write_event_to_stream(ReportToken(text=piece, attempt=state.attempt))
        runs.put_draft(state.run_id, state.attempt, text)
        edit = StateEdit(state)
        edit.set(phase="check")
        await self.commit(ctx, edit.state)
        return DraftWritten(attempt=state.attempt)

    @step
    async def check(self, ctx: ResearchContext, ev: DraftWritten) -> QualityAssessed:
        ctx.write_event_to_stream(PhaseChanged(phase="check"))
        state = await self.state(ctx)
        session = self.session(state)
        await session.reporting.drafts.attributed(state, state.attempt)
        session.background.begin(("support", state.attempt), session.reporting.drafts.weigh(state))
        quality = await session.reporting.drafts.assess(state)
        return QualityAssessed(quality=quality, attempt=ev.attempt)

    @step
    async def remedy(self, ctx: ResearchContext, ev: QualityAssessed) -> RewriteRequested | DraftAccepted:
        edit = StateEdit(await self.state(ctx))
        ctx.write_event_to_stream(ev)
        focus = await self.session(edit.state).reporting.drafts.remedy(edit, ev.quality)
        await self.commit(ctx, edit.state)
        return RewriteRequested(focus=focus) if focus else DraftAccepted()

    # --- 5 attribute --------------------------------------------------------------------------------------------------
    @step
    async def attribute(self, ctx: ResearchContext, ev: DraftAccepted, runs: Runs) -> ReportReady:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="attribute"))
        session = self.session(state)
        weighed = await (session.background.take(("support", state.attempt)) or session.reporting.drafts.weigh(state))
        report = await session.reporting.report(state.model_copy(update={"cost": session.cost}), weighed)
        runs.put_report(state.run_id, report)
        edit = StateEdit(state)
        edit.set(phase="done")
        await self.commit(ctx, edit.state)
        return ReportReady(report=report)
