"""Merges passages of one section that overlap or nearly follow one another, and puts those of a section together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.selection.models import UnitKind


def joined(
    kb: KnowledgeBase, passages: Sequence[QuotedPassage], quoted: Callable[..., QuotedPassage], gap: int = 0
) -> list[QuotedPassage]:
    """Merge passages of one section that overlap or have at most ``gap`` words between them, which are quoted as well.

    The passages of a section come together at the position of the first, in their own order: the best comes first.
    ``quoted`` makes the merged passages (``QuotedEvidence.passage``).
    """
    found: list[QuotedPassage] = []
    for passage in passages:
        place, whole = len(found), passage
        while (beside := next((at for at, one in enumerate(found) if _meet(kb, one, whole, gap)), None)) is not None:
            place, whole = min(place, beside), _union(kb, found.pop(beside), whole, quoted)
        found.insert(place, whole)
    sections = list(dict.fromkeys(_section(one) for one in found))
    return sorted(found, key=lambda one: sections.index(_section(one)))


def _section(passage: QuotedPassage) -> tuple[str, str]:
    """Return document and section; a passage outside of sections is by itself."""
    return passage.evidence.document, passage.evidence.section or str(passage.start)


def _meet(kb: KnowledgeBase, one: QuotedPassage, other: QuotedPassage, gap: int) -> bool:
    document, section = one.evidence.document, one.evidence.section
    if (document, section) != (other.evidence.document, other.evidence.section) or section is None:
        return False
    if "table" in (one.kind, other.kind):
        return False
    first, second = sorted((one, other), key=lambda each: each.start)
    return second.start <= first.end or len(kb.text(document, first.end, second.start).split()) <= gap


def _union(
    kb: KnowledgeBase, one: QuotedPassage, other: QuotedPassage, quoted: Callable[..., QuotedPassage]
) -> QuotedPassage:
    """Return one passage that covers both; the words chosen in the likelier one are bold, unless that is all text."""
    start, end = min(one.start, other.start), max(one.end, other.end)
    text = kb.text(one.evidence.document, start, end)
    likelier = max(one, other, key=lambda each: each.probability)
    moved = likelier.start - start
    whole = ((0, len(likelier.text)),) if len(sentences(likelier.text)) == 1 else ()
    bold = tuple((moved + a, moved + b) for a, b in likelier.bold or whole)
    first = one if one.start <= other.start else other
    kind: UnitKind = "list" if "\n" in text.strip() else "paragraph"
    return quoted(
        one.evidence.document, one.evidence.section, start, end, text, head=first.head, head_start=first.head_start,
        item=first.item, item_start=first.item_start, kind=kind, cut=one.cut or other.cut, why=one.why,
        bold=() if bold == ((0, len(text)),) else bold,
        probability=max(one.probability, other.probability),
    )  # fmt: skip
