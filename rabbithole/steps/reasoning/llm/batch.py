"""Material in parts of nearly equal size: the same material always makes the same prompts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(pieces: Sequence[T], most: int) -> list[Sequence[T]]:
    """As few parts as possible with at most ``most`` pieces each, in order, their sizes differing by one at most."""
    count = -(-len(pieces) // most)
    edges = [round(position * len(pieces) / count) for position in range(count + 1)] if count else []
    return [pieces[start:end] for start, end in itertools.pairwise(edges)]
