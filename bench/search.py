"""Search at scale: synthetic chunks, real indexes.

Run: ``python -m bench.search [--chunks 200000] [--chroma] [--keep FOLDER]``.
Words follow Zipf's law; vectors lie around a few thousand centres, so that a query has near and far neighbours.
Embedding the query is left out (the query vectors are made here). Scoped search is measured again among 10,000 chunks.
``--chroma`` also fills Chroma, slow at a million, and prints its own query for comparison; without it only the copy of
the vectors that search reads is filled.
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
from itertools import accumulate
from pathlib import Path

import numpy as np
import psutil
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Document, Filter, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store import writes
from rabbithole.kb.store.matrix import Float32
from rabbithole.kb.store.records import IndexedDocument

DIMENSION = 512
CENTRES = 3000
VOCABULARY = 60_000
WORDS = 60
PER_DOCUMENT = 50
BATCH = 200
SMALL = 10_000
"""Chunks of the collection that scoped search is compared with."""
SETTINGS = KbSettings(embedding_model="hash")


class Corpus:
    """Deterministic documents and vectors."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        letters = np.array(list("abcdefghiklmnoprstuvwz"))
        sizes = self.random.integers(4, 12, VOCABULARY)
        self.words = ["".join(self.random.choice(letters, size)) for size in sizes]
        shares = 1.0 / np.arange(1, VOCABULARY + 1) ** 1.0
        self._cumulated = np.cumsum(shares / shares.sum())
        self.centres = self.random.standard_normal((CENTRES, DIMENSION)).astype(np.float32)

    def sentence(self, words: int) -> str:
        chosen = np.searchsorted(self._cumulated, self.random.random(words))
        return " ".join(self.words[min(int(word), VOCABULARY - 1)] for word in chosen)

    def query(self) -> str:
        """Eight words, common and rare, as a question has them."""
        rare = " ".join(self.words[int(word)] for word in self.random.integers(20, 5000, 4))
        return f"{self.sentence(4)} {rare}"

    def vectors(self, count: int) -> Float32:
        centres = self.centres[self.random.integers(0, CENTRES, count)]
        noise = self.random.standard_normal((count, DIMENSION)).astype(np.float32)
        vectors = centres + 0.9 * noise
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    def document(self, number: int) -> IndexedDocument:
        name = f"d{number:06}"
        texts = [self.sentence(WORDS) for _ in range(PER_DOCUMENT)]
        starts = [0, *accumulate(len(text) + 1 for text in texts)][:-1]
        sections, chunks = [], []
        for index, (start, text) in enumerate(zip(starts, texts, strict=True)):
            end = start + len(text)
            section = Section.model_construct(
                id=f"{name}:s{index}",
                document=name,
                index=index,
                parent=None,
                level=0,
                number=str(index + 1),
                heading="",
                start=start,
                own_end=end,
                end=end,
                page=0,
                last_page=0,
                page_label="1",
            )
            sections.append(section)
            chunks.append(
                Chunk.model_construct(
                    id=f"{name}:c{index}",
                    document=name,
                    section=section.id,
                    section_path=(section.number,),
                    page=0,
                    page_label="1",
                    start=start,
                    end=end,
                    text=text,
                )
            )
        document = Document(
            id=name,
            collection="big",
            file=f"{name}.pdf",
            path=f"/{name}.pdf",
            title=name,
            language="de",
            pages=1,
            metadata={"year": 1950 + number % 75, "type": f"t{number % 7}"},
        )
        return IndexedDocument.model_construct(
            document=document,
            text="\n".join(texts),
            page_starts=(0,),
            page_labels=("1",),
            sections=tuple(sections),
            chunks=tuple(chunks),
            references=(),
            links=(),
            bibliography=(),
            outline_source="",
        )


def build(folder: Path, corpus: Corpus, chunks: int, *, chroma: bool) -> None:
    with KnowledgeBase.open(folder, SETTINGS, create=True) as kb:
        store = kb.store
        store.begin()
        meta = {"embedding_model": "hash", "embedding_dimension": str(DIMENSION)}
        writes.set_meta(store.catalog.database, meta)
        documents = chunks // PER_DOCUMENT
        began = time.perf_counter()
        for first in range(0, documents, BATCH):
            records = [corpus.document(number) for number in range(first, min(first + BATCH, documents))]
            places = writes.stage(store.catalog.database, records)
            vectors = corpus.vectors(len(records) * PER_DOCUMENT)
            store.matrix.write(places[0].first_row, vectors)
            if chroma:
                store.vectors.add(places[0].first_row, vectors)
            store.index_words(places, records)
            writes.publish(store.catalog.database, [place.ordinal for place in places])
        print(f"built {chunks} chunks in {time.perf_counter() - began:.0f} s{' with Chroma' if chroma else ''}")


def open_for_queries(folder: Path, corpus: Corpus) -> KnowledgeBase:
    """The knowledge base with query vectors made up instead of embedded."""
    kb = KnowledgeBase.open(folder, SETTINGS)
    kb.store.embedder = QueryVectors(corpus)
    return kb


