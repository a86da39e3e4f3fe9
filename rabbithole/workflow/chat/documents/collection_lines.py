"""The collections as the start screen shows them, with the files that could not be read, or only in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import CollectionInfo, Document

SHOWN_UNREAD = 5


def collection_lines(kb: KnowledgeBase) -> list[dict[str, Any]]:
    """Return one line per collection."""
    documents = kb.documents()
    return [_line(kb, info, [one for one in documents if one.collection == info.name]) for info in kb.collections()]


def _line(kb: KnowledgeBase, info: CollectionInfo, documents: Sequence[Document]) -> dict[str, Any]:
    """Return the line of one collection; what an unreadable text seems to be written in is no language of it."""
    unread = [file.file for file in kb.unread((info.name,))]
    readable = {one.language for one in documents if one.file not in unread}
    return {
        **info.model_dump(include={"name", "documents", "pages", "chunks"}),
        "languages": [one for one in info.languages if one in readable],
        "unread": _named(unread),
        "in_part": _named([file.file for file in kb.read_in_part((info.name,))]),
    }


def _named(files: Sequence[str]) -> dict[str, Any]:
    return {"names": [one.rsplit("/", 1)[-1] for one in files[:SHOWN_UNREAD]], "count": len(files)}
