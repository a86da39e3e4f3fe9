"""Digging: the steps between planning and validation that search for each task and follow references.

They run concurrently; only ``gather`` writes the state.
"""

from __future__ import annotations

from workflows import catch_error, step
from workflows.events import StepFailedEvent

from rabbithole.kb.errors import CatalogAway, RabbitholeError
from rabbithole.steps.follow_limits import Limit, why
from rabbithole.steps.phases import dig, follow, gate
from rabbithole.steps.phases.bearing import bearing, from_closest
from rabbithole.steps.phases.mentions import mentions
from rabbithole.steps.scheduling.threads import run_in_thread
from rabbithole.steps.settings import ResearchSettings

from .events import (
    BatchExtracted,
    BranchFailed,
    ChunksFound,
    DigFinished,
    EntryExtracted,
    ExtractBatch,
    FollowRefEvent,
    PlaceOpened,
    PlanMade,
    RefsOpened,
    TaskDug,
    TaskFinished,
    TaskStarted,
    WaveOpened,
    WavePlanned,
)
from .ledger import claim
from .research_session import ResearchContext, ResearchSession
from .run.edit import OPENING
from .run.prefetch import SUMMARISING, dig_urgency
from .run.reducer import Result, reduce
from .run.resources import Runs
from .run.run_store import RunError
from .run.run_workflow import RunWorkflow
from .run.state import ResearchState

MANY = 10**6  # recoveries per run: in effect no limit, so a failing branch never ends the run
TASKS_AT_ONCE = 16
EXTRACTIONS_AT_ONCE = 64  # ``reference_window`` in the settings limits it further