class QueryVectors:
    """Stands for the embedding model, which is left out of the figures."""

    name = "hash"
    dimension = DIMENSION

    def __init__(self, corpus: Corpus) -> None:
        self._vectors = corpus.vectors(1000)
        self._next = 0

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        self._next += len(texts)
        return np.stack([self._vectors[(self._next + i) % len(self._vectors)] for i in range(len(texts))])


def timed(label: str, goal: str, call: Callable[[int], object], count: int = 200) -> float:
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
    return float(p95)


def figures(folder: Path, chunks: int) -> None:
    corpus = Corpus()
    queries = [corpus.query() for _ in range(220)]
    began = time.perf_counter()
    kb = open_for_queries(folder, corpus)
    kb.search(queries[0], mode="keyword")
    print(f"open and first keyword search {time.perf_counter() - began:.2f} s")
    years = [Filter(field="year", operator=">=", value=1950 + 5 * step) for step in range(14)]
    timed("keyword", "", lambda n: kb.search(queries[n], mode="keyword"))
    timed("semantic", "", lambda n: kb.search(queries[n], mode="semantic"))
    timed("hybrid", "50", lambda n: kb.search(queries[n]))
    timed("hybrid, range filter", "60", lambda n: kb.search(queries[n], filters=[years[n % len(years)]]))
    scoped = in_one_document(kb, queries, chunks)
    print(f"resident {psutil.Process().memory_info().rss / 2**30:.2f} GB, mapped files counted; goal 4")
    recall(kb)
    kb.close()
    with tempfile.TemporaryDirectory(prefix="rabbithole-bench-") as temporary:
        build(Path(temporary), Corpus(), SMALL, chroma=False)
        with open_for_queries(Path(temporary), corpus) as small:
            before = in_one_document(small, queries, SMALL)
    print(f"scoped p95 at {chunks} chunks over that at {SMALL}: "
          + ", ".join(f"{now / then:.2f}" for now, then in zip(scoped, before, strict=True))
          + "; goal 2")  # fmt: skip
    sizes = {path.name: _size(path) for path in sorted(folder.iterdir())}
    print("on disk: " + ", ".join(f"{name} {size / 2**20:.0f} MB" for name, size in sizes.items() if size > 2**20))


def in_one_document(kb: KnowledgeBase, queries: Sequence[str], chunks: int) -> tuple[float, float]:
    """p95 of hybrid search in one document and in one section."""
    ids = [f"d{number:06}" for number in np.random.default_rng(1).integers(0, chunks // PER_DOCUMENT, 300)]
    whole = timed("hybrid in one document", "10", lambda n: kb.search(queries[n], documents=[ids[n]]))
    part = timed(
        "hybrid in one section", "10", lambda n: kb.search(queries[n], documents=[ids[n]], section=f"{ids[n]}:s7")
    )
    return whole, part


def recall(kb: KnowledgeBase, queries: int = 50, limit: int = 100) -> None:
    """How many of the exact nearest the scan of bits finds."""
    matrix = kb.store.matrix
    rows = np.arange(kb.collections()[0].chunks)
    found = 0
    for vector in Corpus().vectors(queries):
        scores = np.concatenate(
            [matrix.vectors(part) @ vector for part in np.array_split(rows, len(rows) // 50_000 + 1)]
        )
        exact = set(np.argpartition(-scores, limit)[:limit].tolist())
        nearest, _ = matrix.nearest(vector, np.ones(len(rows), dtype=np.bool_), limit)
        found += len(exact & set(nearest.tolist()))
    print(f"recall of the exact nearest {limit}: {found / queries / limit:.4f}")


def chroma(folder: Path, queries: int = 50) -> None:
    """Chroma's own index, for comparison."""
    corpus = Corpus()
    vectors = corpus.vectors(queries + 10)
    with KnowledgeBase.open(folder, SETTINGS) as kb:
        _, collection = kb.store.vectors.opened()
        timed(
            "Chroma's own query, no filter",
            "",
            lambda n: collection.query(query_embeddings=[vectors[n]], n_results=100, include=["distances"]),
            queries,
        )
        ids = [str(row) for row in range(PER_DOCUMENT)]
        timed("Chroma, 50 vectors by id", "", lambda n: collection.get(ids=ids, include=["embeddings"]), queries)


def _reader(folder: Path, seed: int, seconds: float) -> int:
    corpus = Corpus(seed)
    done = 0
    with open_for_queries(folder, corpus) as kb:
        kb.search("warm")
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            kb.search(corpus.query())
            done += 1
    return done


def readers(folder: Path, count: int = 10, seconds: float = 10.0) -> None:
    with ProcessPoolExecutor(count) as pool:
        done = sum(pool.map(_reader, [folder] * count, range(count), [seconds] * count))
    print(f"{count} concurrent readers: {done / seconds:.1f} hybrid searches a second together")


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else sum(f.stat().st_size for f in path.rglob("*") if f.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--chroma", action="store_true")
    parser.add_argument("--keep", type=Path, help="build here, or use what was built here before")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="rabbithole-bench-"))
    try:
        if not (folder / "catalog.sqlite").exists():
            build(folder, Corpus(), options.chunks, chroma=options.chroma)
        figures(folder, options.chunks)
        if options.chroma:
            chroma(folder)
        readers(folder)
        print(f"highest resident of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")
    finally:
        if options.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
