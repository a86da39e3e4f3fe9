"""Phase 2: the to-do list. Task 0 is the question itself; the user may change the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Passage, Reasoner, TodoDraft
from rabbithole.steps.reasoning.text.quotations import quotations
from rabbithole.steps.settings import ResearchSettings


def question_itself(anchor: Anchor) -> Todo:
    """Return task 0."""
    return Todo(id=0, text=anchor.query, origin="question")


async def propose(
    reasoner: Reasoner,
    anchor: Anchor,
    passages: Sequence[Passage],
    settings: ResearchSettings,
    begun: Callable[[Todo], None] | None = None,
) -> tuple[Todo, ...]:
    """Return task 0 and up to ``initial_todo_items`` tasks from the reasoner.

    ``begun`` is called with each task as soon as it is written, possibly more than once.
    """
    wanted = min(settings.initial_todo_items, settings.todo_max_items - 1)

    def tell(drafts: Sequence[TodoDraft]) -> None:
        for todo in numbered(anchor, drafts[:wanted])[1:]:
            if begun:
                begun(todo)

    drafts = await reasoner.plan(anchor, passages, wanted, tell if begun else None) if wanted else ()
    return numbered(anchor, drafts[:wanted])


def numbered(anchor: Anchor, drafts: Sequence[TodoDraft]) -> tuple[Todo, ...]:
    """Return task 0 and the drafts as numbered tasks, without duplicates; adding drafts keeps the earlier numbers."""
    tasks = [question_itself(anchor)]
    known = {fold(anchor.query)}
    for draft in drafts:
        if draft.text.strip() and fold(draft.text) not in known:
            known.add(fold(draft.text))
            tasks.append(
                Todo(
                    id=len(tasks),
                    text=draft.text.strip(),
                    context=draft.context,
                    origin=draft.origin,
                    queries=draft.queries,
                )
            )
    return tuple(tasks)


def needs_approval(todos: Sequence[Todo]) -> bool:
    """Return whether there is something to decide: a task that is more than the question and what searches found.

    The person wrote the question and its parts themselves, and cannot judge a quotation before having read what it
    belongs to.
    """
    return any(todo.origin not in ("question", "part", "search") for todo in todos)


def fold(text: str) -> str:
    """Return the text in the form in which tasks are compared: case-folded, with single spaces."""
    return " ".join(text.casefold().split())


def gap_task(gap: str, language: str) -> tuple[str, str]:
    """Return the subject of a gap (the term in quotation marks, else all of it) and the text of a task to close it."""
    quoted = quotations(gap)
    term = quoted[0].text if quoted else gap
    return term, phrase(language, "reasoning.task_gap", term=term) if quoted else gap


def accept(proposed: Sequence[Todo], edited: Sequence[Todo], limit: int) -> tuple[tuple[Todo, ...], tuple[str, ...]]:
    """Return the user's plan, numbered in their order, and the phrase keys of warnings.

    Empty and duplicate tasks are removed. An empty plan keeps the question itself; a plan above ``limit`` is cut.
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
    """Return new tasks from gaps, in the given order: at most ``most``, and never more than ``limit`` tasks in all."""
    known = {fold(todo.text) for todo in todos}
    new: list[Todo] = []
    for gap in gaps:
        if len(new) >= most or len(todos) + len(new) >= limit:
            break
        if fold(gap) and fold(gap) not in known:
            known.add(fold(gap))
            new.append(Todo(id=len(todos) + len(new), text=gap.strip(), origin="gap"))
    return tuple(new)
