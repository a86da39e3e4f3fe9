"""Puts the units that may be quoted in order: questions, superseded editions and repeated lines come last."""

from __future__ import annotations

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import Understood
from rabbithole.steps.selection import RankedUnit, Selection
from rabbithole.steps.selection.expected import only_asks

from .informs import BEFORE, informs, is_repeated


def quotable(kb: KnowledgeBase, selection: Selection, understood: Understood) -> list[RankedUnit]:
    """Return the units that may be quoted; questions, superseded editions and repeated lines come last.

    A document asked for by name is never treated as superseded.
    """
    asked = set(understood.documents)
    units = [one for one in selection.units if informs(f"{one.unit.head}\n{one.unit.text}", _before(kb, one))]

    def replaced(one: RankedUnit) -> bool:
        return one.unit.document not in asked and bool(kb.standing(one.unit.document))

    texts = {document: kb.text(document) for document in {one.unit.document for one in units}}

    def repeated(one: RankedUnit) -> bool:
        return is_repeated(one.unit.text, texts[one.unit.document])

    return sorted(units, key=lambda one: (replaced(one), _asks(one), repeated(one)))


def _asks(ranked: RankedUnit) -> bool:
    """Return whether a unit or its best sentence is itself a question: 'we answer four: How do ...?'"""
    if only_asks(ranked.unit.text):
        return True
    if not ranked.sentences:
        return False
    best, start = ranked.sentences[0], ranked.unit.start
    return ranked.unit.text[best.start - start : best.end - start].rstrip().endswith("?")


def _before(kb: KnowledgeBase, ranked: RankedUnit) -> str:
    return kb.text(ranked.unit.document, max(0, ranked.unit.start - BEFORE), ranked.unit.start)
