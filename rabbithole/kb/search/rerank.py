"""Re-rank the first hits with a cross-encoder, if one is configured.

It reads question and passage together, which takes about a tenth of a second a passage (MiniLM of twelve layers), so
only the first hits are read. Its order alone is worse than that of the search on some collections, so both are mixed.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rabbithole.kb.errors import ModelError
from rabbithole.kb.models import Hit
from rabbithole.kb.store.encoders.embedding_models import require_local

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


FIRST = 20
"""Number of hits that are re-ranked, by a cross-encoder or by ``rereading``."""
SHARE = 0.3
"""The weight of the cross-encoder's scores; the rest is that of the search."""


def mixed(scores: Sequence[float], rated: Sequence[float]) -> list[float]:
    """Return the scores of the first hits mixed with those of a cross-encoder, scaled to the range of ``scores``.

    >>> mixed([1.0, 0.5, 0.0], [-2.0, 3.0, 3.0])
    [0.7, 0.65, 0.3]
    """
    if not scores:
        return []
    low, high = min(scores), max(scores)
    least, most = min(rated), max(rated)
    span = (most - least) or 1.0
    return [
        round((1 - SHARE) * score + SHARE * (low + (high - low) * (own - least) / span), 6)
        for score, own in zip(scores, rated, strict=True)
    ]


def rescored(hits: Sequence[Hit], side: str, rated: Sequence[float], scores: Sequence[float]) -> tuple[Hit, ...]:
    """Return hits with new scores, best first; how each was rated is in its ``scores`` as ``side``."""
    changed = (
        hit.model_copy(update={"score": score, "scores": {**hit.scores, side: own}})
        for hit, own, score in zip(hits, rated, scores, strict=True)
    )
    return tuple(sorted(changed, key=lambda hit: -hit.score))


class Reranker:
    """A sentence-transformers cross-encoder from the local cache or a folder, loaded on first use."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._guard = threading.Lock()
        self._model: CrossEncoder | None = None

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one relevance score per text; higher is better. Raises ModelError if the model is not available."""
        if not texts:
            return []
        with self._guard:
            if self._model is None:
                self._model = _load(self._name)
            return [float(score) for score in self._model.predict([(query, text) for text in texts])]


def _load(name: str) -> CrossEncoder:
    require_local(name, "RERANK_MODEL to nothing")
    from sentence_transformers import CrossEncoder  # noqa: PLC0415  loads torch (5 s)

    try:
        model: CrossEncoder = CrossEncoder(name)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"The re-ranking model {name!r} cannot be loaded: {' '.join(str(error).split())[:200]}"
        ) from error
    return model
