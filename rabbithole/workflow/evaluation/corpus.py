"""The knowledge base of a question set: its passages (each a document of one section and one chunk), or documents.

A knowledge base of passages is named by their hash, so that it is built once and never mistaken for another.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Chunk, Document, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import IndexedDocument, embedding_text

from .datasets import SAMPLE, SAMPLE_FOLDER, Dataset, Example, PassageRow
from .metrics import Span

BATCH = 1024
_END = sys.maxsize


def passage_id(collection: str, pid: str) -> str:
    return hashlib.sha256(f"{collection}\n{pid}".encode()).hexdigest()[:16]


def as_document(collection: str, passage: PassageRow) -> IndexedDocument:
    """Return a passage in the form that ingestion produces."""
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


def fingerprint(dataset: Dataset) -> str:
    """Return a hash of the passages in order, as twelve hexadecimal digits."""
    digest = hashlib.sha256()
    for passage in dataset.passages:
        digest.update(f"{passage.pid}\n{passage.title}\n{passage.text}\n".encode())
    return digest.hexdigest()[:12]


def open_corpus(
    folder: Path,
    dataset: Dataset,
    settings: KbSettings,
    kb: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> KnowledgeBase:
    """Open the knowledge base of a question set.

    For questions on documents this is ``kb``, or for the sample one built in ``folder``. Otherwise the passages are
    indexed in ``folder``, which continues after an interruption; most of the time goes into embedding.
    """
    if not dataset.passages:
        return KnowledgeBase.open(kb, settings) if kb is not None else _sample(folder, dataset, settings)
    base = KnowledgeBase.open(folder / f"database-{fingerprint(dataset)}", settings, create=True)
    known = {document.id for document in base.documents(dataset.name)}
    missing = [passage for passage in dataset.passages if passage_id(dataset.name, passage.pid) not in known]
    for start in range(0, len(missing), BATCH):
        _put(base, dataset.name, missing[start : start + BATCH])
        if progress is not None:
            progress(len(dataset.passages) - len(missing) + min(start + BATCH, len(missing)), len(dataset.passages))
    return base


def _sample(folder: Path, dataset: Dataset, settings: KbSettings) -> KnowledgeBase:
    if dataset.name != SAMPLE:
        raise UsageError("These questions are about documents: give the knowledge base that contains them with --kb.")
    pdfs = SAMPLE_FOLDER / "pdf"
    if not pdfs.is_dir():
        raise UsageError(
            f"{pdfs} does not exist; make the sample's documents with `python -m rabbithole.kb.sample.build`."
        )
    base = KnowledgeBase.open(folder / "database", settings, create=True)
    base.ingest([pdfs], SAMPLE)
    return base


def gold_spans(kb: KnowledgeBase, dataset: Dataset, example: Example) -> tuple[Span, ...]:
    """Return the places that contain the answer. Raises UsageError for a place missing from the knowledge base."""
    if not example.places:
        return tuple((passage_id(dataset.name, pid), 0, _END) for pid in example.gold)
    files = {document.file: document.id for document in kb.documents()}
    found = []
    for place in example.places:
        document = files.get(place.file)
        section = kb.section(document, place.section) if document and place.section else None
        if document is None or (place.section and section is None):
            raise UsageError(
                f"The question {example.id!r} names {place.file} {place.section}, which is not in the knowledge base."
            )
        found.append((document, section.start, section.end) if section else (document, 0, _END))
    return tuple(found)


def _put(kb: KnowledgeBase, collection: str, passages: Sequence[PassageRow]) -> None:
    indexed = [as_document(collection, passage) for passage in passages]
    vectors = kb.embed([embedding_text(one.document.title, one.chunks[0]) for one in indexed])
    kb.put(list(zip(indexed, (vectors[at : at + 1] for at in range(len(indexed))), strict=True)))
