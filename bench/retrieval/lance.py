"""Compares an index in LanceDB with the index of a knowledge base, on the chunks and vectors of that knowledge base.

Run: ``python -m bench.retrieval.lance FOLDER [--questions 40]``.

Prints, for passages of the base as queries: the share of the first 100 by words that both indexes find, the recall of
the exact nearest 100 at several numbers of probes and of vectors compared exactly, and the time of each.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.search.scope import View
from rabbithole.kb.store.index.lance import LanceIndex
from rabbithole.kb.store.maintenance import Content
from rabbithole.kb.store.ports import ChunkIndex, ChunkKey, ChunkScope, Scored

LIMIT = 100
SETTINGS = ((10, 5), (20, 10), (40, 10), (40, 20))
"""Probes, and how many times the wanted number of vectors are compared exactly."""
_DOCUMENTS = 200


def figures(kb: KnowledgeBase, folder: Path, questions: int) -> None:
    """Copy the index of a knowledge base into LanceDB and print the figures."""
    store = kb.store
    scope = View(store.catalog, kb.generation).scope((), (), (), None)
    pairs = zip(scope.documents.tolist(), scope.counts.tolist(), strict=True)
    keys = [ChunkKey(document, position) for document, count in pairs for position in range(count)]
    vectors = store.index.vectors(keys)
    # Vectors are indexed also where there are fewer than the product would index.
    index = LanceIndex(
        str(folder), 0, lambda: "bench", store.embedder.name, lambda: vectors.shape[1], vectors_indexed_from=0
    )
    began = time.perf_counter()
    copy(store.catalog.chunk_counts(), Content(store), store.index, index)
    index.optimise()
    size = f"{len(keys)} chunks of {vectors.shape[1]} dimensions"
    print(f"{size}, written and indexed in {time.perf_counter() - began:.0f} s", flush=True)
    chosen = random.Random(1)
    asked = [_words(kb, chosen.choice(keys), chosen) for _ in range(questions)]
    words(store.index, index, scope, asked)
    queries = [kb.embed([text], query=True)[0] for text in asked]
    exact = [{keys[at] for at in np.argsort(-(vectors @ query))[:LIMIT].tolist()} for query in queries]
    for probes, refined in SETTINGS:
        index.probes, index.refined = probes, refined
        found, took = 0, []
        for query, nearest in zip(queries, exact, strict=True):
            hits, seconds = timed(lambda query=query: index.nearest(query, scope, LIMIT))  # type: ignore[misc]
            found += len(nearest & {key for key, _ in hits})
            took.append(seconds)
        recall = found / sum(map(len, exact))
        print(f"{probes} probes, {refined} times compared: recall {recall:.3f}, {_median(took)} ms", flush=True)


def copy(held: Mapping[int, int], content: Content, before: ChunkIndex, index: ChunkIndex) -> None:
    """Write the documents of one index into another."""
    ordinals = [ordinal for ordinal, count in held.items() if count]
    for start in range(0, len(ordinals), _DOCUMENTS):
        together = ordinals[start : start + _DOCUMENTS]
        keys = [ChunkKey(ordinal, position) for ordinal in together for position in range(held[ordinal])]
        index.put([content.chunks(ordinal) for ordinal in together], before.vectors(keys))


def words(before: ChunkIndex, index: ChunkIndex, scope: ChunkScope, asked: Sequence[str]) -> None:
    """Print how many of the first hits by words both indexes share, and the time of each."""
    shared = wanted = first = 0
    took: tuple[list[float], list[float]] = ([], [])
    for text in asked:
        old, seconds = timed(lambda text=text: before.keyword(text, scope, LIMIT)[0])  # type: ignore[misc]
        took[0].append(seconds)
        new, seconds = timed(lambda text=text: index.keyword(text, scope, LIMIT)[0])  # type: ignore[misc]
        took[1].append(seconds)
        shared += len({key for key, _ in old} & {key for key, _ in new})
        wanted += len(old)
        first += [key for key, _ in old[:1]] == [key for key, _ in new[:1]]
    share = f"words: {shared / max(wanted, 1):.3f} of the first {LIMIT} shared"
    times = f"{_median(took[0])} ms before, {_median(took[1])} ms in LanceDB"
    print(f"{share}, the first hit the same in {first} of {len(asked)}; {times}", flush=True)


def timed(call: Callable[[], Scored]) -> tuple[Scored, float]:
    """Return what a call returns, and the seconds it took."""
    began = time.perf_counter()
    found = call()
    return found, time.perf_counter() - began


def _median(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.1f}"


def _words(kb: KnowledgeBase, key: ChunkKey, chosen: random.Random) -> str:
    """Return some words of a passage."""
    entry = kb.store.catalog.stored_at(key.document)
    assert entry is not None, "the key is of this view"
    parts = kb.store.catalog.chunk_at(entry, key.position).text.split()
    start = chosen.randrange(max(1, len(parts) - 12))
    return " ".join(parts[start : start + chosen.choice((4, 8, 12))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=40)
    options = parser.parse_args()
    with KnowledgeBase.open(options.folder) as kb, tempfile.TemporaryDirectory(prefix="rabbithole-bench-") as folder:
        figures(kb, Path(folder), options.questions)


if __name__ == "__main__":
    main()
