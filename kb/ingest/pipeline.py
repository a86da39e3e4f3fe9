"""Ingestion: find files, read what is new in worker processes, embed meanwhile, store each document as a whole."""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import IngestError, KnowledgeBaseError, UsageError
from ..models import IngestReport, SkippedFile
from ..settings import KbSettings
from ..store.embeddings import Embedder
from ..store.matrix import Float32
from ..store.records import FileState, IndexedDocument, embedding_text
from ..store.store import Store
from .build import ID_LENGTH, build_document
from .decide import Decisions, Work, decide, fingerprint, freed_duplicates, gone_files, is_unchanged
from .metadata import Sidecars
from .parsed import ParsedDocument
from .pool import ReaderPool
from .progress import IngestProgress, IngestState
from .scan import Found, find_pdfs, keep_names, sha256_of
from .textless import judge_text, ocr_command

BATCH_CHUNKS = 256
BATCH_FILES = 64
AHEAD = 32
EMBED_SLICE = 64


@dataclass(slots=True)
class _Run:
    """Counts and lists of one ingestion, and who is told."""

    collection: str
    progress: IngestProgress | None
    began: float = field(default_factory=time.monotonic)
    files: int = 0
    files_total: int = 0
    bytes: int = 0
    bytes_total: int = 0
    pages: int = 0
    chunks: int = 0
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    warnings: list[SkippedFile] = field(default_factory=list)

    def tell(self, stage: str = "read", file: str = "") -> None:
        if self.progress is None:
            return
        self.progress(
            IngestState.model_validate(
                {
                    "stage": stage,
                    "file": file,
                    "files": self.files,
                    "files_total": self.files_total,
                    "bytes": self.bytes,
                    "bytes_total": self.bytes_total,
                    "pages": self.pages,
                    "chunks": self.chunks,
                    "seconds": time.monotonic() - self.began,
                }
            )
        )


def ingest(
    store: Store,
    embedder: Embedder,
    paths: Sequence[Path],
    collection: str,
    settings: KbSettings,
    progress: IngestProgress | None = None,
    *,
    passwords: Sequence[str] = (),
) -> IngestReport:
    """Bring a collection up to date with folders and files.

    Files are stored in the order of their names, a document as a whole or not at all, so that a run that was killed
    at any moment and run again leaves what one undisturbed run leaves.
    Raises UsageError for wrong paths or names, KnowledgeBaseError when the knowledge base cannot be written.
    """
    if not collection.strip():
        raise UsageError("A collection needs a name; give one with --collection.")
    run = _Run(collection, progress)
    run.tell("scan")
    found = find_pdfs(paths)
    try:
        store.begin()
        decisions = _plan(store, found, paths, collection, settings)
        run.files_total = len(found)
        run.files = len(found) - len(decisions.read)
        run.bytes_total = sum(work.found.size for work in decisions.read)
        _tidy(store, decisions, collection)
        if decisions.read:
            _read_all(store, embedder, decisions, settings, run, passwords)
    except OSError as error:
        raise KnowledgeBaseError(
            f"The knowledge base at {store.folder} cannot be written ({error.strerror or error}); "
            "what was stored before is complete, run the same command again when this is mended."
        ) from error
    finally:
        store.release()
    run.tell("done")
    for state in decisions.unchanged:
        if state.status == "skipped":
            run.skipped.append(SkippedFile(file=state.file, reason=state.reason))
    return IngestReport(
        collection=collection,
        added=tuple(run.added),
        changed=tuple(run.changed),
        moved=tuple(work.found.file for work, _ in decisions.moved),
        unchanged=tuple(
            sorted(
                [s.file for s in decisions.unchanged if s.status == "taken"]
                + [w.found.file for w, s in decisions.touched if s.status == "taken"]
            )
        ),
        removed=tuple(state.file for state in decisions.removed),
        duplicates=tuple(
            sorted(
                [work.found.file for work, _ in decisions.duplicates]
                + [s.file for s in decisions.unchanged if s.status == "duplicate"]
            )
        ),
        skipped=tuple(sorted(run.skipped, key=lambda each: each.file)),
        warnings=tuple(run.warnings),
        pages=run.pages,
        chunks=run.chunks,
        seconds=time.monotonic() - run.began,
    )


