"""Rereads the best few units with an encoder trained on questions and answers.

It compares them with the whole question, because the words that a part leaves out decide which passage it means.
Measured in ``bench/answering/selection_train.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rabbithole.kb.store.vectors.matrix import Float32
from rabbithole.steps.reasoning.text.vector_cache import VectorCache

from .candidate_units import Opened
from .models import QuestionPart
from .nearness import Floats
from .sentence_rows import Row

READ = 8
"""Units that are reread, ranked by their best sentence. More make no difference (docs/rejected.md)."""
USUAL, SPREAD_WITHIN_QUESTION = 0.86, 0.012
"""Mean of E5's cosines over the question sets, and their standard deviation among the units reread for one question."""
_CACHED = 1024
_CHARACTERS, _TITLE = 1500, 120


class UnitReranker:
    """Cosines of units to a question from ``encode(texts, query=...)``. Keep one object for all its parts.

    ``known``: the encoder is the one whose cosines the model was trained on. Those of another encoder are brought to
    the same mean and spread for each question, because every encoder has a range of its own.
    """

    def __init__(self, encode: Callable[..., Float32], *, known: bool = True) -> None:
        self._known = known
        self._units = VectorCache(encode, _CACHED)
        self._asked = VectorCache(lambda texts: encode(texts, query=True), _CACHED)

    def cosines(self, part: QuestionPart, opened: Sequence[Opened], sentences: Sequence[Row], scores: Floats) -> Floats:
        """Return for each row the cosine of its unit; NaN if the unit is not among the first ``READ``."""
        found = np.full(len(sentences), np.nan)
        first = first_units(sentences, scores)
        vectors = self._units([said(opened[at]) for at in first])
        cosines = vectors @ self._asked([part.whole or part.text])[0]
        near = dict(zip(first, cosines if self._known else alike_in_range(cosines), strict=True))
        for at, row in enumerate(sentences):
            found[at] = near.get(row.opened, np.nan)
        return found


def alike_in_range(cosines: Floats | Float32) -> Floats:
    """Return one question's cosines with the mean and the standard deviation that E5's usually have."""
    spread = float(np.std(cosines))
    factor = SPREAD_WITHIN_QUESTION / spread if spread else 0.0
    return np.asarray(USUAL + (cosines - np.mean(cosines)) * factor, dtype=np.float64)


def first_units(sentences: Sequence[Row], scores: Floats) -> list[int]:
    """Return the units to reread, best first."""
    order = np.argsort(-scores, kind="stable")
    return list(dict.fromkeys(sentences[at].opened for at in order))[:READ]


def said(one: Opened) -> str:
    """Return the text of a unit with its document's title, heading and list head, up to 1,500 characters.

    The title tells passages of different documents apart that say the same (docs/rejected.md has it without).
    """
    unit = one.unit
    return " ".join(f"{one.title[:_TITLE]} {one.heading}: {unit.head} {unit.text}".split())[:_CHARACTERS]


def reranked(scores: Floats, cosines: Floats, weight: float) -> Floats:
    """Return the scores lowered by ``weight`` times the distance from the nearest unit's cosine.

    Units that were not reread count as the farthest.
    """
    if not np.isfinite(cosines).any():
        return scores
    near = np.where(np.isfinite(cosines), cosines, np.nanmin(cosines))
    return np.asarray(scores + weight * (near - near.max()))
