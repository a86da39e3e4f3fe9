"""The evidence a report is written from: what was read and kept, and the passages that answer the question."""

from __future__ import annotations

import asyncio

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.write import in_order
from rabbithole.steps.question import understand
from rabbithole.steps.response import Response, respond
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import ResearchState


class KeptEvidence:
    """The evidence of one run. The passages that answer are chosen once."""

    def __init__(self, kb: KnowledgeBase, runs: RunStore) -> None:
        self._kb, self._runs = kb, runs
        self._response: Response | None = None

    async def all(self, state: ResearchState) -> tuple[Evidence, ...]:
        """Return all kept evidence and the passages the answer quotes, in canonical order."""
        quoted = {item.key: item for item in (await self.response(state)).evidence}
        kept = [quoted.pop(item.key, item) for item in self.read(state)]
        return in_order([*quoted.values(), *kept])

    def read(self, state: ResearchState) -> tuple[Evidence, ...]:
        """Return the evidence that was read and not dropped, in canonical order, each place once per task."""
        gone = set(state.dropped)
        keys = [key for task in sorted(state.tasks) for key in state.evidence_keys(task) if key not in gone]
        return in_order(self._runs.evidence(state.run_id, list(dict.fromkeys(keys))))

    async def response(self, state: ResearchState) -> Response:
        """Return the passages that answer the question, chosen from the collection and the evidence; cached."""
        if self._response is None:
            self._response = await asyncio.to_thread(self._respond, state)
        return self._response

    def _respond(self, state: ResearchState) -> Response:
        refinements = state.anchor.refinements if state.anchor else ()
        understood = understand(self._kb, state.query, state.language, state.collections, refinements)
        understood = understood.within(state.documents).model_copy(update={"leading": state.leading})
        read = [item for item in self.read(state) if item.tier]
        return respond(self._kb, understood, state.collections, evidence=read if state.mode != "plain" else ())
