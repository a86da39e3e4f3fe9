"""What is done of a research before its turn: plan and first task, while the retrieval of the question is analysed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..kb.knowledge_base import KnowledgeBase
from ..steps import dig, plan, understand
from ..steps.models import Anchor, Round, Todo
from ..steps.reasoning.protocol import Reasoner
from ..steps.settings import ResearchSettings
from .ahead import Ahead
from .runs import RunStore
from .state import ResearchState
from .waves import SEARCHING, dig_urgency


class Forerun:
    """Of one sitting. What a step finds begun it waits for; what is not it does itself, in the same way."""

    def __init__(
        self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore, ahead: Ahead
    ) -> None:
        self._kb, self._reasoner, self._settings, self._runs, self._ahead = kb, reasoner, settings, runs, ahead

    def warm(self) -> None:
        """Load what the first search and the first wave would wait for."""

        def load() -> None:
            self._kb.embed(["."], query=True)
            self._kb.detect("")

        self._ahead.begin("encoder and names", asyncio.to_thread(load))

    def begin(self, state: ResearchState, rounds: Sequence[Round]) -> None:
        """When no questions will be asked: plan, and read for the question, while retrieval is analysed."""
        self._ahead.begin("plan", self._propose(state, rounds))
        self.read_question(state, understand.asked(state.query, state.language, rounds))

    def read_question(self, state: ResearchState, anchor: Anchor) -> None:
        """Task 0 is known before the plan is: read for it while that is made."""
        question = plan.question_itself(anchor)
        self._ahead.begin((question.id, question.text), self._read(state, anchor, question))

    async def proposed(self, state: ResearchState) -> tuple[Todo, ...]:
        """The plan that nobody approves: of the question as asked, so that it can be made while that is analysed."""
        return await (self._ahead.take("plan") or self._propose(state, state.rounds))

    async def reading(self, state: ResearchState, anchor: Anchor, todo: Todo) -> dig.TaskReading:
        """What the search of a task brought and what the reasoner says of it."""
        return await (self._ahead.take((todo.id, todo.text)) or self._read(state, anchor, todo))

    async def _propose(self, state: ResearchState, rounds: Sequence[Round]) -> tuple[Todo, ...]:
        anchor = understand.asked(state.query, state.language, rounds)
        passages = await understand.passages_of_rounds(self._kb, rounds)
        return await plan.propose(self._reasoner, anchor, passages, self._settings)

    async def _read(self, state: ResearchState, anchor: Anchor, todo: Todo) -> dig.TaskReading:
        dig_urgency(state, todo.id, SEARCHING)
        inherited = self._runs.evidence(state.parent_run, state.inherited) if todo.id == 0 else ()
        return await dig.read_task(
            self._kb, self._reasoner, self._settings, anchor, todo, state.collections, inherited=inherited
        )
