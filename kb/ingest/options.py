"""How a PDF is to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Avoid = frozenset[tuple[str, int]]
LayoutMode = Literal["auto", "always", "never"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """``avoid`` holds (stage, page) that hung or crashed before: they are read in a simpler way or left out."""

    passwords: tuple[str, ...] = ()
    avoid: Avoid = frozenset()
    layout: LayoutMode = "never"
