"""Taking over the folders of the predecessor: ``kb/<NAME>__db_inserted/`` and its ``document_registry.json``."""

from __future__ import annotations

from pathlib import Path

from rabbithole.kb.errors import UsageError

SUFFIX = "__db_inserted"
REGISTRY = "document_registry.json"


def predecessor_collections(folder: Path) -> dict[str, Path]:
    """Collection name -> its folder of PDFs. Raises UsageError when there is none."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}; give the folder that holds the <NAME>{SUFFIX} folders.")
    found = {
        path.name.removesuffix(SUFFIX): path
        for path in sorted(folder.iterdir())
        if path.is_dir() and path.name.endswith(SUFFIX) and path.name != SUFFIX
    }
    if not found:
        raise UsageError(f"There is no folder called <NAME>{SUFFIX} in {folder}.")
    return found


def predecessor_registry(folder: Path) -> Path | None:
    """The predecessor's table of names, which has the format of ours."""
    path = folder / REGISTRY
    return path if path.is_file() else None