class Digging(RunWorkflow[ResearchState, ResearchSession]):
    """The part of ``ResearchWorkflow`` that searches for each task and follows references, wave after wave."""

    settings: ResearchSettings

    @step(num_workers=TASKS_AT_ONCE)
    async def search(self, ctx: ResearchContext, ev: TaskStarted, runs: Runs) -> ChunksFound:
        state = await self.state(ctx)
        todo = state.todo(ev.task)
        reading = await self.session(state).prefetch.reading(state, state.anchored(), todo)
        found = await dig.found_by(self.session(state).kb, self.settings, state.anchored(), reading)
        runs.put_evidence(state.run_id, found.evidence)
        return ChunksFound(
            task=ev.task,
            evidence=[item.key for item in found.evidence],
            queries=list(found.queries),
            sections=list(dict.fromkeys(item.section for item in found.evidence if item.section)),
            best=found.best,
        )

    @step(num_workers=TASKS_AT_ONCE)
    async def plan_wave(self, ctx: ResearchContext, ev: WaveOpened, runs: Runs) -> WavePlanned:
        """Find the references in the evidence of the last depth; decide each by rule or by the gate, in order."""
        state = await self.state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth - 1)
        evidence = runs.evidence(state.run_id, state.evidence_keys_at(ev.task, ev.depth - 1))
        kb, reasoner = self.session(state).kb, self.session(state).reasoner
        if reasoner.availability.name == "extractive":  # a model judges what it reads by itself
            searched = runs.evidence(state.run_id, state.evidence_keys_at(ev.task, 0))
            if ev.depth == 1:
                evidence = await run_in_thread(bearing, kb, state.anchored(), searched)
            else:
                evidence = await run_in_thread(from_closest, kb, state.anchored(), searched, evidence)
        found = await mentions(kb, evidence, state.collections, self.settings)
        limit: Limit | None = "depth" if ev.depth > state.depth else state.tasks[ev.task].stop or None
        earlier = [key for depth in range(ev.depth - 1) for key in state.evidence_keys_at(ev.task, depth)]
        read = (*runs.evidence(state.run_id, earlier), *evidence)
        visited = state.visited(ev.task) | await follow.whole_sections(kb, read)
        reason = why(limit, self.settings, state.depth, state.language) if limit else ""
        sorted_out = gate.sort_out(found, visited, state.language, limit, reason)
        proposals = await gate.decide(reasoner, state.anchored(), state.todo(ev.task), sorted_out)
        entries = claim(ev.task, ev.depth, proposals, state.parents(ev.task))
        return WavePlanned(task=ev.task, depth=ev.depth, entries=entries)

    @step(num_workers=OPENING)
    async def follow(self, ctx: ResearchContext, ev: FollowRefEvent) -> RefsOpened | None:
        """Resolve one reference to the places to read. Writes no state and calls no model."""
        state = await self.state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth)
        mention, known = state.ledger[ev.key].mention, state.known.get(ev.task, frozenset())
        try:
            kb = self.session(state).kb
            found = await run_in_thread(follow.reach, kb, self.settings, state.todo(ev.task).text, mention, known)
        except CatalogAway:
            raise
        except RabbitholeError as error:
            opened = PlaceOpened(key=ev.key, error=str(error))
        else:
            opened = PlaceOpened(key=ev.key, places=found.places, sections=found.sections, tokens=found.tokens)
        return self.session(state).gathered(opened)

    @step(num_workers=EXTRACTIONS_AT_ONCE)
    async def extract(self, ctx: ResearchContext, ev: ExtractBatch, runs: Runs) -> BatchExtracted:
        """Read the places of up to eight references with one model call. Writes evidence but no state."""
        state = await self.state(ctx)
        dig_urgency(state, ev.task, 2 * ev.depth)
        entries = [state.ledger[key] for key in ev.entries]
        sources = {one.key: one for one in runs.evidence(state.run_id, [each.mention.source for each in entries])}
        followed = await follow.extract_all(
            self.session(state).kb,
            self.session(state).reasoner,
            self.settings,
            state.anchored(),
            state.todo(ev.task),
            [
                follow.OpenedReference(mention=one.mention, source=sources[one.mention.source], places=one.places)
                for one in entries
            ],
            ev.depth,
            scale=state.tasks[ev.task].best,
        )
        runs.put_evidence(state.run_id, [item for one in followed for item in one.evidence])
        return BatchExtracted(
            task=ev.task,
            extracted=[
                EntryExtracted(key=key, evidence=tuple(item.key for item in one.evidence), error=one.error)
                for key, one in zip(ev.entries, followed, strict=True)
            ],
        )

    @step(num_workers=TASKS_AT_ONCE)
    async def summarise(self, ctx: ResearchContext, ev: TaskDug, runs: Runs) -> TaskFinished:
        state = await self.state(ctx)
        dig_urgency(state, ev.task, SUMMARISING)
        evidence = runs.evidence(state.run_id, state.evidence_keys(ev.task))
        summary = await self.session(state).reasoner.summarise(state.anchored(), state.todo(ev.task), evidence)
        return TaskFinished(task=ev.task, summary=summary)

    @catch_error(for_steps=["search", "plan_wave", "follow", "extract", "summarise"], max_recoveries=MANY)
    async def branch_failed(self, ctx: ResearchContext, ev: StepFailedEvent) -> BranchFailed | RefsOpened | None:
        if isinstance(ev.exception, RunError | CatalogAway):
            raise ev.exception  # without its store or the catalog a run must stop, to go on later from its last commit
        failed = ev.input_event
        error = f"{type(ev.exception).__name__}: {ev.exception}"
        if isinstance(failed, FollowRefEvent):
            return self.session(await self.state(ctx)).gathered(PlaceOpened(key=failed.key, error=error))
        return BranchFailed(task=failed.task, entries=getattr(failed, "entries", []), error=error)

    @step(num_workers=1)
    async def gather(
        self,
        ctx: ResearchContext,
        ev: PlanMade | ChunksFound | WavePlanned | RefsOpened | BatchExtracted | TaskFinished | BranchFailed,
    ) -> WaveOpened | FollowRefEvent | ExtractBatch | TaskDug | TaskStarted | DigFinished | None:
        """Apply one result to the state. This is the only writer while digging; the reducer decides what changes."""
        result: Result = ev
        state, events, entries = reduce(await self.state(ctx), result, self.settings)
        await self.commit(ctx, state, entries)
        self.send(ctx, events)
        return None
