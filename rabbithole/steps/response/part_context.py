"""Whether a part of a question is chosen for with the rest of the question, or by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.text.terms import stems
from rabbithole.steps.selection import QuestionPart, RankedUnit
from rabbithole.steps.selection.matching import Matcher
from rabbithole.steps.selection.question import refers_back

from .choosing import Chooser, Chosen

_MOST, _MORE = 0.5, 0.02
"""Thresholds as shares of the weight of a part's own words."""
_ASKS = 2
"""Minimum number of own words of a part that asks for something by itself, though it refers to the rest."""


def leaning(kb: KnowledgeBase, own: Chosen, whole: Chosen) -> Chosen:
    """Return the choice of the whole question for a part that says little by itself.

    If both chose the same section, the part keeps its own units. If the place found for the whole question says less of
    the part's own words, that place answers another part, and the part keeps its own choice.
    """
    units, best = own.selection.units, whole.selection.units
    if units and best and units[0].unit.section == best[0].unit.section:
        surer = {"probability": whole.selection.probability, "status": whole.selection.status}
        return replace(own, selection=own.selection.model_copy(update=surer))
    words, language = own_words(kb, own.selection.part), own.selection.part.language
    if units and best and _said(kb, words, best[0], language) < _said(kb, words, units[0], language):
        return own
    return replace(whole, text=own.text)


def by_itself(kb: KnowledgeBase, own: Chosen, others: Sequence[Chosen], chooser: Chooser) -> Chosen:
    """Choose again, without the rest of the question, for a part whose best passage belongs to another part.

    The rest gives a part its context, but it may ask about another matter: 'When is it quiet, and what does a key
    cost?' A passage belongs to another part if it has none of this part's own words while another passage has most of
    them, or if it is also the best of another part in ``others``, has more of that part's words, and another passage
    has more of this part's. The new choice, first made with the subject that "it" stands for, is kept only
    if it answers better, and no less likely. A part of one word that refers to the rest ("What does Google do about
    this?") asks for nothing by itself.
    """
    units, part = own.selection.units, own.selection.part
    if not units or (len(part.terms) < _ASKS and refers_back(part.text)):
        return own
    words, language = own_words(kb, own.selection.part), own.selection.part.language
    said = _said(kb, words, units[0], language)
    taken = any(
        one.selection.units[0].unit == units[0].unit
        and _said(kb, own_words(kb, one.selection.part), units[0], language) > said
        for one in others
        if one.selection.units
    )
    if said > 0.0 and not taken:
        return own
    most = max((_said(kb, words, one, language) for one in units[1:]), default=0.0)
    if not ((said == 0.0 and most >= _MOST) or (taken and most > said + _MORE)):
        return own
    about = chooser.alone_about(own.text)

    def better(one: Chosen) -> bool:
        first = one.selection.units[:1]
        likely = one.selection.status != "none" and one.selection.probability >= own.selection.probability
        return bool(first) and likely and _said(kb, words, first[0], language) > said + _MORE

    if about is not None and better(about):
        return about
    alone = chooser.alone(own.text)
    return alone if better(alone) else own


def is_said_elsewhere(kb: KnowledgeBase, own: Chosen, units: Sequence[RankedUnit]) -> bool:
    """Return whether the best unit lacks the rarest of a part's own words, and another has it and most others."""
    words, language = own_words(kb, own.selection.part), own.selection.part.language
    rarest = rarest_of(words)
    if _said(kb, rarest, units[0], language) > 0.0:
        return False
    return any(_said(kb, rarest, one, language) > 0.0 and _said(kb, words, one, language) >= _MOST for one in units[1:])


def own_words(kb: KnowledgeBase, part: QuestionPart) -> Matcher:
    """Return the words of a part's subject, weighted by rarity."""
    return Matcher({term.stem: term.weight * kb.rarity(term.stem, part.language) for term in part.terms})


def rarest_of(words: Matcher) -> Matcher:
    """Return the word of most weight alone."""
    return Matcher(dict(sorted(words.weights.items(), key=lambda one: -one[1])[:1]))


def _said(kb: KnowledgeBase, words: Matcher, ranked: RankedUnit, language: str) -> float:
    """Return the share of these words, weighted by rarity, that a unit or its heading contains."""
    label = kb.section_by_id(ranked.unit.section).label if ranked.unit.section else ""
    return said_in(words, f"{label} {ranked.unit.head} {ranked.unit.text}", language)


def said_in(words: Matcher, text: str, language: str) -> float:
    """Return the share of these words, by their weights, that a text contains."""
    return words.coverage(words.strengths(stems(text, language)))
