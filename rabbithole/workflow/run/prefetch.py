"""Whose turn it is, and what is done before its turn: the plan and the first tasks, while retrieval is analysed.

What it brings is used only by the step that would have done the same, so nothing depends on whether it was begun. Its
gain is measured in ``docs/benchmark-research.md``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable, Sequence
from typing import Any

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Anchor, Round, Todo
from rabbithole.steps.phases import dig, plan, understand
from rabbithole.steps.reasoning.client.priority import PRESSING, URGENCY
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings

from .state import ResearchState
from .store import RunStore

SEARCHING, SUMMARISING = 0, 1_000
"""How far a task is: gates and follows of a wave lie between, a wave after the other."""


def dig_urgency(state: ResearchState, task: int, stage: int) -> None:
    """Whose turn it is in this context: what leads to most work after it goes first.

    That is the question itself, whose gaps become tasks, and those tasks, which end last; then whatever task has come
    less far, so that all end at about the same time.
    """
    one = state.tasks.get(task)
    pressing = task == 0 or (one is not None and one.round > 1)
    URGENCY.set((PRESSING if pressing else PRESSING + 1, stage, task))


class Background:
    """Tasks of one session, by what they are for."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    def begin(self, key: Hashable, work: Coroutine[Any, Any, Any]) -> None:
        """Start this work unless it is under way."""
        if key in self._tasks:
            work.close()
            return
        self._tasks[key] = task = asyncio.create_task(work)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # whoever takes it sees the error

    def take(self, key: Hashable) -> asyncio.Task[Any] | None:
        """The work begun for this, once; whoever takes it awaits it, and cancels it by being cancelled."""
        return self._tasks.pop(key, None)

    def drop(self, *keys: Hashable) -> None:
        """Cancel what nobody will take."""
        for key in keys:
            if (task := self._tasks.pop(key, None)) is not None:
                task.cancel()

    def close(self) -> None:
        """Cancel what nobody took."""
        self.drop(*self._tasks)


class Prefetch:
    """Of one session. What a step finds begun it waits for; what is not it does itself, in the same way."""

    def __init__(
        self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore, background: Background
    ) -> None:
        self._kb, self._reasoner, self._settings, self._runs = kb, reasoner, settings, runs
        self._background = background
        self._anchor: asyncio.Future[Anchor] | None = None
        self._begun: set[tuple[Hashable, ...]] = set()

    def warm(self) -> None:
        """Load what the first search, the first wave and the answer would wait for."""

        def load() -> None:
            self._kb.embed(["."], query=True)
            self._kb.detect("")
            if (second := self._kb.answer_encoder) is not None:
                second.embed(["."], query=True)

        self._background.begin("encoders and names", asyncio.to_thread(load))

    def begin(self, state: ResearchState, rounds: Sequence[Round]) -> None:
        """When no questions will be asked: plan, and read for the question, while retrieval is analysed."""
        self._anchor = asyncio.get_running_loop().create_future()
        self._background.begin("plan", self._propose(state, rounds))
        self.read_question(state, understand.asked(state.query, state.language, rounds))

    def read_question(self, state: ResearchState, anchor: Anchor) -> None:
        """Task 0 is known before the plan is: read for it while that is made."""
        question = plan.question_itself(anchor)
        self._background.begin(key_of(question), self._read(state, anchor, question))

    def understood(self, anchor: Anchor) -> None:
        """What tasks of the plan are read with, whether they are read before their turn or not."""
        if self._anchor is not None and not self._anchor.done():
            self._anchor.set_result(anchor)

    async def proposed(self, state: ResearchState) -> tuple[Todo, ...]:
        """The plan that nobody approves: of the question as asked, so that it can be made while that is analysed."""
        todos = await (self._background.take("plan") or self._propose(state, state.rounds))
        self._background.drop(*(self._begun - set(map(key_of, todos))))
        return todos

    async def reading(self, state: ResearchState, anchor: Anchor, todo: Todo) -> dig.TaskReading:
        """What the search of a task brought and what the reasoner says of it."""
        return await (self._background.take(key_of(todo)) or self._read(state, anchor, todo))

    async def _propose(self, state: ResearchState, rounds: Sequence[Round]) -> tuple[Todo, ...]:
        anchor = understand.asked(state.query, state.language, rounds)
        passages = await understand.passages_of_rounds(self._kb, rounds)

        def begun(todo: Todo) -> None:
            """A task that stands in the plan already is read for while the rest of it comes."""
            self._begun.add(key_of(todo))
            self._background.begin(key_of(todo), self._read_understood(state, todo))

        return await plan.propose(self._reasoner, anchor, passages, self._settings, begun if self._anchor else None)

    async def _read_understood(self, state: ResearchState, todo: Todo) -> dig.TaskReading:
        assert self._anchor is not None
        return await self._read(state, await asyncio.shield(self._anchor), todo)

    async def _read(self, state: ResearchState, anchor: Anchor, todo: Todo) -> dig.TaskReading:
        dig_urgency(state, todo.id, SEARCHING)
        inherited = self._runs.evidence(state.parent_run, state.inherited) if todo.id == 0 else ()
        return await dig.read_task(
            self._kb, self._reasoner, self._settings, anchor, todo, state.collections,
            inherited=inherited, leading=state.leading if todo.id == 0 else (),
            documents=state.documents,
        )  # fmt: skip


def key_of(todo: Todo) -> tuple[Hashable, ...]:
    """What the reading of a task depends on."""
    return todo.id, todo.text, todo.queries
