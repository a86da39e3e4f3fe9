"""Reports the health of a collection: how each document was identified, from which source, and what looks wrong."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from pydantic import Field

from rabbithole.kb.ingest.metadata.title_text import is_useless
from rabbithole.kb.models import Document, Model, SkippedFile
from rabbithole.kb.references.names.name_keys import name_key
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.store.store import Store

from .decisions import is_of_older_reader

_SOURCE = re.compile(r"(\w+): ([^;]*?) \((\d\.\d\d)\)")
_DOUBTFUL = 0.3
_SHOWN_NAMES = 12
_SHOWN_FILES = 2


class HealthRow(Model):
    """One document. ``sources`` names where title, designation, edition and year were read."""

    file: str
    title: str
    designation: str = ""
    edition: str = ""
    year: int | None = None
    kind: str = ""
    sources: dict[str, str] = Field(default_factory=dict)
    pages: int
    sections: int
    sections_from: str = ""
    names: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class CollectionHealth(Model):
    """The health of one collection. ``older`` counts documents read by another version of the reader."""

    collection: str
    documents: tuple[HealthRow, ...]
    older: int = 0
    unread: tuple[SkippedFile, ...] = Field(
        default=(), description="files that are no documents: nothing could be read"
    )

    @property
    def warned(self) -> int:
        return sum(bool(row.warnings) for row in self.documents)


def health_of(store: Store, registry: Registry, collection: str) -> CollectionHealth:
    """Return one row for each document, ordered by file name. Linear in their number; no file is read."""
    documents = store.catalog.documents(collection)
    outlines = store.catalog.outline_sources(collection)
    counted = store.catalog.section_counts(collection)
    files = store.catalog.files(collection)
    titles, numbers = _files_by(documents, _title), _files_by(documents, _number)
    rows = []
    for document in documents:
        state = files.get(document.file)
        sections = counted.get(document.id, 0)
        outline = outlines.get(document.id, "")
        warnings = _warnings(document, sections if outline not in ("", "none") else 0)
        warnings += shared(document.file, titles[_title(document)], "title", "title")
        warnings += shared(document.file, numbers[_number(document)], "designation", "number")
        if state is not None and state.reason:
            warnings.append(state.reason)
        metadata = document.metadata
        year = metadata.get("year")
        rows.append(
            HealthRow(
                file=document.file,
                title=document.title,
                designation=str(metadata.get("designation") or ""),
                edition=str(metadata.get("edition") or ""),
                year=year if isinstance(year, int) else None,
                kind=str(metadata.get("kind") or ""),
                sources={name: source for name, source, _ in _sources(document)},
                pages=document.pages,
                sections=sections,
                sections_from=outline,
                names=registry.names_of(document.id)[:_SHOWN_NAMES],
                warnings=tuple(warnings),
            )
        )
    skipped = (state for state in store.catalog.unread(collection) if state.status == "skipped")
    left_out = tuple(SkippedFile(file=state.file, reason=state.reason) for state in skipped)
    older = sum(is_of_older_reader(each) for each in files.values())
    return CollectionHealth(collection=collection, documents=tuple(rows), older=older, unread=left_out)


def shared(file: str, files: Sequence[str], what: str, option: str) -> list[str]:
    """Return a warning that names the other files with the same title or designation, and what to do; [] without any.

    ``files``: the names of all files that have it; ``option``: the one of `rabbithole kb name` that corrects it.
    """
    others = [other for other in files if other != file]
    if not others:
        return []
    named = ", ".join(others[:_SHOWN_FILES]) + (
        f" and {len(others) - _SHOWN_FILES} more" if len(others) > _SHOWN_FILES else ""
    )
    also = "has" if len(others) == 1 else "have"
    command = f"rabbithole kb name {shlex.quote(file)} --{option} {option.upper()}"
    return [f"{named} {also} the same {what}; if it is wrong here, correct it with `{command}`"]


def _files_by(documents: Iterable[Document], key: Callable[[Document], Hashable]) -> dict[Hashable, list[str]]:
    """Return the files of the documents by a key; those without one are left out."""
    found: dict[Hashable, list[str]] = defaultdict(list)
    for document in documents:
        if value := key(document):
            found[value].append(document.file)
    return found


def _title(document: Document) -> Hashable:
    return name_key(document.title), _edition(document)


def _warnings(document: Document, sections: int) -> list[str]:
    warnings: list[str] = []
    confidence = next((float(sure) for name, _, sure in _sources(document) if name == "title"), 1.0)
    source = next((source for name, source, _ in _sources(document) if name == "title"), "")
    if source == "file name":
        warnings.append("the title may be wrong: it was taken from the file name, because no page shows one")
    elif is_useless(document.title) or confidence < _DOUBTFUL:
        warnings.append("the title looks wrong")
    if not sections and document.pages > 3:
        warnings.append("no sections were found")
    return warnings


def _sources(document: Document) -> list[tuple[str, str, str]]:
    found = _SOURCE.findall(str(document.metadata.get("identity_sources") or ""))
    return [("year" if name == "date" else name, source, sure) for name, source, sure in found]


def _edition(document: Document) -> str:
    return str(document.metadata.get("edition") or document.metadata.get("year") or "")


def _number(document: Document) -> str:
    return str(document.metadata.get("designation") or "")
