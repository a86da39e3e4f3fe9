"""Compares the knowledge base with the files on the disk, and removes single files from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.errors import UsageError
from rabbithole.kb.store.maintenance import forget_removed
from rabbithole.kb.store.store import Store

SHOWN = 5


def check_files(store: Store) -> list[str]:
    """Return what no longer agrees with the disk, one sentence for each kind and collection; [] if all agrees."""
    problems: list[str] = []
    for name in store.catalog.collection_names():
        gone: list[str] = []
        changed: list[str] = []
        for state in store.catalog.files(name).values():
            try:
                status = Path(state.path).stat()
            except OSError:
                gone.append(state.file)
                continue
            if (status.st_size, status.st_mtime_ns) != (state.size, state.mtime_ns):
                changed.append(state.file)
        for files, what in ((gone, "are no longer where they were"), (changed, "have changed since")):
            if files:
                problems.append(f"{len(files)} files of {name} {what}: {_some(files)}; ingest their folder again.")
    return problems


def remove_files(store: Store, collection: str, files: Sequence[str]) -> int:
    """Remove documents by their file names and return their number; the files themselves are not touched.

    Raises UsageError for an unknown name. The next ingestion of their folder adds them again; to leave a file out for
    good, move it away.
    """
    states = store.catalog.files(collection)
    unknown = [file for file in files if file not in states]
    if unknown:
        raise UsageError(
            f"There is no file {unknown[0]!r} in {collection}; it holds {_some(sorted(states)) or 'none'}."
        )
    try:
        documents = [document for file in files if (document := states[file].document) is not None]
        store.delete(*documents, forgotten=[(collection, file) for file in files])
        forget_removed(store)
    finally:
        store.release()
    return len(documents)


def forget_reading(store: Store, collection: str, file: str) -> Path:
    """Make the next ingestion read a file even if it is unchanged; return its path.

    Raises UsageError for an unknown name, and for a file that is gone, whose document stays as it is.
    """
    state = store.catalog.files(collection).get(file)
    if state is None:
        raise UsageError(f"There is no file {file!r} in {collection}.")
    path = Path(state.path)
    if not path.is_file():
        raise UsageError(f"{file} is no longer where it was ingested: put it back or ingest it again.")
    try:
        store.record_files(state.model_copy(update={"sidecar": ""}))
    finally:
        store.release()
    return path


def _some(files: Sequence[str]) -> str:
    more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
    return ", ".join(files[:SHOWN]) + more
