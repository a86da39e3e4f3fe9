"""Options for reading a PDF."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from rabbithole.kb.errors import UsageError

Avoid = frozenset[tuple[str, int]]
LayoutMode = Literal["auto", "always", "never"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a PDF.

    ``avoid`` holds the (stage, page) pairs that hung or crashed before; they are read in a simpler way or skipped.
    """

    passwords: tuple[str, ...] = ()
    avoid: Avoid = frozenset()
    layout: LayoutMode = "never"


def require_layout(mode: LayoutMode) -> None:
    """Raise UsageError if the layout model is requested but not installed."""
    if mode == "never":
        return
    try:
        version("pymupdf-layout")
    except PackageNotFoundError as error:
        raise UsageError(
            f"--layout {mode} needs the layout model, which is not installed; install it with "
            "`pip install 'rabbithole[layout]'` or leave --layout out."
        ) from error
