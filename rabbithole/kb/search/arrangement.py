"""The order of the first hits beside one another: documents that several hits speak for, and the whole question.

What one hit scores alone is not all that is known: a document of which several passages were found is more likely the
one that is meant (Callan, 1994: passage and document evidence), and hits that together hold all words of a long
question serve better than several that hold the same.
Pure; what is read of the passages comes from the caller.
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
    """The list with what each document's best passages add to all of its passages, best first; ties by row."""
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
    """The list with its first rows in the order in which they complete one another.

    ``stems`` are those of the first rows, ``asked`` those of the question with their rarity, ``words`` is how many
    telling words it has: one of few words asks for one place.
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
