"""Open the catalog of a knowledge base."""

from __future__ import annotations

from pathlib import Path

from .catalog import SqlCatalog
from .sqlite import SqliteEngine


def open_catalog(folder: Path, *, create: bool = False) -> SqlCatalog:
    """Open the catalog of the knowledge base in a folder, or with ``create`` make it if there is none.

    Raises KnowledgeBaseError if there is none, if it is damaged, or if it has another format.
    """
    return SqlCatalog(SqliteEngine(folder, create=create))
