"""Re-order the first hits by evidence from the other hits: other passages of their document, and the whole question.

A document with several matching passages is more likely the right one (Callan, 1994: passage and document evidence),
and hits that together contain all words of a long question are better than several with the same words.
Pure functions; the caller supplies the passages' words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rabbithole.kb.store.ports import ChunkKey

from .coverage import Candidate, choose
from .fusion import Ranked
from .weights import ArrangementWeights


def with_documents(ranked: Ranked, weights: ArrangementWeights) -> list[tuple[ChunkKey, float]]:
    """Return the list, best first, with the score each document's best passages add to its passages; ties by key."""
    best: dict[int, list[float]] = defaultdict(list)
    for key, score in ranked[: weights.among]:
        if len(best[key.document]) < weights.passages:
            best[key.document].append(score)
    most = max((sum(scores) for scores in best.values()), default=0.0)
    if most <= 0:
        return list(ranked)
    added = {document: weights.document * sum(scores) / most for document, scores in best.items()}
    scored = [(key, score + added.get(key.document, 0.0)) for key, score in ranked]
    return sorted(scored, key=lambda entry: (-round(entry[1], 6), entry[0]))


def covering(
    ranked: Ranked,
    stems: Mapping[ChunkKey, frozenset[str]],
    asked: Mapping[str, float],
    words: int,
    weights: ArrangementWeights,
) -> list[tuple[ChunkKey, float]]:
    """Return the list with its first chunks re-ordered so that together they cover the question.

    ``stems`` are the stems of the first chunks, ``asked`` those of the question with their rarity, and ``words`` is its
    number of content words; a question of few words asks for one place and is not re-ordered.
    """
    whole = sum(asked.values())
    shares = {stem: weight / whole for stem, weight in asked.items()} if whole else {}
    first = [
        Candidate(
            key=key,
            base=score,
            linked=0.0,
            seed=None,
            covered=stems[key] & shares.keys(),
        )
        for key, score in ranked
        if key in stems
    ]
    chosen = choose(first, shares, len(first), weights.coverage_of(words))
    rest = [(key, score) for key, score in ranked if key not in stems]
    ordered = [(one.key, gain) for one, gain in chosen] + rest
    return sorted(ordered, key=lambda entry: -round(entry[1], 6))


def with_first(ranked: Ranked, first: Sequence[ChunkKey]) -> Ranked:
    """Return a list with these chunks first, in their order, with the best score.

    >>> with_first([("a", 0.9), ("b", 0.5)], ["c", "b"])
    [('c', 0.9), ('b', 0.9), ('a', 0.9)]
    """
    best = max((score for _, score in ranked), default=0.0)
    return [*((key, best) for key in first), *((key, score) for key, score in ranked if key not in first)]
