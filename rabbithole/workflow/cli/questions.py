"""Ask the questions of a research run in the terminal."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from rich.prompt import Prompt
from rich.text import Text

from rabbithole.steps.models import Answer, Todo
from rabbithole.workflow.events import ClarificationAnswered, ClarificationRequested, PlanApproved, PlanProposed

from .console import ERR, one_line

END = "/end"


def clarify(event: ClarificationRequested) -> ClarificationAnswered:
    """Ask each question; Enter skips one, ``/end`` starts the research at once."""
    found = event.round
    ERR.print(
        f"\nRound {found.index + 1}: {len(found.chunks)} passages for {len(found.queries)} queries, "
        f"coverage {found.analysis.coverage:.0%}."
    )
    for gap in found.analysis.gaps:
        ERR.print(Text(f"  open: {one_line(gap)}", style="dim"))
    ERR.print("Press Enter to skip a question; type /end to start the research now.")
    answers: list[Answer] = []
    for question in event.questions:
        if question.why:
            ERR.print(Text(one_line(question.why), style="dim"))
        for number, option in enumerate(question.options, 1):
            ERR.print(Text(f"  {number}. {one_line(option)}"))
        said = ask(one_line(question.text))
        if said == END:
            return ClarificationAnswered(id=event.id, answers=answers, end=True)
        answers.append(Answer(question=question.id, text=chosen(said, question.options)))
    return ClarificationAnswered(id=event.id, answers=[answer for answer in answers if answer.text])


def approve_plan(event: PlanProposed) -> PlanApproved:
    """Show the plan and accept changes until the user approves it with Enter."""
    todos = list(event.todos)
    while True:
        ERR.print("\nPlan:")
        for position, todo in enumerate(todos):
            ERR.print(Text(f"  {position}. {one_line(todo.text)}"))
        ERR.print(
            "Press Enter to approve. +TEXT adds a task, -N removes one, N TEXT rewrites one, N>M moves one.",
            style="dim",
        )
        said = ask("Change")
        if said in ("", END):
            return PlanApproved(id=event.id, todos=todos)
        changed = edit(todos, said)
        if changed is None:
            ERR.print("That is not a valid change.", style="yellow")
        else:
            todos = changed


def edit(todos: list[Todo], said: str) -> list[Todo] | None:
    """Return the plan after one change, or None if the input is invalid. Task 0, the question itself, stays first."""
    if said.startswith("+") and said[1:].strip():
        number = max((todo.id for todo in todos), default=-1) + 1
        return [*todos, Todo(id=number, text=said[1:].strip(), origin="person")]
    if said.startswith("-") and said[1:].strip().isdigit():
        at = int(said[1:])
        return [*todos[:at], *todos[at + 1 :]] if 0 < at < len(todos) else None
    source, arrow, target = said.partition(">")
    if arrow and source.strip().isdigit() and target.strip().isdigit():
        first, second = int(source), int(target)
        if not (0 < first < len(todos) and 0 < second < len(todos)):
            return None
        rest = [*todos[:first], *todos[first + 1 :]]
        return [*rest[:second], todos[first], *rest[second:]]
    number_text, _, text = said.partition(" ")
    if number_text.isdigit() and 0 < int(number_text) < len(todos) and text.strip():
        at = int(number_text)
        return [*todos[:at], todos[at].model_copy(update={"text": text.strip()}), *todos[at + 1 :]]
    return None


def chosen(said: str, options: tuple[str, ...]) -> str:
    """Return the options whose numbers were typed ('2' or '1, 3'), else the text itself."""
    numbers = [part for part in re.split(r"[,;\s]+", said.strip()) if part]
    if numbers and all(part.isdigit() and 0 < int(part) <= len(options) for part in numbers):
        return "; ".join(options[int(part) - 1] for part in numbers)
    return said


def ask(text: str) -> str:
    """Read one line from the user; the end of input counts as ``/end``."""
    with _interruptible():
        try:
            return Prompt.ask(Text(text, style="bold"), console=ERR, default="", show_default=False).strip()
        except EOFError:
            return END


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end the prompt at once; asyncio's own handler would wait for the line to be finished."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
