"""Puts the units that may be quoted in order: questions, superseded editions and repeated lines come last.

A repeated line that states the figure asked for does not ("Highest score: 48" of each game). Last are also
legends of tables, and tables of figures where a reason is asked for.
"""

from __future__ import annotations

import re

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.editions import is_newer
from rabbithole.steps.question import Understood
from rabbithole.steps.selection import RankedUnit, Selection
from rabbithole.steps.selection.expected import figure_needed, only_asks, states_figure
from rabbithole.steps.selection.units.debris import is_legend

from .informs import BEFORE, informs, is_repeated

_ASKS_REASON = re.compile(
    r"\b(?:why|what (?:drove|drives|caused|causes|led to|explains)|reasons? (?:for|why)|drivers? of|due to what|warum|"
    r"weshalb|wieso|weswegen|wodurch|woran lag|was (?:hat|führte)\b.{0,60}\b(?:verursacht|bewirkt|dazu)|"
    r"(?:welche|was (?:war|waren|sind|ist)) (?:der |die )?(?:gr[uü]nde?|ursachen?|treiber))\b",
    re.IGNORECASE,
)
_GIVES_REASON = re.compile(
    r"\b(?:because|due to|owing to|caused|as a result|reason|weil|wegen|aufgrund|durch|Grund|Ursache)\b", re.IGNORECASE
)
"""Figures alone give no reason, but a cell of a table may."""


def quotable(kb: KnowledgeBase, selection: Selection, understood: Understood) -> list[RankedUnit]:
    """Return the units that may be quoted; questions, superseded editions and repeated lines come last.

    An edition is superseded if the collection says so, or if a newer one is among the units. A document asked for by
    name never is; one of those whose titles hold names of the question is so by another of these.
    """
    preferred = set(understood.preferred)
    units = [one for one in selection.units if informs(f"{one.unit.head}\n{one.unit.text}", _before(kb, one))]
    documents = {document: kb.document(document) for document in {one.unit.document for one in units}}

    def superseded(own: str) -> bool:
        rivals = (other for other in documents.values() if own not in preferred or other.id in preferred)
        return bool(kb.validity_note(own)) or any(is_newer(other, documents[own]) for other in rivals)

    replaced = {own for own in documents if own not in understood.documents and superseded(own)}
    texts = {document: kb.text(document) for document in documents}

    figure = figure_needed(selection.part)

    def repeated(one: RankedUnit) -> bool:
        stated = figure is not None and states_figure(figure, one.unit.text, selection.part.text)
        return not stated and is_repeated(one.unit.text, texts[one.unit.document])

    reason = _ASKS_REASON.search(selection.part.text) is not None
    return sorted(
        units,
        key=lambda one: (
            one.unit.document in replaced,
            _asks(one),
            repeated(one),
            is_legend(one.unit.text),
            reason and one.unit.kind == "table" and not _GIVES_REASON.search(one.unit.text),
        ),
    )


def _asks(ranked: RankedUnit) -> bool:
    """Return whether a unit or its best sentence is itself a question: 'we answer four: How do ...?'"""
    if only_asks(ranked.unit.text):
        return True
    if not ranked.sentences:
        return False
    return ranked.words_of(ranked.sentences[0]).rstrip().endswith("?")


def _before(kb: KnowledgeBase, ranked: RankedUnit) -> str:
    return kb.text(ranked.unit.document, max(0, ranked.unit.start - BEFORE), ranked.unit.start)
