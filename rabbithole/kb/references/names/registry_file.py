"""Read and write the registry file: names of documents, edited by people and completed by the ingestion.

``{"collections": {NAME: {"documents": [{"filename": "StrlSchG.pdf", "synonyms": ["Strahlenschutzgesetz"]}]}}}``
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr, ValidationError

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_folder
from rabbithole.kb.models import Document, Model

from .completion import names_of_document
from .known_works import known_works
from .name_keys import name_key


class RegistryRow(Model):
    """What people wrote about a file; each value overrides what the ingestion read, also when it reads the file again.

    ``synonyms`` are further names, ``ignore`` wrong names that the ingestion found. ``found`` lists the names found,
    for information only: each ingestion writes it anew.
    """

    filename: str
    synonyms: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    title: str = ""
    number: str = Field(default="", description="designation, with its edition: 'NIST SP 800-37 Rev. 1'")
    year: int | None = Field(default=None, ge=1000, le=2999)
    edition: str = ""
    kind: str = ""
    found: tuple[str, ...] = ()

    @property
    def corrects(self) -> bool:
        """Whether a person has filled in any field of the row."""
        return self != RegistryRow(filename=self.filename, found=self.found)


class RegistryCollection(Model):
    documents: tuple[RegistryRow, ...] = ()


class RegistryFile(Model):
    """The whole file. Unknown fields are rejected, so that a misspelt one is noticed."""

    collections: Mapping[str, RegistryCollection] = Field(default_factory=dict)
    _rows: dict[tuple[str, str], RegistryRow] = PrivateAttr(default_factory=dict)

    def model_post_init(self, context: Any, /) -> None:
        for name, collection in self.collections.items():
            for row in collection.documents:
                self._rows.setdefault((name, row.filename), row)

    @classmethod
    def load(cls, path: Path) -> RegistryFile:
        """Read the file; a missing file is an empty registry. Raises KnowledgeBaseError for an invalid file."""
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return cls()
        except (OSError, UnicodeDecodeError) as error:
            raise KnowledgeBaseError(f"Cannot read the document registry {path}: {error}") from error
        try:
            return cls.model_validate(json.loads(text))
        except (ValueError, ValidationError) as error:
            reason = " ".join(str(error).split())[:300]
            raise KnowledgeBaseError(f"The document registry {path} is not valid: {reason}") from error

    def save(self, path: Path) -> None:
        """Write a temporary file and move it into place, so that a reader never sees half a file.

        Raises KnowledgeBaseError if the file cannot be written.
        """
        content = json.dumps(self.model_dump(exclude_defaults=True), ensure_ascii=False, indent=2) + "\n"
        try:
            private_folder(path.parent)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(content)
            os.replace(temporary, path)
        except OSError as error:
            raise KnowledgeBaseError(f"Cannot write the document registry {path}: {error}") from error

    def corrections(self) -> dict[tuple[str, str], str]:
        """Return the rows with corrections: (collection, file) -> row as JSON.

        A file with an empty row of its own gets '{}', so that the row for its name without folder does not apply to it.
        """
        written = {place: row.model_dump_json(exclude={"found"}) for place, row in self._rows.items() if row.corrects}
        shadowing = {
            (collection, file): "{}"
            for collection, file in self._rows
            if (collection, file) not in written and (collection, file.rsplit("/", 1)[-1]) in written
        }
        return written | shadowing

    def row(self, collection: str, filename: str) -> RegistryRow | None:
        """Return the row of a file, found by its name with or without its folder, or None."""
        return self._rows.get((collection, filename)) or self._rows.get((collection, filename.rsplit("/", 1)[-1]))


def complete_registry(documents: Sequence[Document], registry: RegistryFile | None = None) -> RegistryFile:
    """Return the registry with a row for every document: what people wrote, and the names found."""
    registry = registry or RegistryFile()
    rows = {name: list(collection.documents) for name, collection in registry.collections.items()}
    places = {(name, id(row)): place for name, found in rows.items() for place, row in enumerate(found)}
    for document in documents:
        existing = registry.row(document.collection, document.file)
        row = _completed(existing or RegistryRow(filename=document.file), names_of_document(document, known_works()))
        of_collection = rows.setdefault(document.collection, [])
        if existing is None:
            of_collection.append(row)
        else:
            of_collection[places[document.collection, id(existing)]] = row
    return RegistryFile(collections={name: RegistryCollection(documents=tuple(found)) for name, found in rows.items()})


def _completed(row: RegistryRow, found: Sequence[str]) -> RegistryRow:
    known = {name_key(name) for name in (*row.synonyms, *row.ignore)}
    fresh = {name_key(name): name for name in reversed(found) if name_key(name) not in known}
    return row.model_copy(update={"found": tuple(reversed(fresh.values()))})
