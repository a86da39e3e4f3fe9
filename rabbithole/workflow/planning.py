"""Planning: the steps before digging, in which a person may be asked, first what is meant and then about the plan.

They run in sequence. A step that asks a person ends with the question; the reply is an event of its own.
"""

from __future__ import annotations

from workflows import step

from rabbithole.steps.models import Round
from rabbithole.steps.phases import plan, understand
from rabbithole.steps.phases.convergence import Ending, conversation_ended
from rabbithole.steps.phrases import phrase
from rabbithole.steps.settings import ResearchSettings

from .events import (
    ClarificationAnswered,
    ClarificationRequested,
    PhaseChanged,
    PlanApproved,
    PlanMade,
    PlanProposed,
    PlanSettled,
    QueryUnderstood,
    QuestionsReopened,
    RetrievalDone,
    RoundStarted,
    TaskStarted,
    Warned,
)
from .research_session import ResearchContext, ResearchSession
from .run.edit import StateEdit
from .run.reducer import started
from .run.run_workflow import RunWorkflow
from .run.start import can_reopen
from .run.state import OpenQuestion, ResearchState

UNASKED = "unasked"
"""Id of the streamed approval of a plan that nobody was asked about, to be shown."""


class Planning(RunWorkflow[ResearchState, ResearchSession]):
    """The part of ``ResearchWorkflow`` that fixes the question and makes the plan."""

    settings: ResearchSettings

    # --- 1 understand -------------------------------------------------------------------------------------------------
    @step
    async def understand(
        self, ctx: ResearchContext, ev: RoundStarted
    ) -> ClarificationRequested | QueryUnderstood | TaskStarted:
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
        self, ctx: ResearchContext, ev: ClarificationAnswered
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
    async def reopened(self, ctx: ResearchContext, ev: QuestionsReopened) -> ClarificationRequested | None:
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
        self, ctx: ResearchContext, state: ResearchState, rounds: tuple[Round, ...], ended: Ending
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
    async def plan(self, ctx: ResearchContext, ev: QueryUnderstood) -> PlanProposed | PlanMade | PlanSettled:
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
    async def approve(self, ctx: ResearchContext, ev: PlanApproved) -> PlanSettled | None:
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
