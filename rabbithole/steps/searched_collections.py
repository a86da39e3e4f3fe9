"""The collections a question is asked of."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import CollectionInfo


def searched(kb: KnowledgeBase, names: Sequence[str]) -> tuple[CollectionInfo, ...]:
    """The collections of these names, all for none. Raises UsageError when there is nothing in them to search."""
    known = tuple(info for info in kb.collections() if not names or info.name in names)
    if not any(info.chunks for info in known):
        raise UsageError(
            f"There is nothing to search in {', '.join(names) or 'the knowledge base'}; "
            "add documents with `rabbithole ingest` first."
        )
    return known
