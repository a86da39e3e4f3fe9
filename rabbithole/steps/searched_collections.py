"""The collections to search for a question."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import CollectionInfo


def searched(kb: KnowledgeBase, names: Sequence[str]) -> tuple[CollectionInfo, ...]:
    """Return the collections with these names, all if none are given. Raises UsageError if they contain no text."""
    known = tuple(info for info in kb.collections() if not names or info.name in names)
    if not any(info.chunks for info in known):
        raise UsageError(
            f"There are no documents in {', '.join(names) or 'the knowledge base'}; "
            "add some with `rabbithole ingest` first."
        )
    return known
