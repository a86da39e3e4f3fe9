"""Reads the best few units together with the question: which of them answers, and in which sentence.

The reader is ``kb/store/encoders/span_reader.py``. It was trained to correct the scores that units have before they are
read. Measured in ``bench/answering/reader/order.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rabbithole.kb.store.encoders.span_reader import FoundSpans, PassageToRead

from .models import QuestionPart
from .nearness import Floats
from .reranking import TITLE, first_units, reranked
from .sentence_rows import Row
from .units.candidate_units import Opened

READ = 8
"""Units that are read, best first."""
ORDER = 2.5
"""Weight of what the reader adds to a unit's log-odds."""
WEIGHT = 0.5
"""Weight of a sentence's log-probability beside its own log-odds."""


class Reader(Protocol):
    """Finds where passages answer a question."""

    def read(self, question: str, passages: Sequence[PassageToRead]) -> list[FoundSpans]: ...


@dataclass(frozen=True)
class Located:
    """Scores of all rows after the best units were read; for these, log-odds that they answer.

    ``units`` differs from the scores before for whole units only; ``sentences`` also for the sentences of each unit.
    """

    units: Floats
    sentences: Floats
    answers: dict[int, float]


def located(
    reader: Reader | None, part: QuestionPart, opened: Sequence[Opened], sentences: Sequence[Row], scores: Floats
) -> Located:
    """Return the scores after the best units were read; units that were not read count as the least likely of them."""
    if reader is None:
        return Located(scores, scores, {})
    units = np.array([row.opened for row in sentences])
    best = first_units(sentences, scores, READ)
    own = {at: np.flatnonzero(units == at).tolist() for at in best}
    passages = [passage_of(opened[at], [sentences[row] for row in rows]) for at, rows in own.items()]
    found = dict(zip(best, reader.read(part.whole or part.text, passages), strict=True))
    order = np.array([found[at].order if at in found else np.nan for at in units])
    ordered = reranked(scores, order, ORDER)
    decisive = ordered.copy()
    for at, one in found.items():
        decisive[own[at]] = decided(ordered[own[at]], one.sentences)
    return Located(ordered, decisive, {at: one.answers for at, one in found.items()})


def decided(scores: Floats, likely: Floats) -> Floats:
    """Return the scores of a unit's sentences with what the reader finds, moved so that the best one stays as high."""
    mixed = scores + WEIGHT * likely
    return np.asarray(mixed + (scores.max() - mixed.max()))


def passage_of(one: Opened, sentences: Sequence[Row]) -> PassageToRead:
    """Return a unit as the reader sees it, below its document's title, its heading and its lead-in."""
    above = f"{one.title[:TITLE]} {one.heading}: {one.unit.head}"
    return PassageToRead(above, one.unit.text, tuple((row.start, row.end) for row in sentences))
