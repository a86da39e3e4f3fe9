"""The research as a whole: five phases, each step takes an event, calls a phase, emits the next event.

One writer at a time: before and after digging the steps follow one another, while digging only ``gather`` writes.
Every change of the state is a draft that is stored first and set second, so a run continues from any moment.
"""

from __future__ import annotations

from typing import cast

from workflows import catch_error, step
from workflows.events import Event, StepFailedEvent

from rabbithole.steps.models import Round
from rabbithole.steps.phases import dig, follow, plan, understand
from rabbithole.steps.phases.convergence import Ending, conversation_ended
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings

from .events import (
    BranchFailed,
    ChunksFound,
    ClarificationAnswered,
    ClarificationRequested,
    DigFinished,
    DraftAccepted,
    DraftWritten,
    EvidenceValidated,
    FollowRefEvent,
    PhaseChanged,
    PlainRequested,
    PlanApproved,
    PlanMade,
    PlanProposed,
    PlanSettled,
    QualityAssessed,
    QueryUnderstood,
    RefResolved,
    ReportReady,
    ReportToken,
    ResearchRequest,
    RetrievalDone,
    RewriteRequested,
    RoundStarted,
    RunTakenUp,
    TaskDug,
    TaskFinished,
    TaskStarted,
    Warned,
    WaveOpened,
    WavePlanned,
)
from .run.host import Ctx, Host
from .run.reducer import start, take
from .run.session import Sitting
from .run.start import TakenUp, anchored, begin_state, resume_state, taken_up
from .run.state import OpenQuestion, ResearchState
from .run.state_update import Draft
from .run.store import RunError
from .run.waves import SUMMARISING, dig_urgency, plan_wave, reached

MANY = 10**6  # recoveries: a failing branch never ends the run
TASKS_AT_ONCE = 16
FOLLOWS_AT_ONCE = 64  # the window of the settings bounds it further


