"""Reads, embeds and stores files concurrently, in three stages that each keep the order of the files."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Self

import numpy as np

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.pages_without_text import judge_text, unreadable_layer
from rabbithole.kb.ingest.document.record import build_document
from rabbithole.kb.ingest.document.text_layer import is_unreadable
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.models import SkippedFile
from rabbithole.kb.originals import content_ids
from rabbithole.kb.references.names.known_works import known_works
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embeddings import Embedder
from rabbithole.kb.store.records import FileState, FileStatus, IndexedDocument, embedding_texts
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from .decisions import FileToRead
from .ingest_stats import Tally
from .pool import Readers

AHEAD = 32
EMBED_TOGETHER = 256
"""Maximum number of chunks embedded at once; work that depends only on a token is then done once for all of them."""
EMBED_LEAST = 64
"""Minimum number of chunks embedded at once if reading is slower: a small batch is better than waiting."""
SLOW_SECONDS = 5.0
"""If a batch takes longer than this, the next ones are smaller, so that progress is visible."""
MAX_UNSTORED = 2048
TURN_SECONDS = 0.001
"""Longest turn of a thread: the encoder needs the interpreter briefly after each matrix product."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A file to store; ``indexed`` is None if it is skipped."""

    work: FileToRead
    indexed: IndexedDocument | None
    state: FileState
    vectors: Float32 | None = None

    @property
    def chunks(self) -> int:
        return len(self.indexed.chunks) if self.indexed else 0


def take_files(
    store: Store,
    embedder: Embedder,
    pool: Readers,
    works: Sequence[FileToRead],
    settings: KbSettings,
    tally: Tally,
    passwords: Sequence[str],
) -> None:
    """Read the files in the pool's processes, embed them from this thread and store them in another."""
    waiting = deque(works)
    reading: deque[tuple[FileToRead, Future[ParsedDocument]]] = deque()
    ready: list[Taken] = []
    embedding = _Embedding(embedder, tally)
    with _short_turns(), _Storing(store, tally) as storing:
        storing.prepare(embedder)
        while waiting or reading:
            while waiting and len(reading) < AHEAD:
                work = waiting.popleft()
                reading.append((work, pool.submit(work.found.path, _passwords(work, settings, passwords))))
            work, future = reading.popleft()
            ready.append(_take(store, work, future, settings, tally))
            chunks = sum(each.chunks for each in ready)
            behind = not reading or not reading[0][1].done()
            if chunks >= EMBED_TOGETHER or (behind and chunks >= EMBED_LEAST) or not (waiting or reading):
                storing.add(embedding.embedded(ready))
                ready = []
        storing.finish()


