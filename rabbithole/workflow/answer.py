"""The answer workflow: search, select, inspect, read, store, review; then compose and verify.

The event types enforce the order: a section is read only on ``SectionChosen``, which only follows ``SourceInspected``,
which only follows the choice of a number from the last list. Runs start and resume as research does: see
``run.run_workflow``.
"""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from workflows import Context, step
from workflows.events import Event

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.answering import decompose, loop
from rabbithole.steps.answering.selection import inspect, search
from rabbithole.steps.answering.settings import AnswerSettings
from rabbithole.steps.answering.source_reading import Answering, follow_lead, leads, read
from rabbithole.steps.answering.tree import shown
from rabbithole.steps.models import Anchor
from rabbithole.steps.phrases import counted, phrase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.response import response_markdown
from rabbithole.steps.response.render import beside_markdown
from rabbithole.steps.settings import ResearchSettings

from .answer_events import (
    AnswerClarification,
    AnswerClarified,
    AnswerRequest,
    AnswerStarted,
    EvidenceSufficient,
    FactsStored,
    LeadTaken,
    ResultsListed,
    SearchWanted,
    SectionChosen,
    SourceInspected,
    SourceSelected,
    ToolUsed,
)
from .events import ReportReady, ReportToken
from .report.answer_report import answer_report, answer_response, answered
from .run.reducer import Change
from .run.resources import Kb, Reasoners, Runs
from .run.run_store import RunStore
from .run.run_workflow import RunWorkflow
from .run.session import Session
from .run.start import begin_answer, next_answer_events
from .run.state import AnswerState, held

AnswerContext = Context[AnswerState]
Next = TypeVar("Next", bound=Event)


