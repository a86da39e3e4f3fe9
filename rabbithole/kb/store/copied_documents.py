"""The documents of a knowledge base in another one: rows of the catalog as they are, vectors as they are.

Until all are there, the catalog of the copy records what it is a copy of, and nothing else may open it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import Model

from .catalog import CatalogReader
from .index.index_choice import FORMAT, META, VectorKind
from .ports import ChunkKey, DocumentChunks, Progress
from .records import embedding_texts
from .vectors.matrix import Float32

if TYPE_CHECKING:
    from .store import Store

COPYING: Final = "copying"
"""The catalog's entry for the copy it is becoming; '' once that is complete."""
_PLACE: Final = ("base", "joined", "index_owner", "epoch", META, "index_format", COPYING)
"""Entries of the catalog about where it is; they are not copied."""
DOCUMENTS: Final = 256
"""Maximum number of documents written together."""
CHUNKS: Final = 8192
"""Documents are written together once they have this many chunks: LanceDB takes as long for a few as for thousands."""


class Copying(Model):
    """What a catalog is becoming a copy of, and the index of the copy.

    ``source``: the folder of the other knowledge base; ``model``: its embedding model, '' if it never had a document.
    """

    source: str
    generation: int
    model: str
    kind: VectorKind


def copying(catalog: CatalogReader) -> Copying | None:
    """Return what the catalog is an unfinished copy of, or None."""
    recorded = catalog.meta(COPYING)
    return Copying.model_validate_json(recorded) if recorded else None


def require_finished(catalog: CatalogReader, folder: Path) -> None:
    """Raise KnowledgeBaseError if the knowledge base in ``folder`` is part of an interrupted copy."""
    if (begun := copying(catalog)) is not None:
        raise KnowledgeBaseError(
            f"The knowledge base at {folder} is an unfinished copy of {begun.source}: run the same `rabbithole kb "
            "copy` again, which goes on with it, or remove it."
        )


def copy_documents(source: Store, target: Store, wanted: Copying, progress: Progress | None = None) -> None:
    """Write all documents of ``source`` to ``target``, which holds none or is an unfinished copy of the same state.

    The target stays unfinished; ``finish`` ends that. Raises KnowledgeBaseError if the source is changed meanwhile or
    has lost vectors.
    """
    target.begin()
    target.index.optimise()  # refuses an index there that belongs to another knowledge base
    begun = {COPYING: wanted.model_dump_json(), META: wanted.kind, "index_format": FORMAT}
    known = ("embedding_model", "embedding_dimension")
    held = {key: value for key in known if (value := source.catalog.meta(key)) is not None}
    target.catalog.set_meta(begun | held if held else {COPYING: begun[COPYING]})
    there = target.catalog.ordinals()
    ordinals = source.catalog.ordinals()
    waiting = [ordinal for ordinal in ordinals if ordinal not in there]
    done = len(ordinals) - len(waiting)
    for together in parts(waiting, source.catalog.chunk_counts()):
        try:
            rows = [source.catalog.document_rows(ordinal) for ordinal in together]
            documents = [_content(source.catalog, ordinal) for ordinal in together]
            vectors = _vectors(source, documents)
        except KnowledgeBaseError:
            _require_unchanged(source, wanted)
            raise
        _require_unchanged(source, wanted)
        target.catalog.stage_rows(rows)
        target.index.put(documents, vectors)
        target.catalog.publish(together)
        done += len(together)
        if progress is not None:
            progress(done, len(ordinals))
    for collection in source.catalog.collection_names():
        target.catalog.publish(files=source.catalog.files(collection).values())
    if source.catalog.resolved.exist:
        target.catalog.resolved.create()
        target.catalog.resolved.finish(source.catalog.resolved.mark(), source.catalog.resolved.names())
    target.index.optimise()
    _require_unchanged(source, wanted)


def finish(source: Store, target: Store) -> None:
    """Let ``target`` be opened from now on, in the generation of ``source``."""
    copied = {key: value for key, value in source.catalog.all_meta().items() if key not in _PLACE}
    target.catalog.set_meta(copied | {COPYING: ""})


def clear(target: Store) -> None:
    """Remove all documents of an unfinished copy, because the other knowledge base has changed since."""
    target.begin()
    ordinals = list(target.catalog.ordinals())
    target.catalog.publish(gone=ordinals)
    for collection in target.catalog.collection_names():
        target.catalog.publish(forgotten=[(collection, file) for file in target.catalog.files(collection)])
    target.index.destroy()
    target.catalog.forget(ordinals)


def parts(ordinals: Sequence[int], chunks: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield documents to be written together, in order. ``chunks``: the number of chunks of each."""
    part: list[int] = []
    held = 0
    for ordinal in ordinals:
        part.append(ordinal)
        held += chunks.get(ordinal, 0)
        if held >= CHUNKS or len(part) >= DOCUMENTS:
            yield part
            part, held = [], 0
    if part:
        yield part


def _content(catalog: CatalogReader, ordinal: int) -> DocumentChunks:
    found = catalog.stored_at(ordinal)
    if found is None:
        raise KnowledgeBaseError("A document was removed while it was copied: run the same command again.")
    chunks = catalog.chunks(found.document.id)
    texts = tuple(embedding_texts(found.document.title, chunks, catalog.text(found.document.id)))
    return DocumentChunks(ordinal, found.document, chunks, texts)


def _vectors(source: Store, documents: Sequence[DocumentChunks]) -> Float32:
    """Return the vectors of documents, in order. Raises KnowledgeBaseError if some are missing or damaged."""
    damaged = [one.document.file for one in documents if not source.index.sound(one.ordinal, len(one.chunks))]
    if damaged:
        raise KnowledgeBaseError(
            f"The vectors of {damaged[0]} in the knowledge base at {source.folder} are missing or damaged: mend it "
            "with `rabbithole kb repair`, then copy it."
        )
    keys = [ChunkKey(one.ordinal, position) for one in documents for position in range(len(one.chunks))]
    return source.index.vectors(keys) if keys else np.empty((0, 0), dtype=np.float32)


def _require_unchanged(source: Store, wanted: Copying) -> None:
    if source.catalog.generation != wanted.generation:
        raise KnowledgeBaseError(
            f"The knowledge base at {wanted.source} was changed while it was copied: run the same command again when "
            "nothing is written to it."
        )
