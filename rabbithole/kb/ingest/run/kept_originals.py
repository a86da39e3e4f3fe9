"""Copies of the ingested files in the place that RABBITHOLE_ORIGINALS names: one for each document, none besides."""

from __future__ import annotations

import logging

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import Document
from rabbithole.kb.originals import Originals
from rabbithole.kb.store.blobs.blobs_place import BlobsPlace
from rabbithole.kb.store.store import Store

log = logging.getLogger(__name__)


def keep_originals(store: Store, former: BlobsPlace | None = None) -> None:
    """Copy the files that have no copy yet, and remove the copies of documents that are gone.

    ``former``: where copies may be that another knowledge base of the same documents has. A file that is not where it
    was ingested is left out with a warning. Raises KnowledgeBaseError if the place cannot be written.
    """
    if store.originals is None:
        return
    blobs = store.originals.open()
    documents = {document.id: document for document in store.catalog.documents()}
    names = blobs.names()
    blobs.remove(sorted(names - documents.keys()))
    originals, gone = Originals(former), list[Document]()
    for document in documents.values():
        if document.id in names:
            continue
        try:
            file = originals.open(document)
        except KnowledgeBaseError:
            gone.append(document)
            continue
        with file:
            blobs.put(document.id, file)
    if gone:
        log.warning(
            "%d files are not where they were ingested, so that no copy of them is kept: %s.", len(gone), gone[0].file
        )


def check_originals(store: Store) -> list[str]:
    """Return in a sentence how many documents have no copy of their file, if copies are kept; else []."""
    if store.originals is None:
        return []
    lacking = {document.id for document in store.catalog.documents()} - store.originals.open().names()
    said = f"{len(lacking)} documents have no copy of their file in RABBITHOLE_ORIGINALS: ingest their folder again."
    return [said] if lacking else []
