"""Compares the sides of search in one table over all sets: each side alone, fused, with references, and reread.

Run: ``python -m bench.retrieval.ranking [--set NAME]... [--bases build/ranking] [--limit N] [--fit]``.

Sets: xrefrag (questions that need the source and the target of a reference), legalquad (German decisions), gesetze
(title finds section), musique, 2wiki, hotpotqa (all hops), nist, papers, ordnungen, law-pdfs, handbuch, guides, rfc (a
gold place among the first hits).
The knowledge bases are built once and kept. Each side is printed with the gain of the whole search over it, and the 95
% interval of a paired bootstrap over the questions (Efron and Tibshirani, 1993).

``--fit`` instead tries the weights of ``kb/search/weights.json`` and chooses those for each set by the other sets (see
``bench.retrieval.ranking_fit``).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench import figures as kept
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Hit

from .ranking_fit import fit
from .ranking_sets import NAMES, Asked, RankingSet, ranking_sets

SIDES = ("keyword", "semantic", "fused")
MOST = 100
"""Hits requested; more would change the candidates by which the sides are scaled."""
DEEP = 10
RESAMPLED = 2000
GOALS = {
    "xrefrag train": (0.95, 0.89), "xrefrag dev": (0.95, 0.89), "legalquad": (0.94, 0.87), "gesetze": (0.80, 0.0),
    "musique": (0.75, 0.0), "2wiki": (0.985, 0.0), "hotpotqa": (0.975, 0.0), "nist": (0.85, 0.0),
    "papers": (0.85, 0.0), "ordnungen": (0.85, 0.0),
}  # fmt: skip
"""Goals: recall as the set counts it, and nDCG@10."""


class Score(NamedTuple):
    """The score of one question.

    ``found`` is recall at the set's depth (or whether one place is there, if one is enough), ``whole`` whether all gold
    places are there, ``gain`` nDCG@10.
    """

    found: float
    whole: float
    gain: float


def ranking(hits: Iterable[Hit], places: Callable[[Hit], Iterable[str]]) -> list[frozenset[str]]:
    """Return the new places at each rank; a hit that shows only earlier places takes no rank."""
    seen: set[str] = set()
    ranks = []
    for hit in hits:
        shown = frozenset(places(hit))
        if shown and shown <= seen:
            continue
        ranks.append(shown - seen)
        seen |= shown
    return ranks


def score(ranks: Sequence[frozenset[str]], asked: Asked, data: RankingSet) -> Score:
    gold = asked.gold
    top = frozenset[str]().union(*ranks[: data.at]) & gold
    gain = sum(len(rank & gold) / math.log2(at + 2) for at, rank in enumerate(ranks[:DEEP]))
    best = sum(1 / math.log2(at + 2) for at in range(min(len(gold), DEEP)))
    found = len(top) / len(gold) if data.every else float(bool(top))
    return Score(found, float(top == gold), min(gain / best, 1.0))  # a hit may show two places at once


def scores(kb: KnowledgeBase, data: RankingSet, asked: Sequence[Asked]) -> dict[str, list[Score]]:
    """Return for each side, and for the hits before and after they are reread, the scores of the questions."""
    found: dict[str, list[Score]] = {}
    for one in asked:
        plain = kb.search(one.question, top_k=MOST, reread=False).hits
        ways: dict[str, Sequence[Hit]] = {side: _by(plain, side) for side in SIDES}
        ways |= {"not reread": plain, "search": kb.search(one.question, top_k=MOST).hits}
        for way, listed in ways.items():
            ranks = ranking(listed, lambda hit, one=one: data.place(kb, hit, one))  # type: ignore[misc]
            found.setdefault(way, []).append(score(ranks, one, data))
    return found


def _by(hits: Sequence[Hit], side: str) -> list[Hit]:
    return sorted((hit for hit in hits if side in hit.scores), key=lambda hit: -hit.scores[side])


def interval(better: Sequence[float], worse: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean difference of two sides over the questions, and its 95 % interval."""
    differences = np.array(better) - np.array(worse)
    draw = np.random.default_rng(0).integers(0, len(differences), (RESAMPLED, len(differences)))
    low, high = np.percentile(differences[draw].mean(axis=1), [2.5, 97.5])
    return float(differences.mean()), float(low), float(high)


def show(data: RankingSet, found: dict[str, list[Score]]) -> None:
    count = len(found["search"])
    kind = f"R@{data.at}" if data.every else f"any@{data.at}"
    print(f"{data.name}: {count} questions; {kind}, all@{data.at}, nDCG@10; search better by (nDCG)")
    for way, rows in found.items():
        means = [sum(column) / count for column in zip(*rows, strict=True)]
        line = f"  {way:10} {means[0]:.3f} {means[1]:.3f} {means[2]:.3f}"
        if way != "search":
            by, low, high = interval([row.gain for row in found["search"]], [row.gain for row in rows])
            line += f"   {by:+.3f} ({low:+.3f} to {high:+.3f})"
        print(line, flush=True)
    if data.name not in GOALS:
        return
    whole, gain = GOALS[data.name]
    means = [sum(column) / count for column in zip(*found["search"], strict=True)]
    kept.at_least(f"{data.name}: {'all' if data.name.startswith('xrefrag') else kind} of search",
                  means[1] if data.name.startswith("xrefrag") else means[0], whole)  # fmt: skip
    if gain:
        kept.at_least(f"{data.name}: nDCG@10 of search", means[2], gain)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", default=[], choices=NAMES)
    parser.add_argument("--bases", type=Path, default=Path("build/ranking"), help="where the knowledge bases are kept")
    parser.add_argument("--limit", type=int, default=0, help="about so many questions of each set; 0: all")
    parser.add_argument("--fit", action="store_true", help="choose weights, each set by the others")
    options = parser.parse_args()
    sets = [data._replace(asked=_some(data.asked, options.limit))
            for name in options.set or NAMES for data in ranking_sets([name], options.bases)]  # fmt: skip
    if options.fit:
        fit(sets)
        return
    for data in sets:
        with KnowledgeBase.open(data.base) as kb:
            show(data, scores(kb, data, data.asked))


def _some(asked: tuple[Asked, ...], limit: int) -> tuple[Asked, ...]:
    return asked[:: max(len(asked) // limit, 1)] if limit else asked


if __name__ == "__main__":
    main()
