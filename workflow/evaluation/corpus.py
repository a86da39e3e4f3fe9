"""A knowledge base of a question set's passages: each passage is a document of one page, one section, one chunk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from ...kb import KnowledgeBase
from ...kb.models import Chunk, Document, Section
from ...kb.settings import KbSettings
from ...kb.store.records import IndexedDocument, embedding_text
from .datasets import Dataset, PassageRow

BATCH = 256


def passage_id(collection: str, pid: str) -> str:
    return hashlib.sha256(f"{collection}\n{pid}".encode()).hexdigest()[:16]


def as_document(collection: str, passage: PassageRow) -> IndexedDocument:
    """A passage as the ingestion would hand it over."""
    document = passage_id(collection, passage.pid)
    section = Section(
        id=f"{document}:s0",
        document=document,
        index=0,
        level=0,
        heading=passage.title,
        start=0,
        own_end=len(passage.text),
        end=len(passage.text),
        page=0,
        last_page=0,
        page_label="1",
    )
    chunk = Chunk(
        id=f"{document}:c0", document=document, section=section.id, page=0, page_label="1", start=0,
        end=len(passage.text), text=passage.text,
    )  # fmt: skip
    return IndexedDocument(
        document=Document(
            id=document,
            collection=collection,
            file=f"{passage.pid}.txt",
            path=f"/{collection}/{passage.pid}.txt",
            title=passage.title,
            language="en",
            pages=1,
            metadata={"pid": passage.pid},
        ),
        text=passage.text,
        page_starts=(0,),
        page_labels=("1",),
        sections=(section,),
        chunks=(chunk,),
        outline_source="passage",
    )


def open_corpus(
    folder: Path, dataset: Dataset, settings: KbSettings, progress: Callable[[int, int], None] | None = None
) -> KnowledgeBase:
    """The knowledge base of a set in ``folder``, completed where it was interrupted. Embedding takes the time."""
    kb = KnowledgeBase.open(folder, settings, create=True)
    known = {document.id for document in kb.documents(dataset.name)}
    missing = [passage for passage in dataset.passages if passage_id(dataset.name, passage.pid) not in known]
    for start in range(0, len(missing), BATCH):
        _put(kb, dataset.name, missing[start : start + BATCH])
        if progress is not None:
            progress(len(dataset.passages) - len(missing) + min(start + BATCH, len(missing)), len(dataset.passages))
    return kb


def _put(kb: KnowledgeBase, collection: str, passages: Sequence[PassageRow]) -> None:
    indexed = [as_document(collection, passage) for passage in passages]
    vectors = kb.embed([embedding_text(one.document.title, one.chunks[0]) for one in indexed])
    kb.put(list(zip(indexed, (vectors[at : at + 1] for at in range(len(indexed))), strict=True)))
