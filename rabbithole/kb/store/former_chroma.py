"""Handle the unused second copy of the vectors, in Chroma, that older knowledge bases have."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

from rabbithole.kb.settings import KbSettings

from .catalog import Catalog
from .index.index_choice import META, VectorKind, open_vectors
from .vectors.vector_index import VectorIndex

_TOGETHER = 8192
log = logging.getLogger(__name__)


def copy_of(catalog: Catalog, folder: Path, settings: KbSettings) -> VectorIndex | None:
    """Return the copy in Chroma, from which lost vectors are repaired, or None if there is no copy."""
    dimension = catalog.meta("embedding_dimension")
    if catalog.meta(META) is not None or dimension is None:
        return None
    if settings.chroma_url is None and not (folder / "chroma").exists():
        return None
    kind: VectorKind = "chroma" if settings.chroma_url is None else "chroma-server"
    return open_vectors(kind, folder, int(catalog.meta("epoch") or 0), settings.chroma_url, lambda: int(dimension))


def settle(catalog: Catalog, folder: Path, vectors: VectorIndex, settings: KbSettings) -> None:
    """If all vectors in the files are intact, record that the files hold them and remove the local copy in Chroma."""
    if catalog.meta(META) is not None or catalog.meta("embedding_model") is None:
        return
    rows = catalog.chunk_rows()
    if not all(vectors.sound(rows[start : start + _TOGETHER]).all() for start in range(0, len(rows), _TOGETHER)):
        return  # `kb check` reports this, and `kb repair` takes the vectors from the copy
    catalog.set_meta({META: "exact"})
    if settings.chroma_url is not None:
        log.warning(
            "The vectors of %s stay in its files; those on the Chroma server are not used any more. "
            "`rabbithole kb rebuild --keep-vectors` moves them to the server.",
            folder,
        )
    if (folder / "chroma").exists():
        shutil.rmtree(folder / "chroma", ignore_errors=True)
        log.info("The second copy of the vectors in %s was removed: one index holds them now.", folder / "chroma")
