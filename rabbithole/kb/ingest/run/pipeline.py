"""Ingestion: finds files, reads new ones in worker processes, embeds them and stores each document as a whole."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rabbithole.kb.errors import IngestError, KnowledgeBaseError, UsageError
from rabbithole.kb.ingest.document.read_options import require_layout
from rabbithole.kb.ingest.metadata.library_file import LibraryFile, read_library
from rabbithole.kb.ingest.metadata.sidecar import Sidecar, Sidecars
from rabbithole.kb.ingest.page.ocr import ocr_available
from rabbithole.kb.ingest.suffixes import other_than_pdf
from rabbithole.kb.models import IngestReport, SkippedFile
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embeddings import Embedder
from rabbithole.kb.store.maintenance import forget_removed
from rabbithole.kb.store.records import FileState
from rabbithole.kb.store.store import Store

from .decisions import (
    Decisions,
    FileToRead,
    decide,
    fingerprint,
    freed_duplicates,
    gone_files,
    is_unchanged,
    without_kept,
)
from .indexing import file_state, take_files
from .ingest_stats import Tally
from .pool import ReaderPool, reading_options
from .progress import IngestProgress
from .scan import FoundFile, find_documents, keep_names, sha256_of

if TYPE_CHECKING:
    from .ray_cluster import RayCluster

LIBRARY = "library:"
"""Prefix, before the collection's name, of the key under which its library is remembered."""
NO_LIBRARY = "none"
SHOWN = 5


Keep = Callable[[Sequence[str]], Collection[str]]
"""Given the paths of files that are gone, returns those whose documents are kept for now."""


def ingest(
    store: Store,
    embedder: Embedder,
    paths: Sequence[Path],
    collection: str,
    settings: KbSettings,
    progress: IngestProgress | None = None,
    *,
    passwords: Sequence[str] = (),
    library: Path | None = None,
    keep: Keep | None = None,
    cluster: RayCluster | None = None,
) -> IngestReport:
    """Bring a collection up to date with folders and files.

    Files are stored in the order of their names, and each document as a whole or not at all. A run that was killed at
    any moment and started again therefore has the same result as an undisturbed run.

    ``library`` is a reference manager's export used as metadata; it is remembered for later runs, and the path ``none``
    drops it. ``keep`` decides which files that are gone keep their documents for now. With ``cluster``, files are read
    and embedded there instead of in processes of this machine; the result is the same.

    Raises UsageError for wrong paths or names, KnowledgeBaseError if the knowledge base cannot be written.
    """
    if not collection.strip():
        raise UsageError("A collection needs a name; give one with --collection.")
    require_layout(settings.layout)
    tally = Tally(collection, progress)
    tally.tell("scan")
    found, other = find_documents(paths)
    source = _library_path(store, collection, library)
    works = read_library(source) if source is not None else LibraryFile()
    try:
        store.begin()
        if library is not None:
            store.catalog.set_meta({f"{LIBRARY}{collection}": str(source or "")})
        decisions = _plan(store, found, paths, collection, settings, works, keep)
        tally.files_total = len(found)
        tally.files = len(found) - len(decisions.read)
        tally.bytes_total = sum(work.found.size for work in decisions.read)
        _tidy(store, decisions, collection)
        if decisions.read:
            encoder = cluster.embedder(embedder, settings) if cluster else embedder
            with cluster.readers(settings) if cluster else _pool(settings, len(decisions.read)) as pool:
                take_files(store, encoder, pool, decisions.read, settings, tally, passwords)
        forget_removed(store)
    except OSError as error:
        raise KnowledgeBaseError(
            f"The knowledge base at {store.folder} cannot be written ({error.strerror or error}); "
            "what was stored before is complete, run the same command again when this is mended."
        ) from error
    finally:
        store.release()
    if library is not None and source is not None:
        tally.warnings += _unmatched(works, source, found)
    tally.tell("done")
    return _report(decisions, tally, other)


def _library_path(store: Store, collection: str, given: Path | None) -> Path | None:
    """Return the library given, else the one of the last run; None if ``none`` is given or none is known.

    Raises UsageError if the remembered file is gone.
    """
    if given is not None:
        return None if str(given).casefold() == NO_LIBRARY else Path(os.path.abspath(given))
    known = store.catalog.meta(f"{LIBRARY}{collection}")
    if not known:
        return None
    if not Path(known).is_file():
        raise UsageError(
            f"The library {known} of this collection is missing; give it again with --bib FILE, or use --bib none."
        )
    return Path(known)


