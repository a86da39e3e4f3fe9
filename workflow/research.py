"""The research as a whole: five phases, each step takes an event, calls a phase, emits the next event.

One writer at a time: before and after digging the steps follow one another, while digging only ``gather`` writes.
Every change of the state is a draft that is stored first and set second, so a run continues from any moment.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from workflows import Context, Workflow, catch_error, step
from workflows.events import Event, StepFailedEvent
from workflows.handler import WorkflowHandler

from ..kb.knowledge_base import KnowledgeBase
from ..steps import dig, gate, plan, understand
from ..steps.convergence import Ending, conversation_ended
from ..steps.models import Round
from ..steps.phrases import phrase
from ..steps.reasoning.factory import amake_reasoner
from ..steps.reasoning.protocol import Reasoner
from ..steps.reasoning.settings import ReasonerSettings
from ..steps.references import mentions
from ..steps.settings import ResearchSettings
from .beginning import anchored, begin_state, default_runs, ended_as, resume_state, taken_up
from .digging import start, take
from .draft import Draft
from .dumps import dump_state
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
    PlanProposed,
    PlanSettled,
    QualityAssessed,
    QueryUnderstood,
    ReferenceSeen,
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
    TaskProgress,
    TaskStarted,
    Warned,
    WaveOpened,
    WavePlanned,
)
from .ledger import claim
from .runs import RunStore, new_run_id
from .sitting import Sitting
from .state import OpenQuestion, ResearchState

log = logging.getLogger(__name__)

STREAMED = (TaskProgress, ReferenceSeen)
Ctx = Context[ResearchState]
MANY = 10**6  # recoveries: a failing branch never ends the run
TASKS_AT_ONCE = 16
FOLLOWS_AT_ONCE = 64  # the window of the settings bounds it further


class ResearchWorkflow(Workflow):
    """A research on one knowledge base. ``runs`` holds state, evidence and answers; see ``RunStore``."""

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: ResearchSettings | None = None,
        reasoner: Reasoner | None = None,
        runs: RunStore | None = None,
        **options: Any,
    ) -> None:
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
        if ev.resume:
            return RunTakenUp()
        return PlainRequested() if ev.mode == "plain" else RoundStarted()

    @step
    async def take_up(
        self, ctx: Ctx, ev: RunTakenUp
    ) -> (
        RoundStarted
        | PlainRequested
        | ClarificationRequested
        | QueryUnderstood
        | PlanProposed
        | PlanSettled
        | TaskStarted
        | WaveOpened
        | FollowRefEvent
        | TaskDug
        | DigFinished
        | EvidenceValidated
        | DraftWritten
        | DraftAccepted
        | ReportReady
        | None
    ):
        """Continue a saved run from its phase; an open question is asked again."""
        draft = Draft(await self._state(ctx))
        events = taken_up(draft, self.settings, self.runs)
        await self._commit(ctx, draft)
        return self._emit(ctx, events)

    # --- 1 understand -------------------------------------------------------------------------------------------------
    @step
    async def understand(self, ctx: Ctx, ev: RoundStarted) -> ClarificationRequested | QueryUnderstood:
        state = await self._state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="understand", detail=str(len(state.rounds) + 1)))
        found = await understand.run_round(
            self.kb,
            self._at(state).reasoner,
            self.settings,
            state.query,
            state.language,
            state.rounds,
            state.collections,
            ask=not state.auto_approve,
        )
        ctx.write_event_to_stream(RetrievalDone(round=found))
        rounds = (*state.rounds, found)
        if not found.questions or conversation_ended(rounds, self.settings) == "convergence":
            return await self._understood(ctx, state, rounds, "convergence")  # nothing left to ask is converged too
        question = OpenQuestion(id=f"q{state.asked + 1}", kind="clarification", questions=found.questions)
        draft = Draft(state)
        draft.set(rounds=rounds, question=question, asked=state.asked + 1)
        await self._commit(ctx, draft)
        return ClarificationRequested(id=question.id, round=found, questions=list(found.questions))

    @step
    async def answered(self, ctx: Ctx, ev: ClarificationAnswered) -> RoundStarted | QueryUnderstood | None:
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
    ) -> QueryUnderstood:
        anchor = await understand.conclude(self._at(state).reasoner, state.query, state.language, rounds)
        draft = Draft(state)
        draft.set(rounds=rounds, question=None, anchor=anchor, ended=ended, phase="plan")
        await self._commit(ctx, draft)
        return QueryUnderstood()

    # --- 2 plan -------------------------------------------------------------------------------------------------------
    @step
    async def plan(self, ctx: Ctx, ev: QueryUnderstood) -> PlanProposed | PlanSettled:
        state = await self._state(ctx)
        ctx.write_event_to_stream(PhaseChanged(phase="plan"))
        passages = await understand.passages_of_rounds(self.kb, state.rounds)
        todos = await plan.propose(self._at(state).reasoner, anchored(state), passages, self.settings)
        draft = Draft(state)
        draft.set(todos=todos)
        if not state.auto_approve:
            draft.set(question=OpenQuestion(id=f"q{state.asked + 1}", kind="plan"), asked=state.asked + 1)
        await self._commit(ctx, draft)
        return PlanSettled() if state.auto_approve else PlanProposed(id=f"q{state.asked + 1}", todos=list(todos))

    @step
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
        todo, anchor = state.todo(ev.task), anchored(state)
        inherited = self.runs.evidence(state.parent_run, state.inherited) if ev.task == 0 else ()
        found = await dig.search_task(
            self.kb, self._at(state).reasoner, self.settings, anchor, todo, state.collections, inherited=inherited
        )
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
        task, anchor = state.tasks[ev.task], anchored(state)
        evidence = self.runs.evidence(state.run_id, state.evidence_keys_at(ev.task, ev.depth - 1))
        found = await mentions(self.kb, evidence, state.collections, self.settings)
        closed = "depth" if ev.depth > state.depth else (task.stop or None)
        visited = state.visited(ev.task) | await dig.whole_sections(self.kb, evidence)
        about = {"depth": state.depth, "budget": self.settings.reference_token_budget}
        sorted_out = gate.sort_out(found, visited, state.language, closed, **about)
        proposals = await gate.decide(self._at(state).reasoner, anchor, state.todo(ev.task), sorted_out)
        entries = claim(ev.task, ev.depth, proposals, state.parents(ev.task))
        return WavePlanned(task=ev.task, depth=ev.depth, entries=entries)

    @step(num_workers=FOLLOWS_AT_ONCE)
    async def follow(self, ctx: Ctx, ev: FollowRefEvent) -> RefResolved:
        state = await self._state(ctx)
        entry, anchor = state.ledger[ev.key], anchored(state)
        (source,) = self.runs.evidence(state.run_id, [entry.mention.source])
        found = await dig.follow(
            self.kb,
            self._at(state).reasoner,
            self.settings,
            anchor,
            state.todo(ev.task),
            entry.mention,
            source,
            ev.depth,
            scale=state.tasks[ev.task].best,
        )
        self.runs.put_evidence(state.run_id, found.evidence)
        keys = [item.key for item in found.evidence]
        return RefResolved(
            key=ev.key,
            task=ev.task,
            depth=ev.depth,
            evidence=keys,
            sections=list(found.sections),
            tokens=found.tokens,
        )

    @step(num_workers=TASKS_AT_ONCE)
    async def summarise(self, ctx: Ctx, ev: TaskDug) -> TaskFinished:
        state = await self._state(ctx)
        evidence = self.runs.evidence(state.run_id, state.evidence_keys(ev.task))
        summary = await dig.summarise(self._at(state).reasoner, anchored(state), state.todo(ev.task), evidence)
        return TaskFinished(task=ev.task, summary=summary)

    @catch_error(for_steps=["search", "plan_wave", "follow", "summarise"], max_recoveries=MANY)
    async def branch_failed(self, ctx: Ctx, ev: StepFailedEvent) -> BranchFailed:
        failed = ev.input_event
        error = f"{type(ev.exception).__name__}: {ev.exception}"
        return BranchFailed(task=failed.task, key=getattr(failed, "key", ""), error=error)

    @step(num_workers=1)
    async def gather(
        self, ctx: Ctx, ev: ChunksFound | WavePlanned | RefResolved | TaskFinished | BranchFailed
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
        quality = await self._at(state).reporting.assess(state)
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
        report = await self._at(state).reporting.report(state.model_copy(update={"cost": self._at(state).cost}))
        self.runs.put_report(state.run_id, report)
        draft = Draft(state)
        draft.set(phase="done")
        await self._commit(ctx, draft)
        return ReportReady(report=report)

    # --- below --------------------------------------------------------------------------------------------------------
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

    def _emit(self, ctx: Ctx, events: list[Event]) -> Any:
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
        if self.runs.holds(run_id):
            self.runs.finish(run_id, status, error)
            self.runs.release(run_id)
        self._sittings.pop(run_id, None)