class ResearchWorkflow(Host):
    """A research on one knowledge base. ``runs`` holds state, evidence and answers; see ``RunStore``."""

    # --- beginning, resuming ------------------------------------------------------------------------------------------
    @step
    async def begin(self, ctx: Ctx, ev: ResearchRequest) -> RoundStarted | PlainRequested | RunTakenUp:
        self._reasoner = self._reasoner or await amake_reasoner(ReasonerSettings(), self.kb)
        make = resume_state if ev.resume else begin_state
        draft, notes = await make(self.runs, self.kb, self.reasoner, self.settings, ev)
        self._sittings[ev.run_id] = Sitting(self.kb, self.reasoner, self.settings, self.runs, draft.state)
        for note in notes:
            ctx.write_event_to_stream(Warned(text=note))
        await self._commit(ctx, draft)
        if draft.state.phase != "done":
            self._sittings[ev.run_id].forerun.warm()
        if ev.resume:
            return RunTakenUp()
        return PlainRequested() if ev.mode == "plain" else RoundStarted()

    @step
    async def take_up(self, ctx: Ctx, ev: RunTakenUp) -> TakenUp:
        """Continue a saved run from its phase; an open question is asked again."""
        draft = Draft(await self._state(ctx))
        events = taken_up(draft, self.settings, self.runs)
        await self._commit(ctx, draft)
        return self._emit(ctx, events)

    # --- 1 understand -------------------------------------------------------------------------------------------------
    @step
    async def understand(self, ctx: Ctx, ev: RoundStarted) -> ClarificationRequested | QueryUnderstood | TaskStarted:
        state = await self._state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="understand", detail=str(len(state.rounds) + 1)))
        reasoner, ask = self._at(state).reasoner, not state.auto_approve
        looked = await understand.look(
            self.kb, reasoner, self.settings, state.query, state.language, state.rounds, state.collections
        )
        if not ask:
            self._at(state).forerun.begin(state, (looked.round,))
        found = await understand.consider(reasoner, state.query, state.language, state.rounds, looked, ask=ask)
        ctx.write_event_to_stream(RetrievalDone(round=found))
        rounds = (*state.rounds, found)
        if not found.questions or conversation_ended(rounds, self.settings) == "convergence":
            return await self._understood(ctx, state, rounds, "convergence")  # nothing left to ask is converged too
        question = OpenQuestion(id=f"q{state.asked + 1}", kind="clarification", questions=found.questions)
        draft = Draft(state)
        draft.set(rounds=rounds, question=question, asked=state.asked + 1)
        await self._commit(ctx, draft)
        return ClarificationRequested(id=question.id, round=found, questions=list(found.questions))

    @step(num_workers=1)  # one reply at a time: the second finds the question answered
    async def answered(
        self, ctx: Ctx, ev: ClarificationAnswered
    ) -> RoundStarted | QueryUnderstood | TaskStarted | None:
        state = await self._state(ctx)
        if state.question is None or state.question.kind != "clarification" or state.question.id != ev.id:
            return None  # no longer open, or answered already
        said = tuple(answer for answer in ev.answers if answer.text.strip())
        rounds = (*state.rounds[:-1], state.rounds[-1].model_copy(update={"answers": said}))
        ended = conversation_ended(rounds, self.settings, end=ev.end or not said)
        if ended is not None:
            return await self._understood(ctx, state, rounds, ended)
        draft = Draft(state)
        draft.set(rounds=rounds, question=None)
        await self._commit(ctx, draft)
        return RoundStarted()

    async def _understood(
        self, ctx: Ctx, state: ResearchState, rounds: tuple[Round, ...], ended: Ending
    ) -> QueryUnderstood | TaskStarted:
        """The anchor is fixed. When nobody will change the plan, the question is dug into while it is made."""
        anchor = await understand.conclude(self._at(state).reasoner, state.query, state.language, rounds)
        self._at(state).forerun.understood(anchor)
        draft = Draft(state)
        draft.set(rounds=rounds, question=None, anchor=anchor, ended=ended, phase="plan")
        events: list[Event] = []
        if state.auto_approve:
            draft.set(todos=(plan.question_itself(anchor),))
            events = start(draft, [0])
        await self._commit(ctx, draft)
        return cast(QueryUnderstood, self._emit(ctx, [*events, QueryUnderstood()]))

    # --- 2 plan -------------------------------------------------------------------------------------------------------
    @step
    async def plan(self, ctx: Ctx, ev: QueryUnderstood) -> PlanProposed | PlanMade:
        state = await self._state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="plan"))
        forerun = self._at(state).forerun
        if state.auto_approve:
            return PlanMade(todos=list(await forerun.proposed(state)))
        forerun.read_question(state, anchored(state))
        todos = await plan.propose(
            self._at(state).reasoner,
            anchored(state),
            await understand.passages_of_rounds(self.kb, state.rounds),
            self.settings,
        )
        draft = Draft(state)
        draft.set(todos=todos, question=OpenQuestion(id=f"q{state.asked + 1}", kind="plan"), asked=state.asked + 1)
        await self._commit(ctx, draft)
        return PlanProposed(id=f"q{state.asked + 1}", todos=list(todos))

    @step(num_workers=1)
    async def approve(self, ctx: Ctx, ev: PlanApproved) -> PlanSettled | None:
        state = await self._state(ctx)
        if state.question is None or state.question.kind != "plan" or state.question.id != ev.id:
            return None
        todos, notes = plan.accept(state.todos, ev.todos, self.settings.todo_max_items)
        draft = Draft(state)
        draft.set(todos=todos, question=None)
        for key in notes:
            text = phrase(state.language, key, limit=self.settings.todo_max_items)
            draft.warn(text)
            ctx.write_event_to_stream(Warned(text=text))
        await self._commit(ctx, draft)
        return PlanSettled()

    # --- 3 dig --------------------------------------------------------------------------------------------------------
    @step
    async def start_tasks(self, ctx: Ctx, ev: PlanSettled) -> TaskStarted | None:
        state = await self._state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="dig"))
        draft = Draft(state)
        draft.set(phase="dig")
        events = start(draft, [todo.id for todo in state.todos])
        await self._commit(ctx, draft)
        return self._emit(ctx, events)

    @step(num_workers=TASKS_AT_ONCE)
    async def search(self, ctx: Ctx, ev: TaskStarted) -> ChunksFound:
        state = await self._state(ctx)
        todo = state.todo(ev.task)
        reading = await self._at(state).forerun.reading(state, anchored(state), todo)
        found = await dig.found_by(self.kb, self.settings, anchored(state), reading)
        self.runs.put_evidence(state.run_id, found.evidence)
        return ChunksFound(
            task=ev.task,
            evidence=[item.key for item in found.evidence],
            queries=list(found.queries),
            sections=list(dict.fromkeys(item.section for item in found.evidence if item.section)),
            best=found.best,
        )

    @step(num_workers=TASKS_AT_ONCE)
    async def plan_wave(self, ctx: Ctx, ev: WaveOpened) -> WavePlanned:
        state = await self._state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth - 1)
        evidence = self.runs.evidence(state.run_id, state.evidence_keys_at(ev.task, ev.depth - 1))
        reasoner = self._at(state).reasoner
        entries = await plan_wave(self.kb, reasoner, self.settings, state, evidence, ev.task, ev.depth)
        return WavePlanned(task=ev.task, depth=ev.depth, entries=entries)

    @step(num_workers=FOLLOWS_AT_ONCE)
    async def follow(self, ctx: Ctx, ev: FollowRefEvent) -> RefResolved:
        state = await self._state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth)
        entries = [state.ledger[key] for key in ev.entries]
        sources = {item.key: item for item in self.runs.evidence(state.run_id, [one.mention.source for one in entries])}
        followed = await follow.follow_all(
            self.kb,
            self._at(state).reasoner,
            self.settings,
            anchored(state),
            state.todo(ev.task),
            [follow.Step(mention=one.mention, source=sources[one.mention.source]) for one in entries],
            ev.depth,
            known=state.known.get(ev.task, frozenset()),
            scale=state.tasks[ev.task].best,
        )
        self.runs.put_evidence(state.run_id, [item for one in followed for item in one.evidence])
        return RefResolved(task=ev.task, depth=ev.depth, reached=reached(entries, followed))

    @step(num_workers=TASKS_AT_ONCE)
    async def summarise(self, ctx: Ctx, ev: TaskDug) -> TaskFinished:
        state = await self._state(ctx)
        dig_urgency(state, ev.task, SUMMARISING)
        evidence = self.runs.evidence(state.run_id, state.evidence_keys(ev.task))
        summary = await dig.summarise(self._at(state).reasoner, anchored(state), state.todo(ev.task), evidence)
        return TaskFinished(task=ev.task, summary=summary)

    @catch_error(for_steps=["search", "plan_wave", "follow", "summarise"], max_recoveries=MANY)
    async def branch_failed(self, ctx: Ctx, ev: StepFailedEvent) -> BranchFailed:
        if isinstance(ev.exception, RunError):
            raise ev.exception  # what cannot be kept must not go on as if there were nothing to keep
        failed = ev.input_event
        error = f"{type(ev.exception).__name__}: {ev.exception}"
        entries = failed.entries if isinstance(failed, FollowRefEvent) else []
        return BranchFailed(task=failed.task, entries=entries, error=error)

    @step(num_workers=1)
    async def gather(
        self, ctx: Ctx, ev: PlanMade | ChunksFound | WavePlanned | RefResolved | TaskFinished | BranchFailed
    ) -> WaveOpened | FollowRefEvent | TaskDug | TaskStarted | DigFinished | None:
        """The only writer while digging."""
        draft = Draft(await self._state(ctx))
        events = take(draft, ev, self.settings)
        await self._commit(ctx, draft)
        return self._emit(ctx, events)

    # --- 3b validate --------------------------------------------------------------------------------------------------
    @step
    async def validate_evidence(self, ctx: Ctx, ev: DigFinished) -> EvidenceValidated:
        ctx.write_event_to_stream(PhaseChanged(phase="validate"))
        draft = Draft(await self._state(ctx))
        for note in await self._at(draft.state).reporting.validate(draft):
            ctx.write_event_to_stream(Warned(text=note))
        draft.set(phase="write")
        await self._commit(ctx, draft)
        return EvidenceValidated()

    @step
    async def answer_plainly(self, ctx: Ctx, ev: PlainRequested) -> EvidenceValidated:
        draft = Draft(await self._state(ctx))
        await self._at(draft.state).reporting.plain(draft)
        draft.set(phase="write")
        await self._commit(ctx, draft)
        return EvidenceValidated()

    # --- 4 write and check --------------------------------------------------------------------------------------------
    @step
    async def write(self, ctx: Ctx, ev: EvidenceValidated | RewriteRequested) -> DraftWritten:
        state = await self._state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="write"))
        text = ""
        async for piece in self._at(state).reporting.write(state):
            text += piece
            ctx.write_event_to_stream(ReportToken(text=piece, attempt=state.attempt))
        self.runs.put_draft(state.run_id, state.attempt, text)
        draft = Draft(state)
        draft.set(phase="check")
        await self._commit(ctx, draft)
        return DraftWritten(attempt=state.attempt)

    @step
    async def check(self, ctx: Ctx, ev: DraftWritten) -> QualityAssessed:
        ctx.write_event_to_stream(PhaseChanged(phase="check"))
        state = await self._state(ctx)
        sitting = self._at(state)
        await sitting.reporting.attributed(state, state.attempt)
        sitting.ahead.begin(("support", state.attempt), sitting.reporting.weigh(state))
        quality = await sitting.reporting.assess(state)
        return QualityAssessed(quality=quality, attempt=ev.attempt)

    @step
    async def remedy(self, ctx: Ctx, ev: QualityAssessed) -> RewriteRequested | DraftAccepted:
        draft = Draft(await self._state(ctx))
        ctx.write_event_to_stream(ev)
        focus = await self._at(draft.state).reporting.remedy(draft, ev.quality)
        await self._commit(ctx, draft)
        return RewriteRequested(focus=focus) if focus else DraftAccepted()

    # --- 5 attribute --------------------------------------------------------------------------------------------------
    @step
    async def attribute(self, ctx: Ctx, ev: DraftAccepted) -> ReportReady:
        state = await self._state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="attribute"))
        sitting = self._at(state)
        weighed = await (sitting.ahead.take(("support", state.attempt)) or sitting.reporting.weigh(state))
        report = await sitting.reporting.report(state.model_copy(update={"cost": sitting.cost}), weighed)
        self.runs.put_report(state.run_id, report)
        draft = Draft(state)
        draft.set(phase="done")
        await self._commit(ctx, draft)
        return ReportReady(report=report)