@contextmanager
def _short_turns() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class _Storing:
    """Stores finished files while the next ones are embedded; files that finish meanwhile are stored together."""

    def __init__(self, store: Store, tally: Tally) -> None:
        self._store = store
        self._tally = tally
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="storing")
        self._waiting: list[Taken] = []
        self._running: tuple[list[Taken], Future[None]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown(wait=True)

    def prepare(self, embedder: Embedder) -> None:
        """Load what takes a second each while the first files are read: model, vector index and names of laws."""
        self._thread.submit(lambda: embedder.dimension)
        self._thread.submit(self._store.index.open)
        self._thread.submit(known_works)

    def add(self, batch: Sequence[Taken]) -> None:
        """Add a batch. Raises what storing earlier batches raised."""
        self._waiting += batch
        too_many = sum(each.chunks for each in self._waiting) > MAX_UNSTORED
        if self._running is None or self._running[1].done() or too_many:
            self._turn()

    def finish(self) -> None:
        while self._waiting or self._running:
            self._turn()

    def _turn(self) -> None:
        if self._running is not None:
            batch, future = self._running
            self._running = None
            future.result()
            for each in batch:
                self._tally.count(each.work, each.indexed)
        if self._waiting:
            batch, self._waiting = self._waiting, []
            self._running = batch, self._thread.submit(self._put, batch)

    def _put(self, batch: Sequence[Taken]) -> None:
        prepared = [(each.indexed, each.vectors) for each in batch if each.indexed and each.vectors is not None]
        replaced = [before.document for each in batch if (before := each.work.before) and before.document]
        self._store.put_many(prepared, replaces=replaced, files=[each.state for each in batch])


def _passwords(work: FileToRead, settings: KbSettings, passwords: Sequence[str]) -> list[str]:
    own = [work.sidecar.password.get_secret_value()] if work.sidecar.password else []
    general = [settings.pdf_password.get_secret_value()] if settings.pdf_password else []
    return [*own, *passwords, *general]


def _take(store: Store, work: FileToRead, future: Future[ParsedDocument], settings: KbSettings, tally: Tally) -> Taken:
    """Return a parsed file as a record, or the reason why it is skipped."""
    try:
        parsed = future.result()
        warnings = judge_text(parsed, work.found.path.name)
        if is_unreadable(parsed.text):
            warnings.append(unreadable_layer(parsed))
    except IngestError as error:
        tally.skipped.append(SkippedFile(file=work.found.file, reason=str(error)))
        return Taken(work, None, file_state(work, tally.collection, "skipped", reason=str(error)))
    identifier = document_id(store, work.sha256, tally.collection)
    indexed = build_document(
        parsed,
        work.found.file,
        work.found.path,
        identifier,
        tally.collection,
        work.sidecar,
        target=settings.chunk_characters,
        overlap=settings.chunk_overlap,
    )
    tally.warnings += [SkippedFile(file=work.found.file, reason=warning) for warning in warnings]
    return Taken(work, indexed, file_state(work, tally.collection, "taken", identifier, "; ".join(warnings)))


def document_id(store: Store, sha256: str, collection: str) -> str:
    """Return the document's id: the hash of its bytes, with the collection if another one holds the same file."""
    plain, beside = content_ids(sha256, collection)
    held = store.catalog.find([plain])
    if held and held[0].document.collection != collection:
        return beside
    return plain


def file_state(
    work: FileToRead, collection: str, status: FileStatus, document: str | None = None, reason: str = ""
) -> FileState:
    """Return the state of a file to store in the catalog."""
    return FileState(
        collection=collection,
        file=work.found.file,
        path=str(work.found.path),
        size=work.found.size,
        mtime_ns=max(work.found.mtime_ns, 0),
        sha256=work.sha256,
        sidecar=work.fingerprint,
        status=status,
        document=document,
        reason=reason,
    )


class _Embedding:
    """Embeds batches with as many chunks at once as the model can handle in a few seconds."""

    def __init__(self, embedder: Embedder, tally: Tally) -> None:
        self._embedder = embedder
        self._tally = tally
        self._together = EMBED_LEAST

    def embedded(self, batch: Sequence[Taken]) -> list[Taken]:
        """Return the batch with a vector for each chunk."""
        documents = [each.indexed for each in batch if each.indexed is not None]
        texts = list(
            chain.from_iterable(embedding_texts(one.document.title, one.chunks, one.text) for one in documents)
        )
        parts: list[Float32] = [np.zeros((0, self._embedder.dimension), dtype=np.float32)]
        done = 0
        while done < len(texts):
            left = len(texts) - done
            part = texts[done : done + -(-left // max(round(left / self._together), 1))]
            began = time.monotonic()
            parts.append(self._embedder.embed(part))
            slow = time.monotonic() - began > SLOW_SECONDS
            self._together = EMBED_LEAST if slow else min(2 * self._together, EMBED_TOGETHER)
            done += len(part)
            self._tally.chunks += len(part)
            self._tally.tell()
        rows = np.concatenate(parts)
        ends = np.cumsum([each.chunks for each in batch])
        return [
            Taken(each.work, each.indexed, each.state, vectors)
            for each, vectors in zip(batch, np.split(rows, ends[:-1]), strict=True)
        ]
