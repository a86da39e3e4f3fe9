"""Re-order the first hits by evidence from the other hits: other passages of their document, and the whole question.

A document with several matching passages is more likely the right one (Callan, 1994: passage and document evidence),
and hits that together contain all words of a long question are better than several with the same words.
Pure functions; the caller supplies the passages' words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from .coverage import Candidate, choose
from .fusion import Ranked
from .weights import ArrangementWeights


def with_documents(
    ranked: Ranked, document_of: Callable[[int], int | None], weights: ArrangementWeights
) -> list[tuple[int, float]]:
    """Return the list, best first, with the score each document's best passages add to its passages; ties by row."""
    best: dict[int, list[float]] = defaultdict(list)
    documents = {row: document_of(row) for row, _ in ranked}
    for row, score in ranked[: weights.among]:
        if (document := documents[row]) is not None and len(best[document]) < weights.passages:
            best[document].append(score)
    most = max((sum(scores) for scores in best.values()), default=0.0)
    if most <= 0:
        return list(ranked)
    added = {document: weights.document * sum(scores) / most for document, scores in best.items()}
    scored = [(row, score + added.get(documents[row] or -1, 0.0)) for row, score in ranked]
    return sorted(scored, key=lambda entry: (-round(entry[1], 6), entry[0]))


def covering(
    ranked: Ranked,
    stems: Mapping[int, frozenset[str]],
    asked: Mapping[str, float],
    words: int,
    weights: ArrangementWeights,
) -> list[tuple[int, float]]:
    """Return the list with its first rows re-ordered so that together they cover the question.

    ``stems`` are the stems of the first rows, ``asked`` those of the question with their rarity, and ``words`` is its
    number of content words; a question of few words asks for one place and is not re-ordered.
    """
    whole = sum(asked.values())
    shares = {stem: weight / whole for stem, weight in asked.items()} if whole else {}
    first = [
        Candidate(
            row=row,
            base=score,
            linked=0.0,
            seed=None,
            covered=stems[row] & shares.keys(),
        )
        for row, score in ranked
        if row in stems
    ]
    chosen = choose(first, shares, len(first), weights.coverage_of(words))
    rest = [(row, score) for row, score in ranked if row not in stems]
    ordered = [(one.row, gain) for one, gain in chosen] + rest
    return sorted(ordered, key=lambda entry: -round(entry[1], 6))
