"""Answering as a flow: search, select, inspect, read, store, review; then compose and verify.

The order is enforced by the events: a section is read only from ``SectionChosen``, which only ``SourceInspected`` leads
to, which only a number of the last list leads to.
"""

from __future__ import annotations

import asyncio
import uuid
from typing import Any, TypeVar

from workflows import Context, Workflow, step

from ..kb.errors import UsageError
from ..kb.knowledge_base import KnowledgeBase
from ..kb.search.filters import parse_filter
from ..steps.answering import decompose, loop
from ..steps.answering.reading import Answering, follow_lead, leads, read
from ..steps.answering.selection import inspect, search
from ..steps.answering.settings import AnswerSettings
from ..steps.answering.tree import shown
from ..steps.models import Anchor
from ..steps.phrases import phrase
from ..steps.reasoning.factory import amake_reasoner
from ..steps.reasoning.protocol import Reasoner
from ..steps.reasoning.recorder import Recorder
from ..steps.reasoning.settings import ReasonerSettings
from ..steps.settings import ResearchSettings
from .answer_events import (
    AnswerClarification,
    AnswerClarified,
    AnswerRequest,
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
from .answer_report import answer_report
from .answer_state import AnswerState
from .beginning import LONGEST_QUESTION_TOKENS
from .events import ReportReady, ReportToken
from .traces import TraceStore

Ctx = Context[AnswerState]
Part = TypeVar("Part")


class AnswerWorkflow(Workflow):
    """One question on one knowledge base. Returns a ``Report`` of mode 'answer'; its trace goes to ``traces``."""

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: AnswerSettings | None = None,
        reasoner: Reasoner | None = None,
        traces: TraceStore | None = None,
        research: ResearchSettings | None = None,
        **options: Any,
    ) -> None:
        super().__init__(timeout=None, **options)
        self.kb = kb
        self.settings = settings or AnswerSettings()
        self.research = research or ResearchSettings()
        self.traces = traces or TraceStore.beside(kb.folder, self.research.runs_path)
        self._reasoner = reasoner
        self._recorders: dict[str, Recorder] = {}
        self._reasoners: dict[str, Reasoner] = {}

    def work(self, state: AnswerState) -> Answering:
        """What the phases work with in this run."""
        return Answering(
            kb=self.kb,
            reasoner=self._reasoners[state.run_id],
            settings=self.settings,
            research=self.research,
            anchor=set_(state.anchor),
        )

    async def _commit(self, ctx: Ctx, state: AnswerState, **changes: Any) -> AnswerState:
        """Set the new state, stream what the trace gained, keep the trace on disk."""
        new = state.model_copy(update=changes)
        before = len(state.tree.trace) if state.tree else 0
        for entry in new.tree.trace[before:] if new.tree else ():
            ctx.write_event_to_stream(ToolUsed(**entry.model_dump()))
        await ctx.store.set_state(new)
        if new.tree is not None:
            await asyncio.to_thread(self.traces.save, new.run_id, new.tree)
        return new

    # --- decompose and plan -------------------------------------------------------------------------------------------
    @step
    async def begin(self, ctx: Ctx, ev: AnswerRequest) -> SearchWanted:
        question = decompose.checked(ev.question, LONGEST_QUESTION_TOKENS)
        run_id = ev.run_id or uuid.uuid4().hex[:12]
        self._reasoner = self._reasoner or await amake_reasoner(ReasonerSettings(), self.kb)
        self._recorders[run_id] = Recorder()
        self._reasoners[run_id] = self._reasoner.for_run(self._recorders[run_id])
        collections = await asyncio.to_thread(self.kb.require, ev.collections)
        given = [parse_filter(one) for one in ev.filters]
        tree = await decompose.plan(self.kb, self._reasoners[run_id], question, ev.language, collections, given)
        anchor = Anchor(query=question, language=tree.language, research_queries=tree.subqueries)
        state = AnswerState(run_id=run_id, interactive=ev.interactive, anchor=anchor)
        await self._commit(ctx, state, tree=tree)
        return SearchWanted(query=tree.subqueries[0], subquery=tree.subqueries[0])

    # --- search, select, inspect, read --------------------------------------------------------------------------------
    @step
    async def search(self, ctx: Ctx, ev: SearchWanted) -> ResultsListed:
        state = await ctx.store.get_state()
        tree = set_(state.tree)
        listing = await search(
            self.kb, len(tree.queries) + 1, ev.query, tree.collections, tree.filters, tree.strategy,
            self.settings.answer_list_length,
        )  # fmt: skip
        tree = tree.model_copy(update={"queries": (*tree.queries, ev.query), "calls": tree.calls + 1})
        tree = tree.log("search", ev.query, phrase(tree.language, "answer.found", total=listing.total))
        await self._commit(ctx, state, tree=tree, listing=listing, total=listing.total)
        return ResultsListed(listing=listing, subquery=ev.subquery)

    @step
    async def select(
        self, ctx: Ctx, ev: ResultsListed
    ) -> SourceSelected | SearchWanted | EvidenceSufficient | AnswerClarification:
        state = await ctx.store.get_state()
        tree, reasoner = set_(state.tree), self._reasoners[state.run_id]
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
            await self._commit(ctx, state, tree=tree)
            if query is None or tree.calls >= self.settings.answer_max_tool_calls:
                return EvidenceSufficient(reason=chosen.reason)
            return SearchWanted(query=query, subquery=ev.subquery)
        picked = ev.listing.pick(chosen.number, chosen.reason)
        tree = tree.model_copy(update={"listed": (*tree.listed, picked.hit.chunk.id)})
        tree = tree.log("select", f"[{picked.number}] {picked.hit.title or picked.hit.file}", chosen.reason)
        await self._commit(ctx, state, tree=tree)
        return SourceSelected(picked=picked, subquery=ev.subquery)

    @step
    async def inspect(self, ctx: Ctx, ev: SourceSelected) -> SourceInspected:
        state = await ctx.store.get_state()
        inspected = await inspect(self.kb, ev.picked, ev.subquery)
        tree = set_(state.tree)
        tree = tree.model_copy(
            update={"calls": tree.calls + 1, "shown_tokens": tree.shown_tokens + loop.outline_tokens(inspected)}
        )
        await self._commit(ctx, state, tree=tree.log("inspect", ev.picked.hit.title or ev.picked.hit.file))
        return SourceInspected(inspected=inspected, subquery=ev.subquery)

    @step
    async def target(self, ctx: Ctx, ev: SourceInspected) -> SectionChosen | FactsStored:
        """Which section of the inspected document to read; none that was read before."""
        state = await ctx.store.get_state()
        number, reason = await loop.choose_section(
            self._reasoners[state.run_id], set_(state.tree), ev.inspected, ev.subquery
        )
        if number is None:
            return FactsStored(subquery=ev.subquery)
        chosen = ev.inspected.choose(number)
        await self._commit(ctx, state, tree=set_(state.tree).log("read", chosen.section.label, reason))
        return SectionChosen(chosen=chosen, subquery=ev.subquery)

    @step
    async def read(self, ctx: Ctx, ev: SectionChosen) -> FactsStored:
        state = await ctx.store.get_state()
        tree = set_(state.tree)
        node, text = await read(self.work(state), tree, ev.chosen, ev.subquery)
        tree = tree.model_copy(
            update={
                "calls": tree.calls + 1,
                "read": (*tree.read, ev.chosen.section.id),
                "shown_tokens": tree.shown_tokens + shown([text]),
            }
        )
        waiting = await leads(self.work(state), tree, node)
        tree = loop.stored(tree, [node], waiting, self.settings)
        await self._commit(ctx, state, tree=tree)
        return FactsStored(subquery=ev.subquery, evidence=[node.evidence.key])

    @step
    async def follow(self, ctx: Ctx, ev: LeadTaken) -> FactsStored:
        state = await ctx.store.get_state()
        tree = set_(state.tree)
        nodes = await follow_lead(self.work(state), tree, ev.lead)
        tree = tree.model_copy(
            update={
                "calls": tree.calls + 1,
                "leads": tuple(one for one in tree.leads if one != ev.lead),
                "read": (*tree.read, ev.lead.mention.place),
                "shown_tokens": tree.shown_tokens + shown([node.whole for node in nodes]),
            }
        )
        tree = tree.log("follow", f"{ev.lead.mention.reference.text} -> {ev.lead.mention.label}", ev.lead.reason)
        tree = loop.stored(tree, nodes, (), self.settings)
        await self._commit(ctx, state, tree=tree)
        return FactsStored(subquery=ev.lead.subquery, evidence=[node.evidence.key for node in nodes])

    # --- review -------------------------------------------------------------------------------------------------------
    @step
    async def review(
        self, ctx: Ctx, ev: FactsStored
    ) -> SearchWanted | LeadTaken | ResultsListed | EvidenceSufficient | AnswerClarification:
        state = await ctx.store.get_state()
        tree = set_(state.tree)
        verdict = await self._reasoners[state.run_id].review(
            tree.question, tree.language, tree.subqueries, tree.facts(), state.total
        )
        tree = tree.log("review", verdict.status, verdict.reason)
        state = await self._commit(ctx, state, tree=tree)
        if verdict.status == "clarify" and not tree.kept:
            needed = verdict.clarify_type or "no_results"
            return await self._clarify(ctx, state, (needed, verdict.missing_info or verdict.reason))
        move = loop.next_move(tree, state.listing, verdict, ev.subquery, self.settings)
        match move.kind:
            case "follow":
                return LeadTaken(lead=tree.leads[0])
            case "list":
                return ResultsListed(listing=set_(state.listing), subquery=move.subquery)
            case "search":
                return SearchWanted(query=move.query, subquery=move.subquery)
            case _:
                return EvidenceSufficient(reason=verdict.reason)

    async def _clarify(
        self, ctx: Ctx, state: AnswerState, needed: tuple[Any, str]
    ) -> AnswerClarification | EvidenceSufficient:
        """Ask the person; without one, the answer says what is missing."""
        kind, text = needed
        if not state.interactive or state.asked >= 2:
            await self._commit(ctx, state, unanswered=kind, note=text)
            return EvidenceSufficient(reason=text)
        number = f"a{state.asked + 1}"
        await self._commit(ctx, state, question=number, asked=state.asked + 1, note=text)
        fields = await asyncio.to_thread(loop.narrowing_fields, self.kb, set_(state.tree).collections)
        return AnswerClarification(id=number, type=kind, text=text, total=state.total, narrow_by=fields)

    @step
    async def clarified(self, ctx: Ctx, ev: AnswerClarified) -> SearchWanted | EvidenceSufficient | None:
        state = await ctx.store.get_state()
        if not state.question or ev.id != state.question:
            return None  # answered already, or never asked
        tree = set_(state.tree)
        addition = ev.text.strip()
        if not addition:
            await self._commit(ctx, state, question="", unanswered="no_results")
            return EvidenceSufficient(reason=state.note)
        query = f"{tree.question} {addition}"
        await self._commit(ctx, state, question="", note="", tree=tree.log("decompose", query, addition))
        return SearchWanted(query=query, subquery=tree.subqueries[0])

    # --- compose and verify -------------------------------------------------------------------------------------------
    @step
    async def compose(self, ctx: Ctx, ev: EvidenceSufficient) -> ReportReady:
        state = await ctx.store.get_state()
        tree, reasoner = set_(state.tree), self._reasoners[state.run_id]
        text = ""
        if state.unanswered and not tree.kept:
            text = phrase(tree.language, f"answer.{state.unanswered}", total=state.total, missing=state.note)
        else:
            evidence = [node.evidence for node in tree.kept]
            async for piece in reasoner.compose(tree.question, tree.language, tree.facts(), evidence):
                text += piece
                ctx.write_event_to_stream(ReportToken(text=piece))
        report = await answer_report(self.work(state), state, text, self._recorders.pop(state.run_id))
        await asyncio.to_thread(self.traces.save, state.run_id, tree, report)
        del self._reasoners[state.run_id]
        return ReportReady(report=report)


def set_(value: Part | None) -> Part:
    """A part of the state that the order of the steps guarantees."""
    if value is None:
        raise UsageError("The answer was taken up in the middle; start it again.")
    return value
