"""What is done of a research before its turn: plan and first task, while the retrieval of the question is analysed."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Anchor, Round, Todo
from rabbithole.steps.phases import dig, plan, understand
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings

from .background import Ahead
from .state import ResearchState
from .store import RunStore
from .waves import SEARCHING, dig_urgency


class Forerun:
    """Of one sitting. What a step finds begun it waits for; what is not it does itself, in the same way."""

    def __init__(
        self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore, ahead: Ahead
    ) -> None:
        self._kb, self._reasoner, self._settings, self._runs, self._ahead = kb, reasoner, settings, runs, ahead
        self._anchor: asyncio.Future[Anchor] | None = None
        self._begun: set[tuple[Hashable, ...]] = set()

    def warm(self) -> None:
        """Load what the first search and the first wave would wait for."""

        def load() -> None:
            self._kb.embed(["."], query=True)
            self._kb.detect("")

        self._ahead.begin("encoder and names", asyncio.to_thread(load))

    def begin(self, state: ResearchState, rounds: Sequence[Round]) -> None:
        """When no questions will be asked: plan, and read for the question, while retrieval is analysed."""
        self._anchor = asyncio.get_running_loop().create_future()
        self._ahead.begin("plan", self._propose(state, rounds))
        self.read_question(state, understand.asked(state.query, state.language, rounds))

    def read_question(self, state: ResearchState, anchor: Anchor) -> None:
        """Task 0 is known before the plan is: read for it while that is made."""
        question = plan.question_itself(anchor)
        self._ahead.begin(key_of(question), self._read(state, anchor, question))

    def understood(self, anchor: Anchor) -> None:
        """What tasks of the plan are read with, whether they are read before their turn or not."""
        if self._anchor is not None and not self._anchor.done():
            self._anchor.set_result(anchor)

    async def proposed(self, state: ResearchState) -> tuple[Todo, ...]:
        """The plan that nobody approves: of the question as asked, so that it can be made while that is analysed."""
        todos = await (self._ahead.take("plan") or self._propose(state, state.rounds))
        self._ahead.drop(*(self._begun - set(map(key_of, todos))))
        return todos

    async def reading(self, state: ResearchState, anchor: Anchor, todo: Todo) -> dig.TaskReading:
        """What the search of a task brought and what the reasoner says of it."""
        return await (self._ahead.take(key_of(todo)) or self._read(state, anchor, todo))

    async def _propose(self, state: ResearchState, rounds: Sequence[Round]) -> tuple[Todo, ...]:
        anchor = understand.asked(state.query, state.language, rounds)
        passages = await understand.passages_of_rounds(self._kb, rounds)

        def begun(todo: Todo) -> None:
            """A task that stands in the plan already is read for while the rest of it comes."""
            self._begun.add(key_of(todo))
            self._ahead.begin(key_of(todo), self._read_understood(state, todo))

        return await plan.propose(self._reasoner, anchor, passages, self._settings, begun if self._anchor else None)

    async def _read_understood(self, state: ResearchState, todo: Todo) -> dig.TaskReading:
        assert self._anchor is not None
        return await self._read(state, await asyncio.shield(self._anchor), todo)

    async def _read(self, state: ResearchState, anchor: Anchor, todo: Todo) -> dig.TaskReading:
        dig_urgency(state, todo.id, SEARCHING)
        inherited = self._runs.evidence(state.parent_run, state.inherited) if todo.id == 0 else ()
        return await dig.read_task(
            self._kb, self._reasoner, self._settings, anchor, todo, state.collections, inherited=inherited
        )


def key_of(todo: Todo) -> tuple[Hashable, ...]:
    """What the reading of a task depends on."""
    return todo.id, todo.text, todo.queries
