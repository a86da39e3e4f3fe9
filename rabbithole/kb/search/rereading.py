"""Reread the first hits of a search with E5, which compares them with the question as a whole and word by word.

The same encoder chooses passages for answers (``kb/store/encoders/answer_reader.py``). It reads about ten passages a
second on one processor, so only the first hits are read, and none in a large knowledge base, where a search must be
fast. Measured in ``bench/retrieval/ranking.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rabbithole.kb.models import Hit, SearchResult
from rabbithole.kb.notation.codes import codes
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.answer_reader import AnswerReader, E5Reader
from rabbithole.kb.store.encoders.embeddings import HASH
from rabbithole.kb.store.records import embedding_text

from .rerank import FIRST, rescored

MOST_CHUNKS: Final = 100_000
"""No hits are reread in a knowledge base of more chunks."""
WEIGHT: Final = 8.0
"""Weight of nearness; 1 for the score of the search."""
_CHARACTERS: Final = 1500


def raised(scores: Sequence[float], nearness: Sequence[float]) -> list[float]:
    """Return scores with ``WEIGHT`` times the nearness added, brought back to the range they had.

    >>> raised([1.0, 0.5, 0.0], [1.3, 1.5, 1.3])
    [0.47619, 1.0, 0.0]
    """
    if not scores:
        return []
    sums = [score + WEIGHT * near for score, near in zip(scores, nearness, strict=True)]
    low, least = min(scores), min(sums)
    factor = (max(scores) - low) / ((max(sums) - least) or 1.0)
    return [round(low + factor * (one - least), 6) for one in sums]


def hit_reader(settings: KbSettings, embedding_model: str, chunks: int) -> AnswerReader | None:
    """Return what rereads hits in a knowledge base with this embedding model; None if they stay as they are.

    Those of a hashed one do, which has no meaning to begin with, and a cross-encoder re-ranks the hits itself.
    """
    off = settings.search_rerank == "off" or settings.rerank_model or embedding_model == HASH
    return None if off or chunks > MOST_CHUNKS else E5Reader()


def is_helped(query: str, hits: Sequence[Hit]) -> bool:
    """Return whether rereading finds a better order for these hits.

    Hits to which names led (``scores`` has "linked") stay as they are: a passage on the way to the answer is not near
    the question. Nor does E5 know codes ("0441"), which the search has put first.
    """
    return not codes(query) and not any("linked" in hit.scores for hit in hits)


def reread_hits(query: str, found: SearchResult, reader: AnswerReader, top_k: int) -> SearchResult:
    """Return the best ``top_k`` hits, the first ``FIRST`` of them ordered by score and nearness to the query."""
    hits = found.hits
    if not is_helped(query, hits):
        return found.model_copy(update={"hits": hits[:top_k]})
    return found.model_copy(update={"hits": (*nearest(query, hits[:FIRST], reader), *hits[FIRST:])[:top_k]})


def nearest(query: str, hits: Sequence[Hit], reader: AnswerReader) -> tuple[Hit, ...]:
    """Return hits ordered by score and nearness to the query, with a score ("nearness") for each."""
    texts = [" ".join(embedding_text(hit.title, hit.chunk).split())[:_CHARACTERS] for hit in hits]
    near = [float(value) for value in reader.nearness(query, texts)]
    scores = raised([hit.score for hit in hits], near)
    return rescored(hits, "nearness", [round(one, 6) for one in near], scores)
