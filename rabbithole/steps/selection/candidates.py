"""Gathers candidates for a part of a question: search hits, places it names, and places references led to."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter, Hit
from rabbithole.kb.search.rereading import is_helped, nearest
from rabbithole.kb.store.encoders.answer_reader import AnswerReader

from .models import AnswerCandidate, QuestionPart

HITS = 24
"""Number of hits of each query, if they are not reread."""
REREAD, KEPT = 32, 16
"""Number of hits of all queries that are reread, and of those that are kept then."""


def gather(
    kb: KnowledgeBase,
    part: QuestionPart,
    collections: Sequence[str] = (),
    *,
    filters: Sequence[Filter] = (),
    further: Sequence[AnswerCandidate] = (),
    reader: AnswerReader | None = None,
) -> tuple[AnswerCandidate, ...]:
    """Return the ``further`` candidates, then the best hits of the part's queries; each span once.

    The hits of several queries alternate by rank. If there is a ``reader``, the first ones are put in order by their
    scores and how near it finds them to the whole question, and the best are kept. Raises UsageError if the search
    rejects the query, the collections or the filters.
    """
    queries = [query for query in dict.fromkeys(part.queries or (part.text,)) if query.strip()]
    results = [
        kb.search(query, collections, filters=filters, top_k=REREAD, documents=part.documents, reread=False).hits
        for query in queries
    ]
    found: dict[tuple[str, int, int], AnswerCandidate] = {(one.document, one.start, one.end): one for one in further}
    hits = _alternating(results)
    first, asked = [hit for _, hit in hits[:REREAD]], part.whole or part.text
    if reader and is_helped(asked, first):
        hits = list(enumerate(nearest(asked, first, reader)[:KEPT]))
    else:
        hits = [(rank, hit) for rank, hit in hits if rank < HITS]
    for rank, hit in hits:
        found.setdefault(
            _place(hit),
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


def _alternating(results: Sequence[Sequence[Hit]]) -> list[tuple[int, Hit]]:
    """Return the hits of several searches by rank, each passage once, with their ranks."""
    found: dict[tuple[str, int, int], tuple[int, Hit]] = {}
    for rank in range(max(map(len, results), default=0)):
        for hits in results:
            if rank < len(hits):
                found.setdefault(_place(hits[rank]), (rank, hits[rank]))
    return list(found.values())


def _place(hit: Hit) -> tuple[str, int, int]:
    return hit.chunk.document, hit.chunk.start, hit.chunk.end
