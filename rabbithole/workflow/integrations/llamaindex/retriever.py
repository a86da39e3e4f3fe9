"""A LlamaIndex retriever that can follow the references in the passages it finds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Filter, Hit, Place, Resolution, SearchMode

from .nodes import chunk_node

MAX_CHARACTERS = 4_000
SCORE_SHARE = 0.5
"""Score of a followed place, as a share of the score of the passage that refers to it."""


class RabbitholeRetriever(BaseRetriever):
    """Retrieves passages of a knowledge base as nodes and, with ``follow_references``, the places they refer to.

    Args:
        kb: an open knowledge base.
        collections: names of the collections to search; all when empty.
        mode: how to search.
        top_k: most passages to return.
        filters: conditions on metadata fields.
        follow_references: resolve the references in the passages and add the places they name. The metadata of such
            a node has ``chain``: the passage's section, the text of the reference, the place reached.
        max_followed: most followed places to return.

    Raises:
        UsageError: for an unknown collection or a count below 1.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        collections: Sequence[str] = (),
        *,
        mode: SearchMode = "hybrid",
        top_k: int = 10,
        filters: Sequence[Filter] = (),
        follow_references: bool = False,
        max_followed: int = 10,
    ) -> None:
        if top_k < 1 or max_followed < 1:
            raise UsageError(f"top_k and max_followed must be at least 1, not {top_k} and {max_followed}.")
        super().__init__()
        self._kb = kb
        self._collections = kb.require(collections)
        self._mode = mode
        self._top_k = top_k
        self._filters = tuple(filters)
        self._follow = follow_references
        self._max_followed = max_followed

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._hits(query_bundle.query_str)
        found = [
            NodeWithScore(node=chunk_node(self._kb.document(h.chunk.document), h.chunk), score=h.score) for h in hits
        ]
        return found + (list(self._followed(hits)) if self._follow else [])

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)

    def _hits(self, query: str) -> tuple[Hit, ...]:
        result = self._kb.search(query, self._collections, mode=self._mode, filters=self._filters, top_k=self._top_k)
        return result.hits

    def _followed(self, hits: Sequence[Hit]) -> Iterator[NodeWithScore]:
        """Yield the places the hits refer to, each once, in the order of the hits and of the references in them."""
        seen = {(hit.chunk.document, hit.chunk.section) for hit in hits}
        left = self._max_followed
        for hit in hits:
            document = hit.chunk.document
            for reference in self._kb.references(document, hit.chunk.start, hit.chunk.end):
                place = Place(document=document, section=hit.chunk.section, offset=reference.start)
                reached = self._kb.resolve(reference, at=place, collections=self._collections)
                key = (reached.document or "", reached.section or "")
                if not left or reached.status != "resolved" or not reached.section or key in seen:
                    continue
                seen.add(key)
                left -= 1
                chain = (" > ".join(hit.chunk.section_path), reference.text, reached.number or reached.name)
                yield NodeWithScore(node=self._place_node(reached, chain), score=hit.score * SCORE_SHARE)

    def _place_node(self, reached: Resolution, chain: tuple[str, ...]) -> TextNode:
        assert reached.section is not None
        section = self._kb.section_by_id(reached.section)
        document = self._kb.document(section.document)
        text = self._kb.section_text(section.id)[:MAX_CHARACTERS]
        return TextNode(
            id_=section.id,
            text=text,
            start_char_idx=section.start,
            end_char_idx=section.start + len(text),
            metadata={
                "document": document.id,
                "title": document.title,
                "file": document.file,
                "collection": document.collection,
                "section": section.id,
                "section_path": section.label,
                "page": section.page,
                "page_label": section.page_label,
                "chain": list(chain),
                "note": reached.note,
            },
        )
