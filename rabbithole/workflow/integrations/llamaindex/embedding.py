"""The knowledge base's embedding model as a LlamaIndex embedding."""

from __future__ import annotations

import asyncio

from llama_index.core.base.embeddings.base import BaseEmbedding
from pydantic import PrivateAttr

from rabbithole.kb import KnowledgeBase


class RabbitholeEmbedding(BaseEmbedding):
    """Embeds texts with the knowledge base's own model; vectors are L2-normalised.

    Args:
        kb: an open knowledge base; its model is loaded on first use.
    """

    _kb: KnowledgeBase = PrivateAttr()

    def __init__(self, kb: KnowledgeBase) -> None:
        super().__init__(model_name=kb.embedding_model)
        self._kb = kb

    @classmethod
    def class_name(cls) -> str:
        return "RabbitholeEmbedding"

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._rows([query], query=True)[0]

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._rows([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._rows(texts)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    def _rows(self, texts: list[str], *, query: bool = False) -> list[list[float]]:
        return [[float(value) for value in row] for row in self._kb.embed(texts, query=query)]
