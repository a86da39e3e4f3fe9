"""The progress of a running research: phase, tasks, and references as they are followed, skipped or missing."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text
from workflows.events import Event

from rabbithole.steps.phrases import counted, phrase
from rabbithole.workflow.events import (
    MetricsUpdated,
    PhaseChanged,
    ReferenceFollowed,
    ReferenceMissing,
    ReferenceSeen,
    ReferenceSkipped,
    TaskProgress,
    Warned,
)

from .console import ERR, one_line

MARKS = {"pending": "·", "running": "→", "done": "✓", "failed": "✗", "skipped": "-"}
LAST_REFERENCES = 8
REFRESH_A_SECOND = 8


class ProgressView:
    """A live display on a terminal; otherwise one line for each phase, reference and warning."""

    def __init__(self, reasoner: str, reason: str, language: str) -> None:
        self._language = language
        self._head = Text(f"Reasoner: {one_line(reasoner)}" + (f" ({one_line(reason)})" if reason else ""), style="dim")
        self._phase = ""
        self._tasks: dict[int, TaskProgress] = {}
        self._references: deque[Text] = deque(maxlen=LAST_REFERENCES)
        self._counts = {"followed": 0, "skipped": 0, "missing": 0}
        self._places: set[tuple[str, str, str]] = set()
        self._said: set[object] = set()
        self._calls = 0
        self._seconds, self._at = 0.0, time.time()
        self._live = Live(self, console=ERR, transient=True, refresh_per_second=REFRESH_A_SECOND)

    def __enter__(self) -> Self:
        ERR.print(self._head)
        if ERR.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause the live display, while a question is on the screen."""
        self._live.stop()
        yield
        if ERR.is_terminal:
            self._live.start()

    def take(self, event: Event) -> None:
        match event:
            case PhaseChanged():
                self._phase = self._text(f"cli.phase.{event.phase}")
                self._say(Text(self._phase, style="bold"))
            case TaskProgress():
                self._tasks[event.task] = event
            case ReferenceSeen():
                self._reference(event)
            case MetricsUpdated():
                self._calls = event.calls
                self._seconds, self._at = event.seconds, event.at
            case Warned():
                ERR.print(Text(f"! {one_line(event.text)}", style="yellow"))
            case _:
                pass

    def _text(self, key: str, **values: object) -> str:
        return phrase(self._language, key, **values)

    def _reference(self, event: ReferenceSeen) -> None:
        name, style = "skipped", "dim"
        if isinstance(event, ReferenceFollowed):
            name, style = "followed", "green"
        elif isinstance(event, ReferenceMissing):
            name, style = "missing", "red"
        place = (name, event.target_document or "", event.target_section or event.target or event.text)
        if place not in self._places:  # several tasks may find it, in other words; the report counts places too
            self._places.add(place)
            self._counts[name] += 1
        word = self._text(f"cli.reference.{name}")
        line = Text(f"{'  ' * event.depth}{word:<8} ", style=style)
        line.append(one_line(event.text)).append(f"  → {one_line(event.target)}" if event.target else "", style="cyan")
        if isinstance(event, ReferenceSkipped) and event.reason:
            line.append(f"  ({one_line(event.reason)})", style="dim")
        self._references.append(line)
        if not isinstance(event, ReferenceSkipped):
            # A place is one line, whatever the texts call it ("800-84", "SP 800-84").
            self._say(line, key=place)

    def _say(self, line: Text, key: object = None) -> None:
        """Without a terminal, print a line once, even if several tasks find the same reference."""
        key = key or line.plain
        if not ERR.is_terminal and key not in self._said:
            self._said.add(key)
            ERR.print(line, soft_wrap=True)

    def __rich__(self) -> RenderableType:
        seconds = self._seconds + (time.time() - self._at if self._at else 0.0)
        counts = self._text("cli.references", **self._counts)
        calls = f", {counted(self._language, 'cli.calls', self._calls)}" if self._calls else ""
        status = Spinner("dots", Text(f"{self._phase}  {seconds:.0f} s, {counts}{calls}", style="bold"))
        tasks = Table.grid(padding=(0, 1))
        for number in sorted(self._tasks):
            task = self._tasks[number]
            share = f"{task.tokens / task.budget:.0%}" if task.budget and task.tokens else ""
            spent = self._text("cli.budget", share=share) if share else ""
            found = self._text("cli.found", count=len(task.evidence)) if task.evidence else ""
            text = Text(one_line(task.text), overflow="ellipsis", no_wrap=True)
            tasks.add_row(MARKS[task.status], text, Text(found, style="dim"), Text(spent, style="dim"))
        for line in self._references:
            line.no_wrap, line.overflow = True, "ellipsis"
        return Group(status, tasks, *self._references)
