"""Places that a question names, inside the documents that are held."""

from __future__ import annotations

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Place, Reference, Resolution

from .models import NamedPlace


def resolved_in(kb: KnowledgeBase, reference: Reference, document: str, offset: int | None = None) -> Resolution | None:
    """Return the place inside a document that a reference means, read at an offset if given; None if not in there."""
    alone = reference.model_copy(update={"document": None, "antecedent": None})
    found = kb.resolve(alone, at=Place(document=document, offset=offset))
    inside = found.status == "resolved" and found.document == document and found.start is not None
    return found if inside else None


def held_place(
    reference: Reference,
    name: str,
    document: str,
    section: str | None,
    span: tuple[int | None, int | None],
    asked: str,
    note: str = "",
) -> NamedPlace:
    """Return a place that is held: ``name`` is that of its document, ``span`` its start and end in the document."""
    return NamedPlace(
        text=reference.text,
        name=name,
        status="held",
        document=document,
        section=section,
        start=span[0],
        end=span[1],
        asked=asked,
        note=note,
    )
