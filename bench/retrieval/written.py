"""Measures search on the questions written for sections, many of them in everyday words.

Run: ``python -m bench.retrieval.written [COLLECTION ...] [--most 150] [--reread]``. For each collection it prints how
often a passage that answers is among the first 4, 10, 24 and 100: by words alone, by meaning, in the whole search. 24
is the number of passages from which answers are chosen. The questions are many, so that small differences show; another
section may answer as well, so the figures are lower than what a reader finds.
"""

from __future__ import annotations

import argparse
from typing import Final

import numpy as np

from bench.answering.selection_sets import WRITTEN, Asked, collection_of, load
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Hit, SearchMode

DEPTHS: Final = (4, 10, 24, 100)
MODES: Final[tuple[SearchMode, ...]] = ("keyword", "semantic", "hybrid")


def rank(kb: KnowledgeBase, one: Asked, mode: SearchMode, *, reread: bool = False) -> int:
    """Return how many hits stand before the first that answers; ``DEPTHS[-1]`` if none does."""
    hits = kb.search(one.text, mode=mode, top_k=DEPTHS[-1], reread=reread).hits
    return next((at for at, hit in enumerate(hits) if answers(hit, one)), DEPTHS[-1])


def answers(hit: Hit, one: Asked) -> bool:
    """Return whether a hit touches a place that answers."""
    return any(
        hit.chunk.document == document and hit.chunk.start < high and low < hit.chunk.end
        for document, low, high in one.gold
    )


def line(name: str, ranks: np.ndarray) -> str:
    """Return a line of the table for the ranks of questions, (questions, modes)."""
    cells = [" ".join(f"{(ranks[:, at] < depth).mean():.3f}" for depth in DEPTHS) for at in range(len(MODES))]
    return f"{name:14} {len(ranks):5}   " + "   ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("collections", nargs="*", default=[collection_of(name) for name in WRITTEN])
    parser.add_argument("--most", type=int, default=150, help="most questions of a collection, spread over it")
    parser.add_argument("--reread", action="store_true", help="reread the first hits, a second or two a question")
    options = parser.parse_args()
    print(f"{'':14} {'':5}   " + "   ".join(f"{mode}: first {', '.join(map(str, DEPTHS))}" for mode in MODES))
    every = []
    for collection in options.collections:
        kb, asked = load(f"{collection}.written")
        with kb:
            some = [one for one in asked if one.gold][:: max(1, round(len(asked) / options.most))]
            every.append(np.array([[rank(kb, one, mode, reread=options.reread) for mode in MODES] for one in some]))
        print(line(collection, every[-1]), flush=True)
    print(line("all", np.concatenate(every)))


if __name__ == "__main__":
    main()
