"""Reads the best few units together with the question: in which sentence the answer stands, and whether they answer.

The reader is ``kb/store/encoders/span_reader.py``. It decides between the sentences of a unit, not between units: which
unit comes first, ``reranking.py`` tells better. Measured in ``bench/answering/reader/train.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rabbithole.kb.store.encoders.span_reader import FoundSpans, PassageToRead

from .models import QuestionPart
from .nearness import Floats
from .reranking import TITLE, first_units
from .sentence_rows import Row
from .units.candidate_units import Opened

READ = 4
"""Units that are read, best first: as many as are usually quoted."""
WEIGHT = 0.5
"""Weight of a sentence's log-probability beside its own log-odds."""


class Reader(Protocol):
    """Finds where passages answer a question."""

    def read(self, question: str, passages: Sequence[PassageToRead]) -> list[FoundSpans]: ...


@dataclass(frozen=True)
class Located:
    """``scores`` of all rows, with those of the units read decided anew; for these, log-odds that they answer."""

    scores: Floats
    answers: dict[int, float]


def located(
    reader: Reader | None, part: QuestionPart, opened: Sequence[Opened], sentences: Sequence[Row], scores: Floats
) -> Located:
    """Return the scores after the best units were read; the best score of each unit stays as it is."""
    if reader is None:
        return Located(scores, {})
    units = np.array([row.opened for row in sentences])
    best = first_units(sentences, scores, READ)
    own = {at: np.flatnonzero(units == at).tolist() for at in best}
    passages = [passage_of(opened[at], [sentences[row] for row in rows]) for at, rows in own.items()]
    new, answers = scores.copy(), {}
    for at, found in zip(best, reader.read(part.whole or part.text, passages), strict=True):
        new[own[at]] = decided(scores[own[at]], found.sentences)
        answers[at] = found.answers
    return Located(new, answers)


def decided(scores: Floats, likely: Floats) -> Floats:
    """Return the scores of a unit's sentences with what the reader finds, moved so that the best one stays as high."""
    mixed = scores + WEIGHT * likely
    return np.asarray(mixed + (scores.max() - mixed.max()))


def passage_of(one: Opened, sentences: Sequence[Row]) -> PassageToRead:
    """Return a unit as the reader sees it, below its document's title, its heading and its lead-in."""
    above = f"{one.title[:TITLE]} {one.heading}: {one.unit.head}"
    return PassageToRead(above, one.unit.text, tuple((row.start, row.end) for row in sentences))
