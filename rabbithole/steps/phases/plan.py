"""Phase 2: the to-do list. Task 0 is the question itself; the person has the last word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Passage, Reasoner, TodoDraft
from rabbithole.steps.reasoning.text.quotations import quotations
from rabbithole.steps.settings import ResearchSettings


def question_itself(anchor: Anchor) -> Todo:
    """Task 0."""
    return Todo(id=0, text=anchor.query, origin="question")


async def propose(
    reasoner: Reasoner,
    anchor: Anchor,
    passages: Sequence[Passage],
    settings: ResearchSettings,
    begun: Callable[[Todo], None] | None = None,
) -> tuple[Todo, ...]:
    """Task 0 and up to ``initial_todo_items`` tasks of the reasoner.

    ``begun`` is told of tasks, some of them more than once, while the plan is still being made.
    """
    wanted = min(settings.initial_todo_items, settings.todo_max_items - 1)

    def tell(drafts: Sequence[TodoDraft]) -> None:
        for todo in numbered(anchor, drafts[:wanted])[1:]:
            if begun:
                begun(todo)

    drafts = await reasoner.plan(anchor, passages, wanted, tell if begun else None) if wanted else ()
    return numbered(anchor, drafts[:wanted])


def numbered(anchor: Anchor, drafts: Sequence[TodoDraft]) -> tuple[Todo, ...]:
    """Task 0 and the others without what is said twice; of the first drafts, the first tasks of all."""
    tasks = [question_itself(anchor)]
    known = {fold(anchor.query)}
    for draft in drafts:
        if draft.text.strip() and fold(draft.text) not in known:
            known.add(fold(draft.text))
            tasks.append(Todo(id=len(tasks), text=draft.text.strip(), context=draft.context, queries=draft.queries))
    return tuple(tasks)


def fold(text: str) -> str:
    """How two tasks are compared: words only, case folded."""
    return " ".join(text.casefold().split())


def gap_task(gap: str, language: str) -> tuple[str, str]:
    """What a gap is about (the term it puts in quotation marks, else all of it) and the task that closes it."""
    quoted = quotations(gap)
    term = quoted[0].text if quoted else gap
    return term, phrase(language, "reasoning.task_gap", term=term) if quoted else gap


def accept(proposed: Sequence[Todo], edited: Sequence[Todo], limit: int) -> tuple[tuple[Todo, ...], tuple[str, ...]]:
    """The plan as the person wants it, numbered in their order; and the phrase keys of what had to be mended.

    Empty and doubled tasks go. A plan without tasks keeps the question itself; a plan over ``limit`` is cut.
    """
    before = {todo.id: todo for todo in proposed}
    kept: list[Todo] = []
    known: set[str] = set()
    for todo in edited:
        words = fold(todo.text)
        if not words or words in known:
            continue
        known.add(words)
        own = before[todo.id] if todo.id in before and fold(before[todo.id].text) == words else None
        origin, queries = (todo.origin, own.queries) if own else ("person", ())
        kept.append(Todo(id=len(kept), text=todo.text.strip(), context=todo.context, origin=origin, queries=queries))
    notes = []
    if not kept:
        notes.append("report.warning.plan_empty")
        kept = [todo.model_copy(update={"id": 0}) for todo in proposed[:1]]
    if len(kept) > limit:
        notes.append("report.warning.plan_cut")
    return tuple(kept[:limit]), tuple(notes)


def spawn(todos: Sequence[Todo], gaps: Sequence[str], limit: int, most: int) -> tuple[Todo, ...]:
    """New tasks from gaps, in the order given, at most ``most`` and never beyond ``limit`` tasks in all."""
    known = {fold(todo.text) for todo in todos}
    new: list[Todo] = []
    for gap in gaps:
        if len(new) >= most or len(todos) + len(new) >= limit:
            break
        if fold(gap) and fold(gap) not in known:
            known.add(fold(gap))
            new.append(Todo(id=len(todos) + len(new), text=gap.strip(), origin="gap"))
    return tuple(new)
