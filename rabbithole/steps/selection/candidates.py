"""Gathers candidates for a part of a question: search hits, places it names, and places references led to."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter

from .models import AnswerCandidate, QuestionPart

HITS = 24


def gather(
    kb: KnowledgeBase,
    part: QuestionPart,
    collections: Sequence[str] = (),
    *,
    filters: Sequence[Filter] = (),
    top_k: int = HITS,
    further: Sequence[AnswerCandidate] = (),
) -> tuple[AnswerCandidate, ...]:
    """Return the ``further`` candidates, then the best hits of the part's queries; each span once.

    The hits of several queries alternate by rank; ``top_k`` is the number of hits for each query. Raises UsageError if
    the search rejects the query, the collections or the filters.
    """
    found: dict[tuple[str, int, int], AnswerCandidate] = {(one.document, one.start, one.end): one for one in further}
    queries = [query for query in dict.fromkeys(part.queries or (part.text,)) if query.strip()]
    results = [
        kb.search(query, collections, filters=filters, top_k=top_k, documents=part.documents, reread=False).hits
        for query in queries
    ]
    for rank in range(max((len(hits) for hits in results), default=0)):
        for hits in results:
            if rank < len(hits):
                hit = hits[rank]
                key = (hit.chunk.document, hit.chunk.start, hit.chunk.end)
                found.setdefault(
                    key,
                    AnswerCandidate(
                        document=hit.chunk.document,
                        start=hit.chunk.start,
                        end=hit.chunk.end,
                        rank=rank,
                        score=hit.score,
                        cosine=hit.scores.get("semantic"),
                    ),
                )
    return tuple(found.values())
