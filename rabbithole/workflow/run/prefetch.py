"""Prefetching and priorities: propose the plan and read for the first tasks while the question is still analysed.

A step uses a prefetched result only in place of computing the same thing itself, so prefetching changes the speed of a
run but never its result. ``docs/benchmark-research.md`` shows what it saves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable, Sequence
from typing import Any

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Anchor, Round, Todo
from rabbithole.steps.phases import dig, plan, understand
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.scheduling.priority import PRESSING, URGENCY
from rabbithole.steps.settings import ResearchSettings

from .run_store import RunStore
from .state import ResearchState

SEARCHING, SUMMARISING = 0, 1_000
"""Priority stages of a task: searching first, summarising last; the waves come in between, in order of depth."""


def dig_urgency(state: ResearchState, task: int, stage: int) -> None:
    """Set the priority of this context's model calls; work that leads to the most further work goes first.

    First come the question itself (task 0), because its gaps become new tasks, and those new tasks, because they finish
    last. Among the others the task at the earlier ``stage`` goes first, so that all finish at about the same time.
    """
    one = state.tasks.get(task)
    pressing = task == 0 or (one is not None and one.round > 1)
    URGENCY.set((PRESSING if pressing else PRESSING + 1, stage, task))


class Background:
    """The background tasks of one session, by key."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    def begin(self, key: Hashable, work: Coroutine[Any, Any, Any]) -> None:
        """Start ``work`` unless a task with this key is already running."""
        if key in self._tasks:
            work.close()
            return
        self._tasks[key] = task = asyncio.create_task(work)
        # Retrieving the exception silences asyncio's warning; the caller that awaits the task still gets it.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def take(self, key: Hashable) -> asyncio.Task[Any] | None:
        """Remove and return the task with this key, if any, for the caller to await."""
        return self._tasks.pop(key, None)

    def drop(self, *keys: Hashable) -> None:
        """Cancel and forget the tasks with these keys."""
        for key in keys:
            if (task := self._tasks.pop(key, None)) is not None:
                task.cancel()

    def close(self) -> None:
        """Cancel all tasks that were not taken."""
        self.drop(*self._tasks)


class Prefetch:
    """The prefetched work of one session. A step awaits work that was prefetched and does the rest itself."""

    def __init__(
        self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore, background: Background
    ) -> None:
        self._kb, self._reasoner, self._settings, self._runs = kb, reasoner, settings, runs
        self._background = background
        self._anchor: asyncio.Future[Anchor] | None = None
        self._begun: set[tuple[Hashable, ...]] = set()

    def warm(self) -> None:
        """Load the encoders and the name index in a thread before the first search needs them."""

        def load() -> None:
            self._kb.embed(["."], query=True)
            self._kb.detect("")
            if (reader := self._kb.answer_reader) is not None:
                reader.nearness(".", ["."])

        self._background.begin("encoders and names", asyncio.to_thread(load))

    def begin(self, state: ResearchState, rounds: Sequence[Round]) -> None:
        """Start planning and reading for the question while retrieval is analysed.

        Call it only when the person will not be asked clarifying questions.
        """
        self._anchor = asyncio.get_running_loop().create_future()
        self._background.begin("plan", self._propose(state, rounds))
        self.read_question(state, understand.asked(state.understood, state.language, rounds))

    def read_question(self, state: ResearchState, anchor: Anchor) -> None:
        """Start reading for task 0 (the question itself), which needs no plan."""
        question = plan.question_itself(anchor)
        self._background.begin(key_of(question), self._read(state, anchor, question))

    def forget_question(self, anchor: Anchor) -> None:
        """Stop reading for the question, because it is going to be understood anew."""
        self._background.drop(key_of(plan.question_itself(anchor)))

    def understood(self, anchor: Anchor) -> None:
        """Provide the final anchor, for which prefetched reading of planned tasks waits."""
        if self._anchor is not None and not self._anchor.done():
            self._anchor.set_result(anchor)

    async def proposed(self, state: ResearchState) -> tuple[Todo, ...]:
        """Return the automatically approved plan.

        It is made from the question as asked, so it can be prefetched while the question is analysed.
        """
        todos = await (self._background.take("plan") or self._propose(state, state.rounds))
        self._background.drop(*(self._begun - set(map(key_of, todos))))
        return todos

    async def reading(self, state: ResearchState, anchor: Anchor, todo: Todo) -> dig.TaskReading:
        """Return the passages found for a task and the reasoner's reading of them, prefetched or read now."""
        return await (self._background.take(key_of(todo)) or self._read(state, anchor, todo))

    async def _propose(self, state: ResearchState, rounds: Sequence[Round]) -> tuple[Todo, ...]:
        anchor = understand.asked(state.understood, state.language, rounds)
        passages = await understand.passages_of_rounds(self._kb, rounds)

        def begun(todo: Todo) -> None:
            """Start reading for a planned task while the rest of the plan is still being written."""
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
    """Return a key of everything in the task that its reading depends on."""
    return todo.id, todo.text, todo.queries
