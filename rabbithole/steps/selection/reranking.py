"""The best few units read again: how near an encoder trained on questions and answers finds them to the question.

It is asked for the whole question, because what a part leaves out decides which passage it means. Measured in
``bench/answering/selection_train.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rabbithole.kb.store.vectors.matrix import Float32
from rabbithole.steps.reasoning.text.vector_cache import VectorCache

from .models import QuestionPart
from .nearness import Floats
from .opening import Opened
from .sentence_rows import Row

READ = 8
"""Units that are read again: the first by their best sentence. More change nothing (docs/rejected.md)."""
_CACHED = 1024
_CHARACTERS = 1500


class UnitReranker:
    """Cosines of units to a question by ``encode(texts, query=...)``; one object for the parts of a question."""

    def __init__(self, encode: Callable[..., Float32]) -> None:
        self._units = VectorCache(encode, _CACHED)
        self._asked = VectorCache(lambda texts: encode(texts, query=True), _CACHED)

    def cosines(self, part: QuestionPart, opened: Sequence[Opened], sentences: Sequence[Row], scores: Floats) -> Floats:
        """For each row the cosine of its unit; NaN where the unit is not among the first ``READ``."""
        found = np.full(len(sentences), np.nan)
        first = first_units(sentences, scores)
        vectors = self._units([said(opened[at]) for at in first])
        near = dict(zip(first, vectors @ self._asked([part.whole or part.text])[0], strict=True))
        for at, row in enumerate(sentences):
            found[at] = near.get(row.opened, np.nan)
        return found


def first_units(sentences: Sequence[Row], scores: Floats) -> list[int]:
    """The units that are read again, best first."""
    order = np.argsort(-scores, kind="stable")
    return list(dict.fromkeys(sentences[at].opened for at in order))[:READ]


def said(one: Opened) -> str:
    """A unit with its heading and the head of its list."""
    unit = one.unit
    return " ".join(f"{one.heading}: {unit.head} {unit.text}".split())[:_CHARACTERS]


def reranked(scores: Floats, cosines: Floats, weight: float) -> Floats:
    """Scores less ``weight`` for each unit of cosine below the nearest; what was not read counts as the farthest."""
    if not np.isfinite(cosines).any():
        return scores
    near = np.where(np.isfinite(cosines), cosines, np.nanmin(cosines))
    return np.asarray(scores + weight * (near - near.max()))
