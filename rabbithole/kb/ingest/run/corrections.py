"""Corrections by people of what was read from a document: stored in the registry file and applied to the catalog."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Document, Model, Scalar
from rabbithole.kb.references.names.designations.designation_reader import LONGEST
from rabbithole.kb.references.names.name_keys import name_key
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.names.registry_file import RegistryCollection, RegistryFile, RegistryRow
from rabbithole.kb.store.store import Store

_FIELDS = ("number", "year", "edition", "kind")
_LEAST_LETTERS = 14
"""Minimum number of letters of a title; a shorter one may occur in a bibliography by chance."""
_MOST_COMPARISONS = 3_000_000
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class Correction(Model):
    """A correction given to ``rabbithole kb name``; empty values change nothing."""

    title: str = ""
    number: str = ""
    year: int | None = None
    edition: str = ""
    kind: str = ""
    aliases: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def find(documents: Sequence[Document], file: str) -> Document:
    """Return the document with a file name, with or without its folder. Raises UsageError."""
    found = [each for each in documents if each.file == file] or [
        each for each in documents if each.file.rsplit("/", 1)[-1] == file.rsplit("/", 1)[-1]
    ]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(each.file for each in found)
        raise UsageError(f"{file} names {len(found)} documents ({listed}); give its folder too.")
    raise UsageError(f"There is no document {file!r} in this collection; `rabbithole kb health` lists its files.")


def corrected(file: RegistryFile, document: Document, said: Correction, registry: Registry) -> RegistryFile:
    """Return the registry file with a correction added. Raises UsageError if a name cannot be used."""
    for name in (said.title, said.number, *said.aliases):
        if len(name) > LONGEST:
            raise UsageError(f"A name of {len(name)} characters is too long; use at most {LONGEST}.")
    for name in (said.number, *said.aliases):
        if name and not any(letter.isalnum() for letter in name):
            raise UsageError(f"{name!r} has no letter or digit and cannot be a name.")
        others = registry.lookup(name, collections=(document.collection,)) if name else None
        taken = [entry.document for entry in others.entries if entry.document.id != document.id] if others else []
        if taken and others and others.rule.startswith("exact"):
            raise UsageError(
                f"{name!r} already names {taken[0].file}; remove it there first: "
                f"rabbithole kb name {shlex.quote(taken[0].file)} --not {shlex.quote(name)}"
            )
    row = file.row(document.collection, document.file) or RegistryRow(filename=document.file)
    known = {name_key(name) for name in said.never}
    synonyms = [name for name in (*row.synonyms, *said.aliases) if name_key(name) not in known]
    again = {name_key(name) for name in said.aliases}
    new = row.model_copy(
        update={
            "synonyms": tuple(dict.fromkeys(synonyms)),
            "ignore": tuple(dict.fromkeys([*(n for n in row.ignore if name_key(n) not in again), *said.never])),
            "title": said.title or row.title,
            "number": said.number or row.number,
            "year": said.year if said.year is not None else row.year,
            "edition": said.edition or row.edition,
            "kind": said.kind or row.kind,
        }
    )
    rows = {name: list(collection.documents) for name, collection in file.collections.items()}
    of_collection = rows.setdefault(document.collection, [])
    place = next((index for index, each in enumerate(of_collection) if each == row), None)
    if place is None:
        of_collection.append(new)
    else:
        of_collection[place] = new
    return RegistryFile(collections={name: RegistryCollection(documents=tuple(each)) for name, each in rows.items()})


def apply(store: Store, file: RegistryFile, collection: str) -> None:
    """Update titles and metadata of a collection from the registry file, and years from citing bibliographies."""
    documents = store.catalog.documents(collection)
    years = cited_years(store, documents)
    for document in documents:
        row = file.row(collection, document.file)
        title, metadata = _said(document, row, years.get(document.id))
        if title != document.title or metadata != dict(document.metadata):
            store.correct(document.id, title, metadata)


def cited_years(store: Store, documents: Sequence[Document]) -> dict[str, tuple[int, str]]:
    """Return the years of undated documents from the collection's bibliographies: (year, a file that cites it so).

    A year known only from a copyright line is replaced too, because a reprint bears its own.
    """
    lacking = [each for each in documents if _undated(each) and len(_letters(each.title)) >= _LEAST_LETTERS]
    entries = [
        (_letters(entry.text), entry.text, document.file, document.id)
        for document in (documents if lacking else ())
        for entry in store.catalog.bibliography(document.id)
    ]
    if len(lacking) * len(entries) > _MOST_COMPARISONS:
        return {}
    found: dict[str, tuple[int, str]] = {}
    for document in lacking:
        title = _letters(document.title)
        cited = [
            (int(years[-1]), file)
            for letters, text, file, citing in entries
            if citing != document.id and title in letters and (years := _YEAR.findall(text))
        ]
        if cited:
            year = Counter(year for year, _ in cited).most_common(1)[0][0]
            found[document.id] = year, next(file for each, file in cited if each == year)
    return found


def _undated(document: Document) -> bool:
    sources = str(document.metadata.get("identity_sources") or "")
    return document.metadata.get("year") is None or "copyright" in sources.partition("date: ")[2]


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _said(document: Document, row: RegistryRow | None, cited: tuple[int, str] | None) -> tuple[str, dict[str, Scalar]]:
    metadata = dict(document.metadata)
    title = document.title
    if cited is not None:
        metadata["year"] = cited[0]
        metadata["identity_sources"] = _sourced(metadata, "year", f"cited so by {cited[1]} (0.50)")
    if row is None:
        return title, metadata
    if row.title:
        title = row.title
        metadata["identity_sources"] = _sourced(metadata, "title", "registry (1.00)")
    for field in _FIELDS:
        value = getattr(row, field)
        if value:
            name = "designation" if field == "number" else field
            metadata[name] = value
            metadata["identity_sources"] = _sourced(metadata, name, "registry (1.00)")
    return title, metadata


def _sourced(metadata: dict[str, Scalar], name: str, source: str) -> str:
    parts = [part for part in str(metadata.get("identity_sources") or "").split("; ") if part]
    kept = [
        part
        for part in parts
        if not part.startswith(f"{name}: ") and not (name == "year" and part.startswith("date: "))
    ]
    return "; ".join([*kept, f"{name}: {source}"])


def duplicates(rows: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the names that several files claim, with these files; ``rows`` are (name, file) pairs."""
    claimed: dict[tuple[str, ...], dict[str, str]] = {}
    for name, file in rows:
        claimed.setdefault(name_key(name), {}).setdefault(file, name)
    return {next(iter(files.values())): tuple(files) for files in claimed.values() if len(files) > 1}
