"""Describes the content of the knowledge base in figures, for someone who has not seen it before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from rabbithole.kb.models import CollectionInfo, Document, Model, Scalar, SkippedFile
from rabbithole.kb.store.index.index_choice import described
from rabbithole.kb.store.records import NEEDS_OCR, FileState
from rabbithole.kb.store.store import Store

EXAMPLES = 5
_PARTS = {
    "catalog": "catalog",
    "keywords": "keyword index",
    "vectors": "vectors for searching",
    "chroma": "Chroma",
}
"""Prefixes of names in the knowledge base's folder, and what is stored there."""


_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class FieldStats(Model):
    """A metadata field.

    ``least`` and ``most`` are set if all values are numbers or all are dates.
    """

    kind: str
    documents: int = Field(description="documents that have it")
    distinct: int
    least: Scalar = None
    most: Scalar = None
    examples: tuple[str, ...] = Field(default=(), description="the most frequent values")


class CollectionStats(Model):
    """One collection in figures. ``outlines`` counts documents by the source of their sections."""

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
    fields: Mapping[str, FieldStats] = Field(description="what can be filtered by")
    synonyms: int = Field(description="names documents go by beside their titles")
    needs_ocr: int = Field(description="files with pages that have no text yet")
    duplicates: int
    skipped: tuple[SkippedFile, ...]
    warnings: tuple[SkippedFile, ...]


class Stats(Model):
    """A knowledge base in figures."""

    folder: str
    embedding_model: str
    generation: int
    embedding_dimension: int | None = None
    vector_index: str = Field(default="", description="where the vectors are, in words")
    bytes: int = Field(description="size of its folder on the disk")
    sizes: Mapping[str, int] = Field(description="bytes of its parts")
    collections: tuple[CollectionStats, ...]


def stats(store: Store) -> Stats:
    """Return the figures of everything that is visible."""
    catalog = store.catalog
    sizes = _sizes(store)
    infos = {info.name: info for info in catalog.collections()}
    return Stats(
        folder=str(store.folder),
        embedding_model=catalog.meta("embedding_model") or store.embedder.name,
        generation=catalog.generation,
        embedding_dimension=int(dimension) if (dimension := catalog.meta("embedding_dimension")) else None,
        vector_index=described(store.vector_kind),
        bytes=sum(sizes.values()),
        sizes=sizes,
        collections=tuple(_collection(store, name, infos.get(name)) for name in catalog.collection_names()),
    )


def _collection(store: Store, name: str, info: CollectionInfo | None) -> CollectionStats:
    figures = store.catalog.figures(name)
    stored = store.catalog.documents(name)
    years = sorted(year for each in stored if isinstance(year := each.metadata.get("year"), int))
    outlines = Counter(source or "none" for source in store.catalog.outline_sources(name).values())
    states = list(store.catalog.files(name).values())
    return CollectionStats(
        name=name,
        documents=info.documents if info else 0,
        pages=info.pages if info else 0,
        chunks=info.chunks if info else 0,
        sections=figures.sections,
        characters=figures.characters,
        links=figures.links,
        bibliography=figures.bibliography,
        languages=dict(sorted(Counter(each.language for each in stored).items())),
        years=(years[0], years[-1]) if years else None,
        outlines=dict(sorted(outlines.items())),
        fields={name: _field(name, kind, stored) for name, kind in (info.fields if info else {}).items()},
        synonyms=sum(len(each.synonyms) for each in stored),
        needs_ocr=sum(NEEDS_OCR in state.reason for state in states),
        duplicates=sum(state.status == "duplicate" for state in states),
        skipped=_reasons(states, "skipped"),
        warnings=_reasons(states, "taken"),
    )


def _field(name: str, kind: str, documents: Iterable[Document]) -> FieldStats:
    values = [value for each in documents if (value := each.metadata.get(name)) is not None]
    counts = Counter(map(str, values))
    ordered = _ordered(values)
    return FieldStats(
        kind="date" if kind == "text" and ordered else kind,
        documents=len(values),
        distinct=len(counts),
        least=ordered[0] if ordered else None,
        most=ordered[-1] if ordered else None,
        examples=tuple(value for value, _ in counts.most_common(EXAMPLES)),
    )


def _ordered(values: Sequence[Scalar]) -> list[float] | list[str]:
    """Return numbers or ISO dates in order; empty if the values are of any other kind."""
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == len(values):
        return sorted(numbers)
    dates = [value for value in values if isinstance(value, str) and _DATE.fullmatch(value)]
    return sorted(dates) if len(dates) == len(values) else []


def _sizes(store: Store) -> dict[str, int]:
    sizes: Counter[str] = Counter()
    for path in store.folder.rglob("*"):
        if path.is_file():
            first = path.relative_to(store.folder).parts[0]
            sizes[next((part for start, part in _PARTS.items() if first.startswith(start)), "other")] += (
                path.stat().st_size
            )
    return dict(sizes)


def _reasons(states: Sequence[FileState], status: str) -> tuple[SkippedFile, ...]:
    return tuple(SkippedFile(file=s.file, reason=s.reason) for s in states if s.status == status and s.reason)
