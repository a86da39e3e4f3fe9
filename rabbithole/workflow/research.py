"""The research as a whole: five phases, each step takes an event, calls a phase, emits the next event.

One writer at a time: before and after digging the steps follow one another, while digging only ``gather`` writes.
Every change of the state is a draft that is stored first and set second, so a run continues from any moment.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from workflows import Context, catch_error, step
from workflows.events import StepFailedEvent

from rabbithole.kb.errors import RabbitholeError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Round
from rabbithole.steps.phases import dig, follow, plan, understand
from rabbithole.steps.phases.convergence import Ending, conversation_ended
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.steps.threads import aside

from .events import (
    BatchExtracted,
    BranchFailed,
    ChunksFound,
    ClarificationAnswered,
    ClarificationRequested,
    DigFinished,
    DraftAccepted,
    DraftWritten,
    EvidenceValidated,
    ExtractBatch,
    Extracted,
    FollowRefEvent,
    Opened,
    PhaseChanged,
    PlainRequested,
    PlanApproved,
    PlanMade,
    PlanProposed,
    PlanSettled,
    QualityAssessed,
    QueryUnderstood,
    RefsOpened,
    ReportReady,
    ReportToken,
    ResearchRequest,
    RetrievalDone,
    RewriteRequested,
    RoundStarted,
    TaskDug,
    TaskFinished,
    TaskStarted,
    Warned,
    WaveOpened,
    WavePlanned,
)
from .observability.dumps import dump_state
from .run.edit import OPENING, StateEdit
from .run.ledger import LedgerEntry
from .run.reducer import Result, reduce, started
from .run.session import ResearchSession, RunWorkflow
from .run.start import anchored, begin_state, next_events, resume_state
from .run.state import OpenQuestion, ResearchState
from .run.store import RunError, RunStore
from .run.waves import SUMMARISING, dig_urgency, plan_wave

MANY = 10**6  # recoveries: a failing branch never ends the run
TASKS_AT_ONCE = 16
EXTRACTIONS_AT_ONCE = 64  # the window of the settings bounds it further
Ctx = Context[ResearchState]
log = logging.getLogger(__name__)


class ResearchWorkflow(RunWorkflow[ResearchState]):
    """Research on one knowledge base. ``runs`` holds state, evidence and answers; see ``RunStore``."""

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

    def open_session(self, state: ResearchState, reasoner: Reasoner) -> ResearchSession:
        return ResearchSession(self.kb, reasoner, self.settings, self.runs, state)

    def load(self, run_id: str) -> ResearchState:
        return self.runs.load(run_id)

    def session(self, state: ResearchState) -> ResearchSession:
        session: ResearchSession = super().session(state)
        return session

    async def commit(self, ctx: Ctx, state: ResearchState, entries: Sequence[LedgerEntry] = ()) -> ResearchState:
        """Commit, show what the run has cost so far, and expect the references that are being opened."""
        before = (await ctx.store.get_state()).phase
        state = await super().commit(ctx, state, entries)
        self.session(state).opening.update(entry.key for entry in entries if entry.status == "opening")
        ctx.write_event_to_stream(self.session(state).metrics)
        if state.phase != before:
            log.info("run=%s phase=%s seconds=%.1f", state.run_id, state.phase, state.cost.seconds)
            dump_state(state, self.settings)
        return state

    # --- start, resume ------------------------------------------------------------------------------------------------
    @step
    async def begin(
        self, ctx: Ctx, ev: ResearchRequest
    ) -> RoundStarted | PlainRequested | ClarificationRequested | PlanProposed | ReportReady | None:
        """Start a run, or continue a stored one from its phase; an open question is asked again."""
        reasoner = await self.chosen_reasoner()
        make = resume_state if ev.resume else begin_state
        state, notes = await make(self.runs, self.kb, reasoner, self.settings, ev)
        self._sessions[ev.run_id] = self.open_session(state, reasoner)
        for note in notes:
            ctx.write_event_to_stream(Warned(text=note))
        if state.phase != "done":
            self.session(state).prefetch.warm()
        if ev.resume:
            state, events, entries = next_events(state, self.settings, self.runs)
            await self.commit(ctx, state, entries)
            return self.send(ctx, events)
        await self.commit(ctx, state)
        return PlainRequested() if ev.mode == "plain" else RoundStarted()

    # --- 1 understand -------------------------------------------------------------------------------------------------
    @step
    async def understand(self, ctx: Ctx, ev: RoundStarted) -> ClarificationRequested | QueryUnderstood | TaskStarted:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="understand", detail=str(len(state.rounds) + 1)))
        reasoner, ask = self.session(state).reasoner, not state.auto_approve
        looked = await understand.look(
            self.kb,
            reasoner,
            self.settings,
            state.query,
            state.language,
            state.rounds,
            state.collections,
            state.documents,
        )
        if not ask:
            self.session(state).prefetch.begin(state, (looked.round,))
        found = await understand.consider(reasoner, state.query, state.language, state.rounds, looked, ask=ask)
        ctx.write_event_to_stream(RetrievalDone(round=found))
        rounds = (*state.rounds, found)
        if not found.questions or conversation_ended(rounds, self.settings) == "convergence":
            return await self._understood(ctx, state, rounds, "convergence")  # nothing left to ask is converged too
        question = OpenQuestion(id=f"q{state.asked + 1}", kind="clarification", questions=found.questions)
        edit = StateEdit(state)
        edit.set(rounds=rounds, question=question, asked=state.asked + 1)
        await self.commit(ctx, edit.state)
        return ClarificationRequested(id=question.id, round=found, questions=list(found.questions))

    @step(num_workers=1)  # one reply at a time: the second finds the question answered
    async def answered(
        self, ctx: Ctx, ev: ClarificationAnswered
    ) -> RoundStarted | QueryUnderstood | TaskStarted | None:
        state = await self.state(ctx)
        if state.question is None or state.question.kind != "clarification" or state.question.id != ev.id:
            return None  # no longer open, or answered already
        said = tuple(answer for answer in ev.answers if answer.text.strip())
        rounds = (*state.rounds[:-1], state.rounds[-1].model_copy(update={"answers": said}))
        ended = conversation_ended(rounds, self.settings, end=ev.end or not said)
        if ended is not None:
            return await self._understood(ctx, state, rounds, ended)
        edit = StateEdit(state)
        edit.set(rounds=rounds, question=None)
        await self.commit(ctx, edit.state)
        return RoundStarted()

    async def _understood(
        self, ctx: Ctx, state: ResearchState, rounds: tuple[Round, ...], ended: Ending
    ) -> QueryUnderstood | TaskStarted:
        """The anchor is fixed. When nobody will change the plan, the question is dug into while it is made."""
        anchor = await understand.conclude(self.session(state).reasoner, state.query, state.language, rounds)
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
    async def plan(self, ctx: Ctx, ev: QueryUnderstood) -> PlanProposed | PlanMade:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="plan"))
        prefetch = self.session(state).prefetch
        if state.auto_approve:
            return PlanMade(todos=list(await prefetch.proposed(state)))
        prefetch.read_question(state, anchored(state))
        todos = await plan.propose(
            self.session(state).reasoner,
            anchored(state),
            await understand.passages_of_rounds(self.kb, state.rounds),
            self.settings,
        )
        edit = StateEdit(state)
        edit.set(todos=todos, question=OpenQuestion(id=f"q{state.asked + 1}", kind="plan"), asked=state.asked + 1)
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

    # --- 3 dig --------------------------------------------------------------------------------------------------------
    @step
    async def start_tasks(self, ctx: Ctx, ev: PlanSettled) -> TaskStarted | None:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="dig"))
        change = started(state.model_copy(update={"phase": "dig"}), [todo.id for todo in state.todos])
        await self.commit(ctx, change.state)
        self.send(ctx, change.events)
        return None

    @step(num_workers=TASKS_AT_ONCE)
    async def search(self, ctx: Ctx, ev: TaskStarted) -> ChunksFound:
        state = await self.state(ctx)
        todo = state.todo(ev.task)
        reading = await self.session(state).prefetch.reading(state, anchored(state), todo)
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
        state = await self.state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth - 1)
        evidence = self.runs.evidence(state.run_id, state.evidence_keys_at(ev.task, ev.depth - 1))
        reasoner = self.session(state).reasoner
        entries = await plan_wave(self.kb, reasoner, self.settings, state, evidence, ev.task, ev.depth)
        return WavePlanned(task=ev.task, depth=ev.depth, entries=entries)

    @step(num_workers=OPENING)
    async def follow(self, ctx: Ctx, ev: FollowRefEvent) -> RefsOpened | None:
        """Resolve one reference to the places that are to be read. Writes no state and asks no model."""
        state = await self.state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth)
        mention, known = state.ledger[ev.key].mention, state.known.get(ev.task, frozenset())
        try:
            found = await aside(follow.reach, self.kb, self.settings, state.todo(ev.task).text, mention, known)
        except RabbitholeError as error:
            opened = Opened(key=ev.key, error=str(error))
        else:
            opened = Opened(key=ev.key, places=found.places, sections=found.sections, tokens=found.tokens)
        return self.session(state).gathered(opened)

    @step(num_workers=EXTRACTIONS_AT_ONCE)
    async def extract(self, ctx: Ctx, ev: ExtractBatch) -> BatchExtracted:
        """Read what up to eight references lead to, with one call. Writes evidence and no state."""
        state = await self.state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth)
        entries = [state.ledger[key] for key in ev.entries]
        sources = {item.key: item for item in self.runs.evidence(state.run_id, [one.mention.source for one in entries])}
        followed = await follow.extract_all(
            self.kb,
            self.session(state).reasoner,
            self.settings,
            anchored(state),
            state.todo(ev.task),
            [
                follow.Step(mention=one.mention, source=sources[one.mention.source], places=one.places)
                for one in entries
            ],
            ev.depth,
            scale=state.tasks[ev.task].best,
        )
        self.runs.put_evidence(state.run_id, [item for one in followed for item in one.evidence])
        return BatchExtracted(
            task=ev.task,
            extracted=[
                Extracted(key=key, evidence=tuple(item.key for item in one.evidence), error=one.error)
                for key, one in zip(ev.entries, followed, strict=True)
            ],
        )

    @step(num_workers=TASKS_AT_ONCE)
    async def summarise(self, ctx: Ctx, ev: TaskDug) -> TaskFinished:
        state = await self.state(ctx)
        dig_urgency(state, ev.task, SUMMARISING)
        evidence = self.runs.evidence(state.run_id, state.evidence_keys(ev.task))
        summary = await dig.summarise(self.session(state).reasoner, anchored(state), state.todo(ev.task), evidence)
        return TaskFinished(task=ev.task, summary=summary)

    @catch_error(for_steps=["search", "plan_wave", "follow", "extract", "summarise"], max_recoveries=MANY)
    async def branch_failed(self, ctx: Ctx, ev: StepFailedEvent) -> BranchFailed | RefsOpened | None:
        if isinstance(ev.exception, RunError):
            raise ev.exception  # what cannot be kept must not go on as if there were nothing to keep
        failed = ev.input_event
        error = f"{type(ev.exception).__name__}: {ev.exception}"
        if isinstance(failed, FollowRefEvent):
            return self.session(await self.state(ctx)).gathered(Opened(key=failed.key, error=error))
        return BranchFailed(task=failed.task, entries=getattr(failed, "entries", []), error=error)

    @step(num_workers=1)
    async def gather(
        self,
        ctx: Ctx,
        ev: PlanMade | ChunksFound | WavePlanned | RefsOpened | BatchExtracted | TaskFinished | BranchFailed,
    ) -> WaveOpened | FollowRefEvent | ExtractBatch | TaskDug | TaskStarted | DigFinished | None:
        """The only writer while digging: what a result changes is decided by the reducer."""
        result: Result = ev
        state, events, entries = reduce(await self.state(ctx), result, self.settings)
        await self.commit(ctx, state, entries)
        self.send(ctx, events)
        return None

    # --- 3b validate --------------------------------------------------------------------------------------------------
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
    async def write(self, ctx: Ctx, ev: EvidenceValidated | RewriteRequested) -> DraftWritten:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="write"))
        text = ""
        async for piece in self.session(state).reporting.write(state):
            text += piece
            ctx.write_event_to_stream(ReportToken(text=piece, attempt=state.attempt))
        self.runs.put_draft(state.run_id, state.attempt, text)
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
    async def attribute(self, ctx: Ctx, ev: DraftAccepted) -> ReportReady:
        state = await self.state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="attribute"))
        session = self.session(state)
        weighed = await (session.background.take(("support", state.attempt)) or session.reporting.weigh(state))
        report = await session.reporting.report(state.model_copy(update={"cost": session.cost}), weighed)
        self.runs.put_report(state.run_id, report)
        edit = StateEdit(state)
        edit.set(phase="done")
        await self.commit(ctx, edit.state)
        return ReportReady(report=report)
