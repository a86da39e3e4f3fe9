"""What is in the knowledge base, whether it still agrees with the files on the disk, and removing single files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field

from ..errors import UsageError
from ..models import Model, SkippedFile
from ..store.records import FileState
from ..store.store import Store

SHOWN = 5


class CollectionStats(Model):
    """One collection in figures. ``outlines``: documents by where their sections come from."""

    name: str
    documents: int
    pages: int
    sections: int
    chunks: int
    characters: int
    links: int
    bibliography: int
    languages: Mapping[str, int]
    years: tuple[int, int] | None = Field(default=None, description="first and last year of the documents")
    outlines: Mapping[str, int]
    fields: Mapping[str, str] = Field(description="metadata field -> type name")
    duplicates: int
    skipped: tuple[SkippedFile, ...]
    warnings: tuple[SkippedFile, ...]


class Stats(Model):
    """A knowledge base in figures."""

    folder: str
    embedding_model: str
    generation: int
    bytes: int = Field(description="size of its folder on the disk")
    collections: tuple[CollectionStats, ...]


def stats(store: Store) -> Stats:
    """Count what is visible."""
    catalog = store.catalog
    infos = {info.name: info for info in catalog.collections()}
    return Stats(
        folder=str(store.folder),
        embedding_model=catalog.meta("embedding_model") or store.embedder.name,
        generation=catalog.generation,
        bytes=sum(path.stat().st_size for path in store.folder.rglob("*") if path.is_file()),
        collections=tuple(
            _collection(store, name, dict(infos[name].fields) if name in infos else {}) for name in _names(store)
        ),
    )


def check_files(store: Store) -> list[str]:
    """What no longer agrees with the disk, a sentence for each kind and collection; empty when all does."""
    problems: list[str] = []
    for name in _names(store):
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
    """Remove documents by their file names; the PDFs are not touched. Raises UsageError for an unknown name.

    The next ingestion of their folder takes them again: to leave a file out for good, move it away.
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
    finally:
        store.release()
    return len(documents)


def _names(store: Store) -> list[str]:
    rows = store.catalog.database.connection.execute(
        "SELECT collection FROM files UNION SELECT collection FROM documents WHERE state = 1 ORDER BY 1"
    )
    return [str(name) for (name,) in rows]


def _collection(store: Store, name: str, fields: Mapping[str, str]) -> CollectionStats:
    count = store.catalog.database.connection.execute
    documents, pages, chunks = count(
        "SELECT count(*), coalesce(sum(pages), 0), coalesce(sum(chunk_count), 0) FROM documents "
        "WHERE state = 1 AND collection = ?",
        (name,),
    ).fetchone()

    def total(expression: str, table: str, condition: str = "1") -> int:
        row = count(
            f"SELECT coalesce({expression}, 0) FROM {table} JOIN documents d ON d.ordinal = {table}.document "
            f"WHERE d.state = 1 AND d.collection = ? AND {condition}",
            (name,),
        ).fetchone()
        return int(row[0])

    stored = store.catalog.documents(name)
    years = sorted(year for each in stored if isinstance(year := each.metadata.get("year"), int))
    outlines = count(
        "SELECT outline_source, count(*) FROM documents WHERE state = 1 AND collection = ? GROUP BY 1 ORDER BY 1",
        (name,),
    ).fetchall()
    states = list(store.catalog.files(name).values())
    return CollectionStats(
        name=name,
        documents=documents,
        pages=pages,
        chunks=chunks,
        sections=total("count(*)", "sections"),
        characters=total("sum(length(text))", "texts"),
        links=total("count(*)", "mentions", "link = 1"),
        bibliography=total("count(*)", "bibliography"),
        languages=dict(sorted(Counter(each.language for each in stored).items())),
        years=(years[0], years[-1]) if years else None,
        outlines={str(source) or "none": int(number) for source, number in outlines},
        fields=fields,
        duplicates=sum(state.status == "duplicate" for state in states),
        skipped=_reasons(states, "skipped"),
        warnings=_reasons(states, "taken"),
    )


def _reasons(states: Sequence[FileState], status: str) -> tuple[SkippedFile, ...]:
    return tuple(SkippedFile(file=s.file, reason=s.reason) for s in states if s.status == status and s.reason)


def _some(files: Sequence[str]) -> str:
    more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
    return ", ".join(files[:SHOWN]) + more