class AnswerWorkflow(RunWorkflow[AnswerState, Session]):
    """Answers one question with a ``Report`` of mode 'answer'; ``rabbithole trace`` shows how it was found."""

    request = AnswerRequest

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: AnswerSettings | None = None,
        reasoner: Reasoner | None = None,
        research: ResearchSettings | None = None,
        runs: RunStore | None = None,
        **options: Any,
    ) -> None:
        self.settings = settings or AnswerSettings()
        self.research = research or ResearchSettings()
        super().__init__(kb, self.research, reasoner, runs, **options)

    def open_session(self, kb: KnowledgeBase, state: AnswerState, reasoner: Reasoner) -> Session:
        return Session(kb, reasoner, state.cost)

    def load(self, run_id: str) -> AnswerState:
        return self.runs.load_answer(run_id)

    def next_events(self, state: AnswerState) -> Change[AnswerState]:
        return next_answer_events(state, self.runs)

    def work(self, state: AnswerState) -> Answering:
        """Return the services and settings that the phases use in this run."""
        session = self.session(state)
        return Answering(session.kb, session.reasoner, self.settings, self.research, held(state.anchor))

    async def go(self, ctx: AnswerContext, state: AnswerState, event: Next, **changes: Any) -> Next:
        """Commit the changed state with the next event, stream the new trace entries and return the event."""
        new = await self.commit(ctx, state.model_copy(update=changes).going_on_with(event))
        before = len(state.tree.trace) if state.tree else 0
        for entry in new.tree.trace[before:] if new.tree else ():
            ctx.write_event_to_stream(ToolUsed(**entry.model_dump()))
        return event

    # --- start, resume, decompose -------------------------------------------------------------------------------------
    @step
    async def begin(
        self, ctx: AnswerContext, ev: AnswerRequest, kb: Kb, runs: Runs, reasoners: Reasoners
    ) -> AnswerStarted | AnswerClarification | ReportReady | None:
        """Start an answer, or resume a stored one from its next event, asking an open question again."""
        if ev.resume:
            return await self.resume(ctx, ev.run_id, interactive=ev.interactive)
        reasoner = await reasoners.get()
        state, event = await begin_answer(runs, kb, reasoner, ev)
        self.open(state, reasoner)
        return await self.go(ctx, state, event)

    @step
    async def decompose(self, ctx: AnswerContext, ev: AnswerStarted) -> SearchWanted:
        state = await self.state(ctx)
        session = self.session(state)
        tree = await decompose.plan(session.kb, session.reasoner, state.query, ev.language, ev.collections, ev.filters)
        anchor = Anchor(query=tree.question, language=tree.language, research_queries=tree.subqueries)
        wanted = SearchWanted(query=tree.subqueries[0], subquery=tree.subqueries[0])
        return await self.go(ctx, state, wanted, tree=tree, anchor=anchor)

    # --- search, select, inspect, read --------------------------------------------------------------------------------
    @step
    async def search(self, ctx: AnswerContext, ev: SearchWanted) -> ResultsListed:
        state = await self.state(ctx)
        tree = held(state.tree)
        listing = await search(
            self.session(state).kb, len(tree.queries) + 1, ev.query, tree.collections, tree.filters, tree.strategy,
            self.settings.answer_list_length,
        )  # fmt: skip
        tree = tree.model_copy(update={"queries": (*tree.queries, ev.query), "calls": tree.calls + 1})
        tree = tree.log("search", ev.query, counted(tree.language, "answer.found", listing.total, total=listing.total))
        listed = ResultsListed(listing=listing, subquery=ev.subquery)
        return await self.go(ctx, state, listed, tree=tree, listing=listing, total=listing.total)

    @step
    async def select(
        self, ctx: AnswerContext, ev: ResultsListed
    ) -> SourceSelected | SearchWanted | EvidenceSufficient | AnswerClarification:
        state = await self.state(ctx)
        tree, reasoner = held(state.tree), self.session(state).reasoner
        needed = loop.clarification(tree, ev.listing, self.settings)
        if needed is not None:
            return await self._clarify(ctx, state, needed)
        candidates = ev.listing.candidates(tree.listed)
        chosen = await reasoner.select(tree.question, ev.subquery, tree.language, candidates, tree.facts())
        tree = tree.model_copy(
            update={"shown_tokens": tree.shown_tokens + shown([f"{one.title} {one.snippet}" for one in candidates])}
        )
        if chosen.number is None or not any(one.number == chosen.number for one in candidates):
            query = loop.another_query(tree, ev.subquery, chosen.query)
            tree = tree.log("backtrack", query or ev.subquery, chosen.reason)
            if query is None or tree.calls >= self.settings.answer_max_tool_calls:
                return await self.go(ctx, state, EvidenceSufficient(reason=chosen.reason), tree=tree)
            return await self.go(ctx, state, SearchWanted(query=query, subquery=ev.subquery), tree=tree)
        picked = ev.listing.pick(chosen.number, chosen.reason)
        tree = tree.model_copy(update={"listed": (*tree.listed, picked.hit.chunk.id)})
        tree = tree.log("select", f"[{picked.number}] {picked.hit.title or picked.hit.file}", chosen.reason)
        return await self.go(ctx, state, SourceSelected(picked=picked, subquery=ev.subquery), tree=tree)

    @step
    async def inspect(self, ctx: AnswerContext, ev: SourceSelected) -> SourceInspected:
        state = await self.state(ctx)
        inspected = await inspect(self.session(state).kb, ev.picked, ev.subquery)
        tree = held(state.tree)
        tree = tree.model_copy(
            update={"calls": tree.calls + 1, "shown_tokens": tree.shown_tokens + loop.outline_tokens(inspected)}
        )
        tree = tree.log("inspect", ev.picked.hit.title or ev.picked.hit.file)
        return await self.go(ctx, state, SourceInspected(inspected=inspected, subquery=ev.subquery), tree=tree)

    @step
    async def target(self, ctx: AnswerContext, ev: SourceInspected) -> SectionChosen | FactsStored:
        """Choose a section of the inspected document that was not read before; go on to the review if there is none."""
        state = await self.state(ctx)
        tree, reasoner = held(state.tree), self.session(state).reasoner
        number, reason = await loop.choose_section(reasoner, tree, ev.inspected, ev.subquery)
        if number is None:
            return await self.go(ctx, state, FactsStored(subquery=ev.subquery))
        chosen = ev.inspected.choose(number)
        tree = tree.log("read", chosen.section.label, reason)
        return await self.go(ctx, state, SectionChosen(chosen=chosen, subquery=ev.subquery), tree=tree)

    @step
    async def read(self, ctx: AnswerContext, ev: SectionChosen) -> FactsStored:
        state = await self.state(ctx)
        tree = held(state.tree)
        work = self.work(state)
        node, text = await read(work, tree, ev.chosen, ev.subquery)
        tree = tree.model_copy(
            update={
                "calls": tree.calls + 1,
                "read": (*tree.read, ev.chosen.section.id),
                "shown_tokens": tree.shown_tokens + shown([text]),
            }
        )
        waiting = await leads(work, tree, node)
        tree = loop.stored(tree, [node], waiting, self.settings)
        return await self.go(ctx, state, FactsStored(subquery=ev.subquery, evidence=[node.evidence.key]), tree=tree)

    @step
    async def follow(self, ctx: AnswerContext, ev: LeadTaken) -> FactsStored:
        state = await self.state(ctx)
        tree = held(state.tree)
        work = self.work(state)
        nodes = await follow_lead(work, tree, ev.lead)
        tree = tree.model_copy(
            update={
                "calls": tree.calls + 1,
                "leads": tuple(one for one in tree.leads if one != ev.lead),
                "read": (*tree.read, ev.lead.mention.place),
                "shown_tokens": tree.shown_tokens + shown([node.whole for node in nodes]),
            }
        )
        tree = tree.log("follow", f"{ev.lead.mention.reference.text} -> {ev.lead.mention.label}", ev.lead.reason)
        further = [lead for node in nodes for lead in await leads(work, tree, node)]
        tree = loop.stored(tree, nodes, further, self.settings)
        keys = [node.evidence.key for node in nodes]
        return await self.go(ctx, state, FactsStored(subquery=ev.lead.subquery, evidence=keys), tree=tree)

    # --- review -------------------------------------------------------------------------------------------------------
    @step
    async def review(
        self, ctx: AnswerContext, ev: FactsStored
    ) -> SearchWanted | LeadTaken | ResultsListed | EvidenceSufficient | AnswerClarification:
        state = await self.state(ctx)
        tree = held(state.tree)
        reasoner = self.session(state).reasoner
        verdict = await reasoner.review(tree.question, tree.language, tree.subqueries, tree.facts(), state.total)
        tree = tree.log("review", verdict.status, verdict.reason)
        if verdict.status == "clarify" and not tree.kept:
            needed = verdict.clarify_type or "no_results"
            return await self._clarify(ctx, state, (needed, verdict.missing_info or verdict.reason), tree=tree)
        move = loop.next_move(tree, state.listing, verdict, ev.subquery, self.settings)
        event: SearchWanted | LeadTaken | ResultsListed | EvidenceSufficient
        match move.kind:
            case "follow":
                event = LeadTaken(lead=held(move.lead))
            case "list":
                event = ResultsListed(listing=held(state.listing), subquery=move.subquery)
            case "search":
                event = SearchWanted(query=move.query, subquery=move.subquery)
            case _:
                event = EvidenceSufficient(reason=verdict.reason)
        return await self.go(ctx, state, event, tree=tree)

    async def _clarify(
        self, ctx: AnswerContext, state: AnswerState, needed: tuple[Any, str], **changes: Any
    ) -> AnswerClarification | EvidenceSufficient:
        """Ask the user if interactive and asked less than twice; otherwise let the answer say what is missing."""
        kind, text = needed
        if not state.interactive or state.asked >= 2:
            return await self.go(ctx, state, EvidenceSufficient(reason=text), unanswered=kind, note=text, **changes)
        number = f"a{state.asked + 1}"
        fields = await asyncio.to_thread(loop.narrowing_fields, self.session(state).kb, held(state.tree).collections)
        question = AnswerClarification(id=number, type=kind, text=text, total=state.total, narrow_by=fields)
        return await self.go(ctx, state, question, question=number, asked=state.asked + 1, note=text, **changes)

    @step(num_workers=1)  # one reply at a time, so that a second reply finds the question already answered
    async def clarified(self, ctx: AnswerContext, ev: AnswerClarified) -> SearchWanted | EvidenceSufficient | None:
        state = await self.state(ctx)
        if not state.question or ev.id != state.question:
            return None  # already answered, or never asked
        tree = held(state.tree)
        addition = ev.text.strip()
        if not addition:
            enough = EvidenceSufficient(reason=state.note)
            found = state.listing is not None and bool(state.listing.hits)
            return await self.go(ctx, state, enough, question="", unanswered="overload" if found else "no_results")
        query = f"{tree.question} {addition}"
        wanted = SearchWanted(query=query, subquery=tree.subqueries[0])
        return await self.go(ctx, state, wanted, question="", note="", tree=tree.log("decompose", query, addition))

    # --- compose and verify -------------------------------------------------------------------------------------------
    @step
    async def compose(self, ctx: AnswerContext, ev: EvidenceSufficient, runs: Runs) -> ReportReady:
        state = await self.state(ctx)
        tree, session = held(state.tree), self.session(state)
        work = self.work(state)
        response = await answer_response(work, state)
        text = ""
        if state.unanswered and not tree.kept and response.status == "none":
            fields = await asyncio.to_thread(loop.narrowing_fields, session.kb, tree.collections)
            text = phrase(
                tree.language,
                f"answer.{state.unanswered}",
                total=state.total,
                missing=state.note,
                fields=", ".join(fields) or "file, title",
            )
        else:
            chosen = response_markdown(response, tree.language)
            evidence = [*response.evidence, *(node.evidence for node in tree.kept)]
            async for piece in answered(
                session.reasoner, tree, evidence, chosen, beside_markdown(response, tree.language)
            ):
                text += piece
                ctx.write_event_to_stream(ReportToken(text=piece))
        report = await answer_report(work, state, text, session.cost, response)
        await asyncio.to_thread(runs.put_report, state.run_id, report)
        await self.commit(ctx, state.going_on_with(None))
        return ReportReady(report=report)
