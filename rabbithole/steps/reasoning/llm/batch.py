"""Split material into parts of nearly equal size, so that the same material always gives the same prompts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(pieces: Sequence[T], most: int) -> list[Sequence[T]]:
    """Return as few parts as possible of at most ``most`` pieces, in order, with sizes differing by at most one."""
    count = -(-len(pieces) // most)
    edges = [round(position * len(pieces) / count) for position in range(count + 1)] if count else []
    return [pieces[start:end] for start, end in itertools.pairwise(edges)]
