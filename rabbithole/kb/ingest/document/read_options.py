"""How a PDF is to be read."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from rabbithole.kb.errors import UsageError

Avoid = frozenset[tuple[str, int]]
LayoutMode = Literal["auto", "always", "never"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """``avoid`` holds (stage, page) that hung or crashed before: they are read in a simpler way or left out."""

    passwords: tuple[str, ...] = ()
    avoid: Avoid = frozenset()
    layout: LayoutMode = "never"


def require_layout(mode: LayoutMode) -> None:
    """Raises UsageError when the layout model is asked for and not installed."""
    if mode == "never":
        return
    try:
        version("pymupdf-layout")
    except PackageNotFoundError as error:
        raise UsageError(
            f"--layout {mode} needs the layout model, which is not installed; install it with "
            "`pip install 'rabbithole[layout]'` or leave --layout out."
        ) from error
