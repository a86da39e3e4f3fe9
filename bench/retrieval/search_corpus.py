"""A synthetic corpus for large-scale search: words by Zipf's law, vectors around a few thousand centres."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Document, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.index.index_choice import FORMAT, META
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.kb.store.store import chunks_of
from rabbithole.kb.store.vectors.matrix import Float32

DIMENSION = 512
CENTRES = 3000
VOCABULARY = 60_000
WORDS = 60
PER_DOCUMENT = 50
BATCH = 200


def settings(index: str) -> KbSettings:
    """Return the settings of a knowledge base in a folder, whatever the environment says; ``index``: VECTOR_INDEX."""
    elsewhere = {"rabbithole_catalog": None, "rabbithole_index": None, "rabbithole_originals": None}
    return KbSettings.model_validate({"embedding_model": "hash", "vector_index": index, **elsewhere})


class Corpus:
    """Deterministic documents, queries and vectors. All seeds share the words and the centres of the vectors."""

    def __init__(self, seed: int = 0) -> None:
        common = np.random.default_rng(0)
        letters = np.array(list("abcdefghiklmnoprstuvwz"))
        sizes = common.integers(4, 12, VOCABULARY)
        self.words = ["".join(common.choice(letters, size)) for size in sizes]
        shares = 1.0 / np.arange(1, VOCABULARY + 1) ** 1.0
        self._cumulated = np.cumsum(shares / shares.sum())
        self.centres = common.standard_normal((CENTRES, DIMENSION)).astype(np.float32)
        self.random = common if seed == 0 else np.random.default_rng(seed)

    def sentence(self, words: int) -> str:
        chosen = np.searchsorted(self._cumulated, self.random.random(words))
        return " ".join(self.words[min(int(word), VOCABULARY - 1)] for word in chosen)

    def query(self) -> str:
        """Return eight words, common and rare ones, as in a question."""
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


class Wrote(NamedTuple):
    """Seconds for writing the index, words and vectors: wall clock and processor."""

    wall: float
    busy: float


def build(folder: Path, corpus: Corpus, chunks: int, index: str) -> Wrote:
    with KnowledgeBase.open(folder, settings(index), create=True) as kb:
        store = kb.store
        store.begin()
        meta = {
            "embedding_model": "hash",
            "embedding_dimension": str(DIMENSION),
            "index_format": FORMAT,
            META: store.vector_kind,
        }
        store.catalog.set_meta(meta)
        documents = chunks // PER_DOCUMENT
        began = time.perf_counter()
        wall = busy = 0.0
        store.index.open()  # the time to load Chroma is not counted
        for first in range(0, documents, BATCH):
            records = [corpus.document(number) for number in range(first, min(first + BATCH, documents))]
            places = store.catalog.stage(records)
            vectors = corpus.vectors(len(records) * PER_DOCUMENT)
            content = [chunks_of(place, record) for place, record in zip(places, records, strict=True)]
            at, used = time.perf_counter(), time.process_time()
            store.index.put(content, vectors)
            wall, busy = wall + time.perf_counter() - at, busy + time.process_time() - used
            store.catalog.publish([place.ordinal for place in places])
        print(f"built {chunks} chunks in {time.perf_counter() - began:.0f} s ({index})")
        return Wrote(wall, busy)


class QueryVectors:
    """Replaces the embedding model, which is not part of the figures."""

    name = "hash"
    dimension = DIMENSION

    def __init__(self, corpus: Corpus) -> None:
        self._vectors = corpus.vectors(1000)
        self._next = 0

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        self._next += len(texts)
        return np.stack([self._vectors[(self._next + i) % len(self._vectors)] for i in range(len(texts))])


def open_for_queries(folder: Path, corpus: Corpus, chosen: KbSettings | None = None) -> KnowledgeBase:
    """Return the knowledge base with synthetic query vectors instead of embeddings."""
    kb = KnowledgeBase.open(folder, chosen or settings("auto"))
    kb.store.embedder = QueryVectors(corpus)
    return kb
