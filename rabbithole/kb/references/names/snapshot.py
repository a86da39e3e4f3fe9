"""Names of documents for one generation of the knowledge base: registry, name index, resolver."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rabbithole.kb.models import Document
from rabbithole.kb.references.resolution.reader import Reader
from rabbithole.kb.references.resolution.resolve import Resolver

from .name_index import NameIndex
from .registry import FUZZY_THRESHOLD, Registry
from .registry_file import RegistryFile, complete_registry

FILE_NAME = "document_registry.json"


def registry_path(folder: Path, configured: Path | None) -> Path:
    """The setting; else beside a folder called ``database`` (``data/document_registry.json``), else in the folder."""
    if configured is not None:
        return configured
    return (folder.parent if folder.name == "database" else folder) / FILE_NAME


def complete_file(path: Path, documents: Sequence[Document]) -> None:
    """Add a row for every document the file does not have yet; what people wrote stays."""
    before = RegistryFile.load(path)
    after = complete_registry(documents, before)
    if after != before:
        after.save(path)


@dataclass(frozen=True)
class Names:
    """What is known of names while the knowledge base and the file stay as they are."""

    mark: tuple[int, int]
    index: NameIndex
    resolver: Resolver


class Naming:
    """Keeps ``Names`` up to date with the knowledge base's generation and with the edits people make in the file."""

    def __init__(self, reader: Reader, path: Path, threshold: float = FUZZY_THRESHOLD) -> None:
        self._reader = reader
        self._path = path
        self._threshold = threshold
        self._guard = threading.Lock()
        self._current: Names | None = None

    def current(self) -> Names:
        mark = self._reader.generation, self._path.stat().st_mtime_ns if self._path.exists() else 0
        with self._guard:
            if self._current is None or self._current.mark != mark:
                registry = Registry.load(self._path, self._reader.documents(), threshold=self._threshold)
                self._current = Names(mark, NameIndex(registry.names()), Resolver(self._reader, registry))
            return self._current
