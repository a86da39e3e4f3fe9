"""Vectors of texts and words for one question, and what rereads its best units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.encoders.answer_reader import AnswerReader
from rabbithole.steps.reasoning.text.vector_cache import Embed, VectorCache

from .nearness import Floats
from .reading import Reader
from .reranking import UnitReranker

_CHARACTERS = 400
_CACHED, _CACHED_WORDS = 8192, 60_000


class TextVectors:
    """Cosines of texts and vectors of words, cached because the parts of a question share most of their candidates.

    ``reranker`` and ``reader`` read the best units again, ``hit_reader`` the first hits of a search.
    """

    def __init__(
        self,
        embed: Embed,
        reranker: UnitReranker | None = None,
        reader: Reader | None = None,
        hit_reader: AnswerReader | None = None,
    ) -> None:
        self._texts = VectorCache(embed, _CACHED)
        self.words = VectorCache(embed, _CACHED_WORDS)
        self.reranker = reranker
        self.reader = reader
        self.hit_reader = hit_reader

    @classmethod
    def of(cls, kb: KnowledgeBase) -> TextVectors:
        """Return vectors from a knowledge base's encoder, with what reads the best units again if it has that."""
        again = kb.answer_reader
        if again is None:
            return cls(kb.embed)
        return cls(kb.embed, UnitReranker(again.nearness), kb.span_reader, again)

    def cosines(self, query: str, texts: Sequence[str]) -> Floats:
        vectors = self._texts([" ".join(text.split())[:_CHARACTERS] for text in (query, *texts)])
        return np.asarray(vectors[1:] @ vectors[0], dtype=np.float64)
