"""A bar for work of which the number of parts done and of all is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rabbithole.kb.store.ports import Progress as Tell

from .console import ERR


@contextmanager
def progress_bar(words: str) -> Iterator[Tell]:
    """Show a bar on standard error during the block; call what it gives with the number done and of all."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=ERR, transient=True) as bars:
        bar = bars.add_task(words, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)
