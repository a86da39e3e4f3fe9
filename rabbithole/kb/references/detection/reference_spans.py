"""The spans of references in a text, to find those that overlap another span."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rabbithole.kb.models import Reference


class ReferenceSpans:
    """Finds the references that overlap a span. Spans are sorted once, so that many questions stay fast."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._order = sorted(range(len(references)), key=lambda index: (references[index].start, references[index].end))
        self._references = list(references)
        self._longest = max((each.end - each.start for each in references), default=0)
        self._starts = [references[index].start for index in self._order]

    def overlapping(self, start: int, end: int) -> list[int]:
        """Return the indexes of the references that share a character with ``start:end``."""
        low = bisect_left(self._starts, start - self._longest)
        high = bisect_left(self._starts, end)
        return [
            index
            for index in self._order[low:high]
            if self._references[index].end > start and self._references[index].start < end
        ]
