"""Embedding features: how near sentences, units and passages are to the question, relative to the other candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .matching import Alike

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Nearness:
    """Cosines to the question: of each row's sentence, each opened unit, and the passage the unit was found in.

    A field is None if there is no embedding.
    """

    sentences: Floats | None = None
    units: Floats | None = None
    passages: Floats | None = None
    words: Alike | None = None
    whole_sentences: Floats | None = None
    whole_units: Floats | None = None

    def columns(self, units: Sequence[int]) -> Iterator[tuple[str, Floats]]:
        """Yield the embedding features with their names; ``units`` gives the opened unit of each row."""
        of_unit = np.array(units)
        if self.sentences is not None:
            yield "near_sentence", standardised(self.sentences)
            yield "gap_near_sentence", _gap(self.sentences)
            yield "near_rank", percentile(self.sentences)
        if self.units is not None:
            yield "near_unit", standardised(self.units)[of_unit]
            yield "gap_near_unit", _gap(self.units)[of_unit]
        if self.passages is not None:
            yield "near_passage", standardised(self.passages)[of_unit]
        if self.whole_sentences is not None and self.whole_units is not None:
            yield "near_whole_sentence", standardised(self.whole_sentences)
            yield "near_whole_unit", standardised(self.whole_units)[of_unit]
            yield "gap_near_whole_unit", _gap(self.whole_units)[of_unit]


def standardised(values: Floats) -> Floats:
    """Return each value's distance from the mean in standard deviations, clipped to -3 to 8."""
    spread = float(values.std())
    if spread < 1e-9:
        return np.zeros_like(values)
    return np.clip((values - values.mean()) / spread, -3.0, 8.0)


def _gap(values: Floats) -> Floats:
    """Return each value's distance from the best in standard deviations, clipped to -5 to 0."""
    spread = float(values.std())
    if spread < 1e-9:
        return np.zeros_like(values)
    return np.clip((values - values.max()) / spread, -5.0, 0.0)


def percentile(values: Floats) -> Floats:
    """Return for each value the share of the other values that are smaller; ties count half."""
    count = len(values)
    if count < 2:
        return np.ones(count)
    less = (values[:, None] > values[None, :]).sum(axis=1)
    same = (values[:, None] == values[None, :]).sum(axis=1) - 1
    return (less + 0.5 * same) / (count - 1)
