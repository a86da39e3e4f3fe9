"""The research workflow: five phases; each step takes an event, calls a phase and emits the next event.

Only one step writes the state at a time: before and after digging the steps run in sequence, and the concurrent ones
are in ``digging``. Every change is stored before it is set in the context, so a run can be resumed at any point.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from workflows import step

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Round
from rabbithole.steps.phases import plan, understand
from rabbithole.steps.phases.convergence import Ending, conversation_ended
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings

from .digging import Ctx, Digging
from .events import (
    ClarificationAnswered,
    ClarificationRequested,
    DigFinished,
    DraftAccepted,
    DraftWritten,
    EvidenceValidated,
    PhaseChanged,
    PlainRequested,
    PlanApproved,
    PlanMade,
    PlanProposed,
    PlanSettled,
    QualityAssessed,
    QueryUnderstood,
    QuestionsReopened,
    ReportReady,
    ReportToken,
    ResearchRequest,
    RetrievalDone,
    RewriteRequested,
    RoundStarted,
    TaskStarted,
    Warned,
)
from .observability.dumps import dump_state
from .run.edit import StateEdit
from .run.ledger import LedgerEntry
from .run.reducer import Change, started
from .run.resources import Kb, Reasoners, Runs
from .run.run_store import RunStore
from .run.session import ResearchSession
from .run.start import begin_state, can_reopen, next_events
from .run.state import OpenQuestion, ResearchState

log = logging.getLogger(__name__)

UNASKED = "unasked"
"""Id of the streamed approval of a plan that nobody was asked about, to be shown."""


class ResearchWorkflow(Digging):
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

    async def commit(self, ctx: Ctx, state: ResearchState, entries: Sequence[LedgerEntry] = ()) -> ResearchState:
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
        self, ctx: Ctx, ev: ResearchRequest, kb: Kb, runs: Runs, reasoners: Reasoners
    ) -> RoundStarted | PlainRequested | ClarificationRequested | PlanProposed | ReportReady | None:
        """Start a run, or resume a stored one from its phase, asking an open question again."""
        if ev.resume:
            return await self.resume(ctx, ev.run_id)
        reasoner = await reasoners.get()
        state = await begin_state(runs, kb, reasoner, self.settings, ev)
        self.open(state, reasoner)
        await self.commit(ctx, state)
        return PlainRequested() if ev.mode == "plain" else RoundStarted()

    # --- 1 understand -------------------------------------------------------------------------------------------------
    @step
    async def understand(self, ctx: Ctx, ev: RoundStarted) -> ClarificationRequested | QueryUnderstood | TaskStarted:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="understand", detail=str(len(state.rounds) + 1)))
        reasoner, ask = self.session(state).reasoner, not state.auto_approve
        looked = await understand.look(
            self.session(state).kb,
            reasoner,
            self.settings,
            state.understood,
            state.language,
            state.rounds,
            state.collections,
            state.documents,
        )
        if not ask:
            self.session(state).prefetch.begin(state, (looked.round,))
        found = await understand.consider(reasoner, state.understood, state.language, state.rounds, looked, ask=ask)
        ctx.write_event_to_stream(RetrievalDone(round=found))
        rounds = (*state.rounds, found)
        if not found.questions or conversation_ended(rounds, self.settings) == "convergence":
            return await self._understood(ctx, state, rounds, "convergence")  # having no questions counts as converged
        question = OpenQuestion(id=f"q{state.asked + 1}", kind="clarification", questions=found.questions)
        edit = StateEdit(state)
        edit.set(rounds=rounds, question=question, asked=state.asked + 1)
        await self.commit(ctx, edit.state)
        return ClarificationRequested(id=question.id, round=found, questions=list(found.questions))

    @step(num_workers=1)  # one reply at a time, so that a second reply finds the question already answered
    async def answered(
        self, ctx: Ctx, ev: ClarificationAnswered
    ) -> RoundStarted | QueryUnderstood | TaskStarted | None:
        state = await self.state(ctx)
        if state.question is None or state.question.kind != "clarification" or state.question.id != ev.id:
            return None  # no longer open, or answered already
        self.restart_clock(ctx, state)
        said = tuple(answer for answer in ev.answers if answer.text.strip())
        rounds = (*state.rounds[:-1], state.rounds[-1].model_copy(update={"answers": said}))
        ended = conversation_ended(rounds, self.settings, end=ev.end or not said)
        if ended is not None:
            return await self._understood(ctx, state, rounds, ended)
        edit = StateEdit(state)
        edit.set(rounds=rounds, question=None)
        await self.commit(ctx, edit.state)
        return RoundStarted()

    @step(num_workers=1)
    async def reopened(self, ctx: Ctx, ev: QuestionsReopened) -> ClarificationRequested | None:
        state = await self.state(ctx)
        if state.question is None or state.question.id != ev.id or not can_reopen(state, ev.round):
            return None
        rounds = state.rounds[: ev.round + 1]
        if state.anchor is not None:
            self.session(state).prefetch.forget_question(state.anchor)
        question = OpenQuestion(id=f"q{state.asked + 1}", kind="clarification", questions=rounds[-1].questions)
        edit = StateEdit(state)
        edit.set(rounds=rounds, question=question, asked=state.asked + 1)
        edit.set(phase="understand", anchor=None, ended="", todos=())
        ctx.write_event_to_stream(PhaseChanged(phase="understand", detail=str(len(rounds))))
        await self.commit(ctx, edit.state)
        return ClarificationRequested(id=question.id, round=rounds[-1], questions=list(question.questions))

    async def _understood(
        self, ctx: Ctx, state: ResearchState, rounds: tuple[Round, ...], ended: Ending
    ) -> QueryUnderstood | TaskStarted:
        """Fix the anchor. If the plan needs no approval, start digging for the question while the plan is made."""
        anchor = await understand.conclude(self.session(state).reasoner, state.understood, state.language, rounds)
        self.session(state).prefetch.understood(anchor)
        edit = StateEdit(state)
        edit.set(rounds=rounds, question=None, anchor=anchor, ended=ended, phase="plan")
        if state.auto_approve:
            edit.set(todos=(plan.question_itself(anchor),))
        change = started(edit.state, [0] if state.auto_approve else [])
        await self.commit(ctx, change.state)
        self.send(ctx, change.events)
        return QueryUnderstood()

    # --- 2 plan -------------------------------------------------------------------------------------------------------
    @step
    async def plan(self, ctx: Ctx, ev: QueryUnderstood) -> PlanProposed | PlanMade | PlanSettled:
        """Make the plan, and propose it if the person has something to decide."""
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="plan"))
        prefetch = self.session(state).prefetch
        if state.auto_approve:
            return PlanMade(todos=list(await prefetch.proposed(state)))
        prefetch.read_question(state, state.anchored())
        todos = await plan.propose(
            self.session(state).reasoner,
            state.anchored(),
            await understand.passages_of_rounds(self.session(state).kb, state.rounds),
            self.settings,
        )
        edit = StateEdit(state)
        edit.set(todos=todos)
        if not plan.needs_approval(todos):
            await self.commit(ctx, edit.state)
            if len(todos) > 1:  # the question alone is above the report
                ctx.write_event_to_stream(PlanApproved(id=UNASKED, todos=list(todos)))
            return PlanSettled()
        edit.set(question=OpenQuestion(id=f"q{state.asked + 1}", kind="plan"), asked=state.asked + 1)
        await self.commit(ctx, edit.state)
        return PlanProposed(id=f"q{state.asked + 1}", todos=list(todos))

    @step(num_workers=1)
    async def approve(self, ctx: Ctx, ev: PlanApproved) -> PlanSettled | None:
        state = await self.state(ctx)
        if state.question is None or state.question.kind != "plan" or state.question.id != ev.id:
            return None
        todos, notes = plan.accept(state.todos, ev.todos, self.settings.todo_max_items)
        edit = StateEdit(state)
        edit.set(todos=todos, question=None)
        for key in notes:
            text = phrase(state.language, key, limit=self.settings.todo_max_items)
            edit.warn(text)
            ctx.write_event_to_stream(Warned(text=text))
        await self.commit(ctx, edit.state)
        return PlanSettled()

    # --- 3 dig (see ``digging``), validate ----------------------------------------------------------------------------
    @step
    async def start_tasks(self, ctx: Ctx, ev: PlanSettled) -> TaskStarted | None:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="dig"))
        change = started(state.model_copy(update={"phase": "dig"}), [todo.id for todo in state.todos])
        await self.commit(ctx, change.state)
        self.send(ctx, change.events)
        return None

    @step
    async def validate_evidence(self, ctx: Ctx, ev: DigFinished) -> EvidenceValidated:
        ctx.write_event_to_stream(PhaseChanged(phase="validate"))
        edit = StateEdit(await self.state(ctx))
        for note in await self.session(edit.state).reporting.validate(edit):
            ctx.write_event_to_stream(Warned(text=note))
        edit.set(phase="write")
        await self.commit(ctx, edit.state)
        return EvidenceValidated()

    @step
    async def answer_plainly(self, ctx: Ctx, ev: PlainRequested) -> EvidenceValidated:
        edit = StateEdit(await self.state(ctx))
        await self.session(edit.state).reporting.plain(edit)
        edit.set(phase="write")
        await self.commit(ctx, edit.state)
        return EvidenceValidated()

    # --- 4 write and check --------------------------------------------------------------------------------------------
    @step
    async def write(self, ctx: Ctx, ev: EvidenceValidated | RewriteRequested, runs: Runs) -> DraftWritten:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="write"))
        text = ""
        async for piece in self.session(state).reporting.write(state):
            text += piece
            ctx.write_event_to_stream(ReportToken(text=piece, attempt=state.attempt))
        runs.put_draft(state.run_id, state.attempt, text)
        edit = StateEdit(state)
        edit.set(phase="check")
        await self.commit(ctx, edit.state)
        return DraftWritten(attempt=state.attempt)

    @step
    async def check(self, ctx: Ctx, ev: DraftWritten) -> QualityAssessed:
        ctx.write_event_to_stream(PhaseChanged(phase="check"))
        state = await self.state(ctx)
        session = self.session(state)
        await session.reporting.attributed(state, state.attempt)
        session.background.begin(("support", state.attempt), session.reporting.weigh(state))
        quality = await session.reporting.assess(state)
        return QualityAssessed(quality=quality, attempt=ev.attempt)

    @step
    async def remedy(self, ctx: Ctx, ev: QualityAssessed) -> RewriteRequested | DraftAccepted:
        edit = StateEdit(await self.state(ctx))
        ctx.write_event_to_stream(ev)
        focus = await self.session(edit.state).reporting.remedy(edit, ev.quality)
        await self.commit(ctx, edit.state)
        return RewriteRequested(focus=focus) if focus else DraftAccepted()

    # --- 5 attribute --------------------------------------------------------------------------------------------------
    @step
    async def attribute(self, ctx: Ctx, ev: DraftAccepted, runs: Runs) -> ReportReady:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="attribute"))
        session = self.session(state)
        weighed = await (session.background.take(("support", state.attempt)) or session.reporting.weigh(state))
        report = await session.reporting.report(state.model_copy(update={"cost": session.cost}), weighed)
        runs.put_report(state.run_id, report)
        edit = StateEdit(state)
        edit.set(phase="done")
        await self.commit(ctx, edit.state)
        return ReportReady(report=report)
