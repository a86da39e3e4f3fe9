"""Measures search in a large collection: synthetic chunks, real indexes.

Run: ``python -m bench.retrieval.search [--chunks 200000] [--index exact] [--index chroma] [--keep FOLDER]``.

Words follow Zipf's law; vectors lie around a few thousand centres, so that a query has near and far neighbours. The
time to embed the query is not included (query vectors are synthetic). Scoped search is measured again among 10,000
chunks. ``--index`` chooses the vector index (default: exact); with both, everything is printed for each.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier
from typing import Any, NamedTuple

import numpy as np
import psutil

from bench import figures as kept
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter
from rabbithole.kb.search.scope import View
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.ports import ChunkKey

from .search_corpus import PER_DOCUMENT, Corpus, build, open_for_queries

SMALL = 10_000
"""Chunks of the collection that scoped search is compared with."""
_together: Barrier
"""What the readers wait for, so that all search at the same time."""


class Took(NamedTuple):
    """The 95th percentile of a call: wall-clock milliseconds, and processor milliseconds in all threads."""

    wall: float
    busy: float


def timed(label: str, goal: str, call: Callable[[int], object], count: int = 200) -> Took:
    for number in range(5):
        call(-1 - number)
    wall, cpu = [], []
    for number in range(count):
        began, used = time.perf_counter(), time.process_time()
        call(number)
        wall.append((time.perf_counter() - began) * 1000)
        cpu.append((time.process_time() - used) * 1000)
    p95, busy = np.percentile(wall, 95), np.percentile(cpu, 95)
    print(
        f"{label:44} p50 {statistics.median(wall):7.1f} p95 {p95:7.1f} ms  (cpu p95 {busy:6.1f})  goal {goal}",
        flush=True,
    )
    if goal:
        kept.at_most(f"{label}, p95", float(p95), float(goal), " ms")
    return Took(float(p95), float(busy))


def figures(folder: Path, chunks: int, index: str) -> None:
    corpus = Corpus()
    queries = [corpus.query() for _ in range(220)]
    began = time.perf_counter()
    kb = open_for_queries(folder, corpus)
    kb.search(queries[0], mode="keyword")
    print(f"open and first keyword search {time.perf_counter() - began:.2f} s")
    years = [Filter(field="year", operator=">=", value=1950 + 5 * step) for step in range(14)]
    timed("keyword", "", lambda n: kb.search(queries[n], mode="keyword"))
    timed("semantic", "", lambda n: kb.search(queries[n], mode="semantic"))
    timed("hybrid", "20" if chunks <= 200_000 else "50", lambda n: kb.search(queries[n], reread=False))
    timed("hybrid, range filter", "60", lambda n: kb.search(queries[n], filters=[years[n % len(years)]], reread=False))
    scoped = in_one_document(kb, queries, chunks, ("10", "10"))
    resident = psutil.Process().memory_info().rss / 2**30
    print(f"resident {resident:.2f} GB, mapped files counted; goal 4")
    kept.at_most("resident memory while searching", resident, 4, " GB")
    recall(kb)
    kb.close()
    with tempfile.TemporaryDirectory(prefix="rabbithole-bench-") as temporary:
        build(Path(temporary), Corpus(), SMALL, index)
        with open_for_queries(Path(temporary), corpus) as small:
            before = in_one_document(small, queries, SMALL)
    for name, now, then in zip(("document", "section"), scoped, before, strict=True):
        what = f"in one {name}, p95 at {chunks} chunks over that at {SMALL}"
        print(f"{what}: {now.wall / then.wall:.2f}, by processor time {now.busy / then.busy:.2f}; goal 2")
        kept.at_most(what, now.wall / then.wall, 2)
        kept.note("the same by processor time, which other processes do not blur", f"{now.busy / then.busy:.2f}")
    sizes = {path.name: _size(path) for path in sorted(folder.iterdir())}
    listed = ", ".join(f"{name} {size / 2**20:.0f} MB" for name, size in sizes.items() if size > 2**20)
    print(f"on disk: {listed}")
    kept.note("size of the catalog and the indexes", listed)


def in_one_document(
    kb: KnowledgeBase, queries: Sequence[str], chunks: int, goals: tuple[str, str] = ("", "")
) -> tuple[Took, Took]:
    """Return the p95 of hybrid search in one document and in one section."""
    ids = [f"d{number:06}" for number in np.random.default_rng(1).integers(0, chunks // PER_DOCUMENT, 300)]
    whole = timed("hybrid in one document", goals[0], lambda n: kb.search(queries[n], documents=[ids[n]], reread=False))
    part = timed(
        "hybrid in one section",
        goals[1],
        lambda n: kb.search(queries[n], documents=[ids[n]], section=f"{ids[n]}:s7", reread=False),
    )
    return whole, part


def recall(kb: KnowledgeBase, queries: int = 50, limit: int = 100) -> float:
    """Print and return how many of the exact nearest neighbours the index finds."""
    index, scope = kb.store.index, View(kb.store.catalog, kb.generation).scope((), (), (), None)
    pairs = zip(scope.documents.tolist(), scope.counts.tolist(), strict=True)
    keys = [ChunkKey(document, position) for document, count in pairs for position in range(count)]
    asked = Corpus().vectors(queries)
    parts = [keys[start : start + 50_000] for start in range(0, len(keys), 50_000)]
    cosines = np.concatenate([index.vectors(part) @ asked.T for part in parts])
    found = 0
    for vector, scores in zip(asked, cosines.T, strict=True):
        exact = {keys[at] for at in np.argpartition(-scores, limit)[:limit].tolist()}
        found += len(exact & {key for key, _ in index.nearest(vector, scope, limit)})
    print(f"recall of the exact nearest {limit}: {found / queries / limit:.4f}")
    kept.note(f"recall of the exact nearest {limit} (synthetic vectors)", f"{found / queries / limit:.4f}")
    return found / queries / limit


def _start(together: Barrier) -> None:
    global _together
    _together = together


def _reader(folder: Path, seed: int, seconds: float, chosen: dict[str, Any] | None) -> tuple[int, int]:
    """Search for some seconds; return the number of searches, and of those that found a word of the query."""
    corpus = Corpus(seed)
    done = matched = 0
    with open_for_queries(folder, corpus, KbSettings(**chosen) if chosen else None) as kb:
        kb.search("warm")
        _together.wait(120)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            matched += kb.search(corpus.query()).total > 0
            done += 1
    return done, matched


def readers(folder: Path, chosen: KbSettings | None = None, count: int = 10, seconds: float = 10.0) -> float:
    """Print and return how many hybrid searches a second so many processes do together."""
    settings = [chosen.with_secrets() if chosen else None] * count
    own = get_context("spawn")  # LanceDB does not survive a fork
    with ProcessPoolExecutor(count, own, _start, (own.Barrier(count),)) as pool:
        each = list(pool.map(_reader, [folder] * count, range(1, count + 1), [seconds] * count, settings))
    done, matched = (sum(numbers) for numbers in zip(*each, strict=True))
    print(f"{count} concurrent readers: {done / seconds:.1f} hybrid searches a second together", end="; ")
    print(f"{matched} of {done} queries match words", flush=True)
    kept.note(f"{count} concurrent readers together", f"{done / seconds:.1f} searches/s")
    return done / seconds


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else sum(f.stat().st_size for f in path.rglob("*") if f.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--index", action="append", choices=["exact", "chroma"], help="exact where it is not given")
    parser.add_argument("--keep", type=Path, help="build here, or use what was built here before")
    options = parser.parse_args()
    for index in options.index or ["exact"]:
        measured(index, options.chunks, options.keep)


def measured(index: str, chunks: int, keep: Path | None) -> None:
    """Print all figures of one index."""
    print(f"\n-- vectors held by: {index}")
    folder = keep / index if keep else Path(tempfile.mkdtemp(prefix="rabbithole-bench-"))
    try:
        if not (folder / "catalog.sqlite").exists():
            wrote = build(folder, Corpus(), chunks, index)
            said = f"{wrote.wall:.1f} s, {wrote.busy:.1f} s of the processor"
            print(f"writing the index: {said}")
            kept.note(f"writing the index of {chunks} chunks, {index}", said)
        figures(folder, chunks, index)
        readers(folder)
        print(f"highest resident of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
