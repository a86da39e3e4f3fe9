"""Run research in tests, with a real knowledge base, a real run store and the extractive reasoner."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from workflows.events import Event

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Reference, Resolution
from rabbithole.steps.models import Answer
from rabbithole.steps.phases.gate import Proposal
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    PlanApproved,
    PlanProposed,
    ResearchRequest,
)
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

QUESTION = (
    "Wie hoch darf die effektive Dosis von Personen sein, die in einem Isotopenlaboratorium beschäftigt sind, "
    "und wann ist mehr erlaubt?"
)
DELAYED = ("extract", "gate", "summarise", "task_queries")
COUNTED = ("queries", "analyse", "plan", *DELAYED)


class DelayedReasoner(ExtractiveReasoner):
    """A reasoner that answers after a random delay, so that concurrent steps end in any order."""

    def __init__(self, seed: int, longest: float = 0.005) -> None:
        super().__init__()
        self._random = random.Random(seed)
        self._longest = longest

    def for_run(self, recorder: Any, cache: Any = None) -> DelayedReasoner:
        return self

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in DELAYED:
            return found

        async def later(*args: Any, **kwargs: Any) -> Any:
            await asyncio.sleep(self._random.random() * self._longest)
            return await found(*args, **kwargs)

        return later


class CountingReasoner(ExtractiveReasoner):
    """Counts its calls by method over all runs."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def for_run(self, recorder: Any, cache: Any = None) -> CountingReasoner:
        return self

    def __getattribute__(self, name: str) -> Any:
        if name in COUNTED:
            self.calls.append(name)
        return super().__getattribute__(name)


def proposal(number: int) -> Proposal:
    """A reference the gate wants followed, to a place of its own."""
    reference = Reference(start=number, end=number + 1, text="§ 1", kind="legal_section", target="§ 1")
    resolution = Resolution(status="resolved", rule="", document="d", section="s")
    mention = Mention(
        reference=reference, source="e1", context="", resolution=resolution, place=f"d/{number}", label="§ 1"
    )
    return Proposal(mention=mention, decision="follow")


def settings(**changes: Any) -> ResearchSettings:
    """Return settings for a test, without those of a ``.env`` file."""
    return ResearchSettings(_env_file=None, **changes)


def workflow(kb: KnowledgeBase, runs: RunStore, reasoner: Any = None, **changes: Any) -> ResearchWorkflow:
    return ResearchWorkflow(kb, settings(**changes), reasoner or ExtractiveReasoner(), runs)


async def finish(
    flow: ResearchWorkflow,
    request: ResearchRequest,
    on_event: Callable[[Any, Event], Awaitable[None]] | None = None,
) -> tuple[Report, list[Event]]:
    """Run to the end; ``on_event(handler, event)`` may answer questions."""
    handler = flow.run(start_event=request)
    events: list[Event] = []
    async for event in handler.stream_events():
        events.append(event)
        if on_event is not None:
            await on_event(handler, event)
    report: Report = (await handler).report
    return report, events


async def finish_and_close(
    flow: ResearchWorkflow,
    request: ResearchRequest,
    reasoner: Reasoner | None,
    on_event: Callable[[Any, Event], Awaitable[None]] | None = None,
) -> tuple[Report, list[Event]]:
    """Run to the end and close the reasoner's connections, which belong to this event loop."""
    try:
        done = await finish(flow, request, on_event)
        await flow.settled()
        return done
    finally:
        if reasoner is not None:
            await reasoner.close()


def research(kb: KnowledgeBase, path: Path, query: str = QUESTION, reasoner: Any = None, **changes: Any) -> Report:
    """Complete a run without questions to the user; ``path`` is its run store."""
    runs = SqliteRunStore(path)
    try:
        request = ResearchRequest(query=query, auto_approve=True)
        return asyncio.run(finish_and_close(workflow(kb, runs, reasoner, **changes), request, reasoner))[0]
    finally:
        runs.close()


async def answer_all(handler: Any, event: Event) -> None:
    """A person who answers every first question and approves the plan."""
    if isinstance(event, ClarificationRequested):
        said = [Answer(question=event.questions[0].id, text="Es geht um volljährige Beschäftigte.")]
        handler.ctx.send_event(ClarificationAnswered(id=event.id, answers=said))
    elif isinstance(event, PlanProposed):
        handler.ctx.send_event(PlanApproved(id=event.id, todos=event.todos))