def _plan(
    store: Store, found: Sequence[Found], paths: Sequence[Path], collection: str, settings: KbSettings
) -> Decisions:
    """Hash only what size and time do not prove unchanged."""
    states = store.catalog.files(collection)
    found = keep_names(found, states)
    roots = [Path(os.path.abspath(path)) for path in paths if path.is_dir()]
    gone = gone_files(states.values(), found, roots)
    sidecars = Sidecars()
    ocr = ocr_command() is not None
    unchanged: list[FileState] = []
    works: list[Work] = []
    by_file: dict[str, Found] = {each.file: each for each in found}
    for each in found:
        sidecar = sidecars.of(each.path, each.root)
        mark = fingerprint(sidecar, settings, ocr=ocr)
        before = states.get(each.file)
        if before is not None and is_unchanged(each, before, mark):
            unchanged.append(before)
            continue
        works.append(_work(each, before, mark, sidecars))
    hashes = {work.found.file: work.sha256 for work in works}
    for state in freed_duplicates(unchanged, gone, hashes):
        unchanged.remove(state)
        works.append(_work(by_file[state.file], state, state.sidecar, sidecars))
    works.sort(key=lambda work: work.found.file)
    return decide(works, unchanged, gone)


def _work(found: Found, before: FileState | None, mark: str, sidecars: Sidecars) -> Work:
    try:
        digest = sha256_of(found.path)
    except IngestError:
        digest = ""  # cannot be read: the reader will say why
    return Work(found, digest, sidecars.of(found.path, found.root), mark, before)


def _state(work: Work, collection: str, status: str, document: str | None = None, reason: str = "") -> FileState:
    return FileState.model_validate(
        {
            "collection": collection,
            "file": work.found.file,
            "path": str(work.found.path),
            "size": work.found.size,
            "mtime_ns": max(work.found.mtime_ns, 0),
            "sha256": work.sha256,
            "sidecar": work.fingerprint,
            "status": status,
            "document": document,
            "reason": reason,
        }
    )


def _tidy(store: Store, decisions: Decisions, collection: str) -> None:
    """Everything that needs no reading: moved, removed, duplicate and merely touched files."""
    for work, old in decisions.moved:
        if old.document is not None:
            store.rename(old.document, work.found.file, str(work.found.path))
        store.record_files(_state(work, collection, "taken", old.document))
        if old.file != work.found.file:
            store.delete(forgotten=[(collection, old.file)])
    if decisions.removed:
        documents = [state.document for state in decisions.removed if state.document is not None]
        store.delete(*documents, forgotten=[(collection, state.file) for state in decisions.removed])
    stale: list[str] = []
    records: list[FileState] = []
    for work, original in decisions.duplicates:
        records.append(_state(work, collection, "duplicate", reason=f"the same file as {original}"))
        if work.before is not None and work.before.document is not None:
            stale.append(work.before.document)
    records += [_state(work, collection, s.status, s.document, s.reason) for work, s in decisions.touched]
    if stale:
        store.delete(*stale)
    if records:
        store.record_files(*records)


