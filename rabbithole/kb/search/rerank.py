"""Re-rank with a cross-encoder, if one is configured. Not yet tested with real weights."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rabbithole.kb.errors import ModelError
from rabbithole.kb.store.encoders.embedding_models import require_local

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


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
