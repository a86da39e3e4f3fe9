"""Answering as a flow: search, select, inspect, read, store, review; then compose and verify.

The order is enforced by the events: a section is read only from ``SectionChosen``, which only ``SourceInspected`` leads
to, which only a number of the last list leads to. Runs, states and reasoners are kept by ``run.session``.
"""

from __future__ import annotations

import asyncio
from typing import Any

from workflows import step
from workflows.events import Event

from rabbithole.kb.search.filters import parse_filter
from rabbithole.steps.answering import decompose, loop
from rabbithole.steps.answering.reading import follow_lead, leads, read
from rabbithole.steps.answering.selection import inspect, search
from rabbithole.steps.answering.tree import shown
from rabbithole.steps.models import Anchor
from rabbithole.steps.phrases import phrase
from rabbithole.steps.response import response_markdown
from rabbithole.steps.response.render import beside_markdown

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
)
from .events import ReportReady, ReportToken
from .report.answer_report import answer_report, answer_response, answered
from .run.answer_state import AnswerState, held
from .run.session import AnswerRuns, Ctx
from .run.start import LONGEST_QUESTION_TOKENS


class AnswerWorkflow(AnswerRuns):
    """One question on one knowledge base. Returns a ``Report`` of mode 'answer'; its trace goes to ``traces``."""

    # --- decompose and plan -------------------------------------------------------------------------------------------
    @step
    async def begin(self, ctx: Ctx, ev: AnswerRequest) -> SearchWanted | AnswerClarification | ReportReady | None:
        """Start an answer, or continue a stored one with the event it goes on with."""
        reasoner = await self.chosen_reasoner()
        if ev.resume:
            state = await asyncio.to_thread(self.resume_state, ev.run_id, interactive=ev.interactive)
            event = state.next_event()
            if not isinstance(event, AnswerRequest):
                return await self._go_on(ctx, state, event)
            ev = event
        else:
            question = decompose.checked(ev.question, LONGEST_QUESTION_TOKENS)
            state = AnswerState(run_id=ev.run_id, query=question, interactive=ev.interactive)
        given = [parse_filter(one) for one in ev.filters]
        collections = await asyncio.to_thread(self.kb.require, ev.collections)
        self._sessions[state.run_id] = self.open_session(state, reasoner)
        if not self.runs.holds(state.run_id):
            self.runs.acquire(state.run_id)
        await self.keep(ctx, state, ev)
        reasoner = self.session(state).reasoner
        tree = await decompose.plan(self.kb, reasoner, state.query, ev.language, collections, given)
        anchor = Anchor(query=state.query, language=tree.language, research_queries=tree.subqueries)
        wanted = SearchWanted(query=tree.subqueries[0], subquery=tree.subqueries[0])
        return await self.go(ctx, state, wanted, tree=tree, anchor=anchor)

    async def _go_on(self, ctx: Ctx, state: AnswerState, event: Event | None) -> Any:
        """What a stored run does next; an open question is asked again, or, without a person, left open."""
        self._sessions[state.run_id] = self.open_session(state, await self.chosen_reasoner())
        if event is None:
            report = await asyncio.to_thread(self.runs.report, state.run_id)
            if report is not None:
                await ctx.store.set_state(state)
                return ReportReady(report=report)
            event = EvidenceSufficient()
        if isinstance(event, AnswerClarification) and not state.interactive:
            asked, event = event, EvidenceSufficient(reason=state.note)
            await self.keep(ctx, state, event, unanswered=asked.type, question="")
        else:
            await self.keep(ctx, state, event)
        return self.send(ctx, [event])

    # --- search, select, inspect, read --------------------------------------------------------------------------------
    @step
    async def search(self, ctx: Ctx, ev: SearchWanted) -> ResultsListed:
        state = await self.state(ctx)
        tree = held(state.tree)
        listing = await search(
            self.kb, len(tree.queries) + 1, ev.query, tree.collections, tree.filters, tree.strategy,
            self.settings.answer_list_length,
        )  # fmt: skip
        tree = tree.model_copy(update={"queries": (*tree.queries, ev.query), "calls": tree.calls + 1})
        tree = tree.log("search", ev.query, phrase(tree.language, "answer.found", total=listing.total))
        listed = ResultsListed(listing=listing, subquery=ev.subquery)
        return await self.go(ctx, state, listed, tree=tree, listing=listing, total=listing.total)

    @step
    async def select(
        self, ctx: Ctx, ev: ResultsListed
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
    async def inspect(self, ctx: Ctx, ev: SourceSelected) -> SourceInspected:
        state = await self.state(ctx)
        inspected = await inspect(self.kb, ev.picked, ev.subquery)
        tree = held(state.tree)
        tree = tree.model_copy(
            update={"calls": tree.calls + 1, "shown_tokens": tree.shown_tokens + loop.outline_tokens(inspected)}
        )
        tree = tree.log("inspect", ev.picked.hit.title or ev.picked.hit.file)
        return await self.go(ctx, state, SourceInspected(inspected=inspected, subquery=ev.subquery), tree=tree)

    @step
    async def target(self, ctx: Ctx, ev: SourceInspected) -> SectionChosen | FactsStored:
        """Which section of the inspected document to read; none that was read before."""
        state = await self.state(ctx)
        tree, reasoner = held(state.tree), self.session(state).reasoner
        number, reason = await loop.choose_section(reasoner, tree, ev.inspected, ev.subquery)
        if number is None:
            return await self.go(ctx, state, FactsStored(subquery=ev.subquery))
        chosen = ev.inspected.choose(number)
        tree = tree.log("read", chosen.section.label, reason)
        return await self.go(ctx, state, SectionChosen(chosen=chosen, subquery=ev.subquery), tree=tree)

    @step
    async def read(self, ctx: Ctx, ev: SectionChosen) -> FactsStored:
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
    async def follow(self, ctx: Ctx, ev: LeadTaken) -> FactsStored:
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
        self, ctx: Ctx, ev: FactsStored
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
        self, ctx: Ctx, state: AnswerState, needed: tuple[Any, str], **changes: Any
    ) -> AnswerClarification | EvidenceSufficient:
        """Ask the person; without one, the answer says what is missing."""
        kind, text = needed
        if not state.interactive or state.asked >= 2:
            return await self.go(ctx, state, EvidenceSufficient(reason=text), unanswered=kind, note=text, **changes)
        number = f"a{state.asked + 1}"
        fields = await asyncio.to_thread(loop.narrowing_fields, self.kb, held(state.tree).collections)
        question = AnswerClarification(id=number, type=kind, text=text, total=state.total, narrow_by=fields)
        return await self.go(ctx, state, question, question=number, asked=state.asked + 1, note=text, **changes)

    @step(num_workers=1)  # one reply at a time: the second finds the question answered
    async def clarified(self, ctx: Ctx, ev: AnswerClarified) -> SearchWanted | EvidenceSufficient | None:
        state = await self.state(ctx)
        if not state.question or ev.id != state.question:
            return None  # answered already, or never asked
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
    async def compose(self, ctx: Ctx, ev: EvidenceSufficient) -> ReportReady:
        state = await self.state(ctx)
        tree, session = held(state.tree), self.session(state)
        work = self.work(state)
        response = await answer_response(work, state)
        text = ""
        if state.unanswered and not tree.kept and response.status == "none":
            fields = await asyncio.to_thread(loop.narrowing_fields, self.kb, tree.collections)
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
        await asyncio.to_thread(self.traces.save, state.run_id, tree, report)
        await asyncio.to_thread(self.runs.put_report, state.run_id, report)
        await self.keep(ctx, state, None)
        return ReportReady(report=report)