def _read_all(
    store: Store,
    embedder: Embedder,
    decisions: Decisions,
    settings: KbSettings,
    run: _Run,
    passwords: Sequence[str],
) -> None:
    workers = settings.parse_workers or min(os.cpu_count() or 1, 8)
    pool = ReaderPool(
        min(workers, len(decisions.read)),
        timeout=settings.parse_timeout_seconds,
        memory_mb=settings.parse_memory_mb,
    )
    waiting = deque(decisions.read)
    running: deque[tuple[Work, Future[ParsedDocument]]] = deque()
    ready: list[tuple[Work, IndexedDocument | None, FileState]] = []
    with pool:
        while waiting or running:
            while waiting and len(running) < AHEAD:
                work = waiting.popleft()
                running.append((work, pool.submit(work.found.path, _passwords(work, settings, passwords))))
            work, future = running.popleft()
            ready.append(_take(store, work, future, settings, run))
            chunks = sum(len(indexed.chunks) for _, indexed, _ in ready if indexed is not None)
            if chunks >= BATCH_CHUNKS or len(ready) >= BATCH_FILES or not (waiting or running):
                _store(store, embedder, ready, run)
                ready = []


def _passwords(work: Work, settings: KbSettings, passwords: Sequence[str]) -> list[str]:
    own = [work.sidecar.password.get_secret_value()] if work.sidecar.password else []
    general = [settings.pdf_password.get_secret_value()] if settings.pdf_password else []
    return [*own, *passwords, *general]


def _take(
    store: Store, work: Work, future: Future[ParsedDocument], settings: KbSettings, run: _Run
) -> tuple[Work, IndexedDocument | None, FileState]:
    """A parsed file as a record, or the reason why it is left out."""
    try:
        parsed = future.result()
        warnings = judge_text(parsed, work.found.path.name)
    except IngestError as error:
        run.skipped.append(SkippedFile(file=work.found.file, reason=str(error)))
        return work, None, _state(work, run.collection, "skipped", reason=str(error))
    identifier = document_id(store, work.sha256, run.collection)
    indexed = build_document(
        parsed,
        work.found,
        identifier,
        run.collection,
        work.sidecar,
        target=settings.chunk_characters,
        overlap=settings.chunk_overlap,
    )
    run.warnings += [SkippedFile(file=work.found.file, reason=warning) for warning in warnings]
    return work, indexed, _state(work, run.collection, "taken", identifier, "; ".join(warnings))


def document_id(store: Store, sha256: str, collection: str) -> str:
    """The hash of the bytes; with the collection where another collection holds the same file."""
    plain = sha256[:ID_LENGTH]
    held = store.catalog.find([plain])
    if held and held[0].document.collection != collection:
        return hashlib.sha256(f"{sha256}\n{collection}".encode()).hexdigest()[:ID_LENGTH]
    return plain


def _store(
    store: Store,
    embedder: Embedder,
    ready: Sequence[tuple[Work, IndexedDocument | None, FileState]],
    run: _Run,
) -> None:
    """Embed a batch and make it visible in one step."""
    taken = [indexed for _, indexed, _ in ready if indexed is not None]
    vectors = _embed(embedder, taken, run)
    replaced = [work.before.document for work, _, _ in ready if work.before is not None and work.before.document]
    states = [state for _, _, state in ready]
    store.put_many(list(zip(taken, vectors, strict=True)), replaces=replaced, files=states)
    for work, indexed, _ in ready:
        run.files += 1
        run.bytes += work.found.size
        if indexed is not None:
            known = work.before is not None and work.before.status == "taken"
            (run.changed if known else run.added).append(work.found.file)
            run.pages += indexed.document.pages
        run.tell(file=work.found.file)


def _embed(embedder: Embedder, documents: Sequence[IndexedDocument], run: _Run) -> list[Float32]:
    texts = [embedding_text(indexed.document.title, chunk) for indexed in documents for chunk in indexed.chunks]
    parts: list[Float32] = []
    for start in range(0, len(texts), EMBED_SLICE):
        part = texts[start : start + EMBED_SLICE]
        parts.append(embedder.embed(part))
        run.chunks += len(part)
        run.tell()
    if not parts:
        return [np.zeros((0, embedder.dimension), dtype=np.float32) for _ in documents]
    rows = np.concatenate(parts)
    ends = np.cumsum([len(indexed.chunks) for indexed in documents])
    return list(np.split(rows, ends[:-1]))
