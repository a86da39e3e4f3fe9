"""Vectors of texts and words for one question, and what rereads its best units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.encoders.answer_reader import AnswerReader
from rabbithole.steps.reasoning.text.vector_cache import Embed, VectorCache

from .nearness import Floats
from .reading import Reader

_CHARACTERS = 400
_CACHED, _CACHED_WORDS = 8192, 60_000


class TextVectors:
    """Cosines of texts and vectors of words, cached because the parts of a question share most of their candidates.

    ``answer_reader`` reads the first hits of a search and the best units again, ``reader`` the very best of these.
    """

    def __init__(
        self,
        embed: Embed,
        answer_reader: AnswerReader | None = None,
        reader: Reader | None = None,
    ) -> None:
        self._texts = VectorCache(embed, _CACHED)
        self.words = VectorCache(embed, _CACHED_WORDS)
        self.answer_reader = answer_reader
        self.reader = reader

    @classmethod
    def of(cls, kb: KnowledgeBase) -> TextVectors:
        """Return vectors from a knowledge base's encoder, with what reads the best units again if it has that."""
        return cls(kb.embed, kb.answer_reader, kb.span_reader)

    def cosines(self, query: str, texts: Sequence[str]) -> Floats:
        vectors = self._texts([" ".join(text.split())[:_CHARACTERS] for text in (query, *texts)])
        return np.asarray(vectors[1:] @ vectors[0], dtype=np.float64)