def _unmatched(library: LibraryFile, source: Path, found: Sequence[FoundFile]) -> list[SkippedFile]:
    held = {entry.key for each in found if (entry := library.of(each.path)) is not None}
    left = [entry.key for entry in library.entries if entry.key not in held]
    if not left:
        return []
    some = ", ".join(left[:SHOWN]) + (f" and {len(left) - SHOWN} more" if len(left) > SHOWN else "")
    reason = f"{len(left)} of {len(library.entries)} entries match no file here: {some}"
    return [SkippedFile(file=source.name, reason=reason)]


def _report(decisions: Decisions, tally: Tally, other: Sequence[SkippedFile]) -> IngestReport:
    unchanged = decisions.unchanged + [state for _, state in decisions.touched]
    known = {
        status: sorted(state.file for state in unchanged if state.status == status) for status in ("taken", "duplicate")
    }
    skipped = [*other, *tally.skipped] + [
        SkippedFile(file=state.file, reason=state.reason) for state in unchanged if state.status == "skipped"
    ]
    duplicates = [work.found.file for work, _ in decisions.duplicates]
    return IngestReport(
        collection=tally.collection,
        added=tuple(tally.added),
        changed=tuple(tally.changed),
        read_again=tuple(tally.read_again),
        moved=tuple(work.found.file for work, _ in decisions.moved),
        unchanged=tuple(known["taken"]),
        removed=tuple(state.file for state in decisions.removed),
        duplicates=tuple(sorted([*duplicates, *known["duplicate"]])),
        skipped=tuple(sorted(skipped, key=lambda each: each.file)),
        warnings=tuple(tally.warnings),
        pages=tally.pages,
        chunks=tally.chunks,
        seconds=time.monotonic() - tally.began,
    )


def _pool(settings: KbSettings, files: int) -> ReaderPool:
    workers = settings.parse_workers or min((os.cpu_count() or 1) + 1, 17) // 2
    return ReaderPool(min(workers, files), **reading_options(settings))


def _plan(
    store: Store,
    found: Sequence[FoundFile],
    paths: Sequence[Path],
    collection: str,
    settings: KbSettings,
    library: LibraryFile,
    keep: Keep | None,
) -> Decisions:
    """Decide what to do with each file; hash only files that size and time do not prove unchanged."""
    states = store.catalog.files(collection)
    found = keep_names(found, states)
    roots = [Path(os.path.abspath(path)) for path in paths if path.is_dir()]
    gone = gone_files(states.values(), found, roots)
    sidecars = Sidecars(library)
    ocr = ocr_available()
    unchanged: list[FileState] = []
    works: list[FileToRead] = []
    by_file: dict[str, FoundFile] = {each.file: each for each in found}
    for each in found:
        sidecar = sidecars.of(each.path, each.root)
        mark = fingerprint(sidecar, settings, ocr=ocr, other=other_than_pdf(each.path.name))
        before = states.get(each.file)
        if before is not None and is_unchanged(each, before, mark):
            unchanged.append(before)
            continue
        works.append(_work(each, before, mark, sidecar))
    hashes = {work.found.file: work.sha256 for work in works}
    gone = without_kept(gone, set(keep([state.path for state in gone])) if keep else set(), set(hashes.values()))
    for state in freed_duplicates(unchanged, gone, hashes):
        unchanged.remove(state)
        each = by_file[state.file]
        works.append(_work(each, state, state.sidecar, sidecars.of(each.path, each.root)))
    works.sort(key=lambda work: work.found.file)
    return decide(works, unchanged, gone)


def _work(found: FoundFile, before: FileState | None, mark: str, sidecar: Sidecar) -> FileToRead:
    try:
        digest = sha256_of(found.path)
    except IngestError:
        digest = ""  # cannot be read: the reader will give the reason
    return FileToRead(found, digest, sidecar, mark, before)


def _tidy(store: Store, decisions: Decisions, collection: str) -> None:
    """Store all changes that need no reading: moved, removed, duplicate and touched files."""
    for work, old in decisions.moved:
        if old.document is not None:
            store.rename(old.document, work.found.file, str(work.found.path))
        store.record_files(file_state(work, collection, "taken", old.document))
        if old.file != work.found.file:
            store.delete(forgotten=[(collection, old.file)])
    if decisions.removed:
        documents = [state.document for state in decisions.removed if state.document is not None]
        store.delete(*documents, forgotten=[(collection, state.file) for state in decisions.removed])
    stale: list[str] = []
    records: list[FileState] = []
    for work, original in decisions.duplicates:
        records.append(file_state(work, collection, "duplicate", reason=f"the same file as {original}"))
        if work.before is not None and work.before.document is not None:
            stale.append(work.before.document)
    records += [file_state(work, collection, s.status, s.document, s.reason) for work, s in decisions.touched]
    if stale:
        store.delete(*stale)
    if records:
        store.record_files(*records)
