"""Choose and open the index of a knowledge base. It has exactly one, of a kind that the catalog records."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, Literal, get_args

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.ports import ChunkIndex
from rabbithole.kb.store.vectors.exact import ExactVectors
from rabbithole.kb.store.vectors.vector_index import VectorIndex

from .embedded import EmbeddedIndex
from .row_numbers import RowNumbers

FORMAT: Final = "1"
"""The format of the index files, recorded in the catalog. Increase it when their layout changes."""
VectorKind = Literal["exact", "chroma", "chroma-server", "lance"]
META: Final = "vector_index"
"""The catalog's entry for the kind of index. A knowledge base without one was written to both and is read as exact."""
COLLECTION: Final = "rabbithole-chunks"
_WORDS: Final[dict[VectorKind, str]] = {
    "exact": "in its own files (VECTOR_INDEX=exact)",
    "chroma": "in a Chroma folder (VECTOR_INDEX=chroma)",
    "chroma-server": "on a Chroma server (VECTOR_INDEX=chroma with CHROMA_URL)",
    "lance": "in LanceDB (RABBITHOLE_INDEX)",
}


def described(kind: VectorKind) -> str:
    """Describe in words where the vectors are."""
    return _WORDS[kind]


def for_new(settings: KbSettings) -> VectorKind:
    """Return the index for a new knowledge base.

    ``auto`` chooses a Chroma server if one is configured, else exact, which loads nothing and is written in a hundredth
    of the time (docs/decisions/chroma-and-exact.md).
    """
    match settings.vector_index:
        case "exact":
            return "exact"
        case "chroma":
            return "chroma-server" if settings.chroma_url else "chroma"
        case _:
            other: VectorKind = "chroma-server" if settings.chroma_url else "exact"
            return "lance" if settings.rabbithole_index else other


def for_existing(settings: KbSettings, recorded: str | None, folder: Path, *, moving: bool = False) -> VectorKind:
    """Return the index with which a knowledge base was written; ``moving``: the settings may name another.

    Raises KnowledgeBaseError if the settings name another index, or do not name its server.
    """
    place = shlex.quote(str(folder))
    if recorded is not None and recorded not in get_args(VectorKind):
        raise KnowledgeBaseError(
            f"The vectors of the knowledge base at {folder} are in an index this version does not know "
            f"({recorded!r}): update Rabbithole, or make them anew with `rabbithole kb rebuild --kb {place}`."
        )
    kind: VectorKind = recorded or "exact"  # type: ignore[assignment]  # checked above
    named = settings.vector_index != "auto" or settings.rabbithole_index
    if named and for_new(settings) != kind and not moving:
        raise KnowledgeBaseError(
            f"The vectors of the knowledge base at {folder} are {described(kind)}, the settings want them "
            f"{described(for_new(settings))}: move them with `rabbithole kb rebuild --keep-vectors --kb {place}`, or "
            "set VECTOR_INDEX=auto."
        )
    if kind == "chroma-server" and not settings.chroma_url:
        raise KnowledgeBaseError(
            f"The vectors of the knowledge base at {folder} are on a Chroma server: set CHROMA_URL, or make them anew "
            f"here with `rabbithole kb rebuild --kb {place}`."
        )
    if kind == "lance" and not settings.rabbithole_index:
        raise KnowledgeBaseError(
            f"The index of the knowledge base at {folder} is in LanceDB: set RABBITHOLE_INDEX, or make it anew here "
            f"with `rabbithole kb rebuild --kb {place}`."
        )
    return kind


def open_index(
    kind: VectorKind,
    folder: Path,
    epoch: int,
    settings: KbSettings,
    numbers: RowNumbers,
    dimension: Callable[[], int],
    *,
    base: Callable[[], str] = str,
    model: str = "",
    create: bool,
) -> ChunkIndex:
    """Return the index of one epoch of the knowledge base in ``folder``; a rebuild makes that of the next epoch.

    ``base`` (the catalog's id) and ``model`` (the embedding model) are recorded in an index outside the folder.
    """
    if kind == "lance":
        # Imported here, because LanceDB is an extra.
        try:
            adapter = import_module(".lance", __package__)
        except ModuleNotFoundError as error:
            raise KnowledgeBaseError(
                "RABBITHOLE_INDEX needs LanceDB, which is not installed: pip install 'rabbithole[cluster]'."
            ) from error
        shared: ChunkIndex = adapter.LanceIndex(settings.rabbithole_index, epoch, base, model, dimension)
        return shared
    return EmbeddedIndex(
        folder / f"keywords-{epoch}",
        lambda: open_vectors(kind, folder, epoch, settings.chroma_url, dimension),
        numbers,
        create=create,
    )


def open_vectors(
    kind: VectorKind, folder: Path, epoch: int, chroma_url: str | None, dimension: Callable[[], int]
) -> VectorIndex:
    """Return the vector index of one epoch. Chroma is imported only if it is used."""
    if kind == "exact":
        return ExactVectors(folder / f"vectors-{epoch}", dimension)
    # Imported here, because Chroma and LlamaIndex take seconds to load and the exact index does not need them.
    adapter = import_module("rabbithole.kb.store.vectors.chroma")
    url = chroma_url if kind == "chroma-server" else None
    opened: VectorIndex = adapter.ChromaVectors(folder / "chroma", url, f"{COLLECTION}-{epoch}", dimension)
    return opened
