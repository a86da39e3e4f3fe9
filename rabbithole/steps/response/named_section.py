"""The block of a part that names a section, by its number or its heading: the section, or what answers in it."""

from __future__ import annotations

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import NamedPlace
from rabbithole.steps.question.place_phrases import without_place
from rabbithole.steps.question.quoted_headings import QUOTED
from rabbithole.steps.reasoning.text.terms import stem_set, stems
from rabbithole.steps.selection import QuestionPart, RankedUnit, question_part
from rabbithole.steps.selection.features import heading_asked
from rabbithole.steps.selection.weighted_question import Question

from .choosing import Chosen
from .models import Block, QuotedPassage
from .quoting.passage_builder import PassageBuilder

_NEARLY_ALL = 0.5
"""Least value of ``heading_asked`` from which on a section is quoted from its beginning."""


def named_block(chosen: Chosen, place: NamedPlace, builder: PassageBuilder, most: int) -> Block:
    """Return a block quoting the named section: all of it up to ``most`` words, else what answers, or its beginning.

    What answers is the best units of the section up to ``most`` words, since the person has already said where it is.
    """
    selection = chosen.selection
    inside = [one for one in selection.units if chosen.candidates[one.candidate].origin == "named"]
    whole = builder.beginning(place, most)
    more = asks_more(selection.part, place)
    return Block(
        parts=(chosen.text,),
        finding="answered" if not more or selection.status == "answered" else "closest",
        probability=selection.probability if more else 0.9,
        passages=_best(inside, builder, most) if inside and more and whole.cut else (whole,),
    )


def asked_by_heading(kb: KnowledgeBase, part: QuestionPart, ranked: RankedUnit) -> NamedPlace | None:
    """Return the section of a unit as a place if its heading says nearly all of the part's words."""
    if ranked.unit.section is None:
        return None
    section, question = kb.section_by_id(ranked.unit.section), Question(part, kb.rarity)
    heading, title = (
        question.matcher.strengths(stems(text, part.language))
        for text in (section.heading, kb.document(section.document).title)
    )
    if heading_asked(question, heading, title) < _NEARLY_ALL:
        return None
    return NamedPlace(
        text=section.heading, name=section.label, status="held", document=section.document, section=section.id
    )


def _best(units: list[RankedUnit], builder: PassageBuilder, most: int) -> tuple[QuotedPassage, ...]:
    """Return the best units up to ``most`` words in the order of the text; the best one whatever its length."""
    chosen, words = units[:1], len(units[0].unit.text.split())
    for one in units[1:]:
        words += len(one.unit.text.split())
        if words > most:
            break
        chosen.append(one)
    passages = [builder.passage(one) for one in chosen]
    return tuple(sorted(builder.joined(passages), key=lambda one: one.start))


def asks_more(part: QuestionPart, place: NamedPlace) -> bool:
    """Return whether a part asks something about the place it names, rather than only for its text."""
    bare = without_place(part.text, place.text)
    named = stem_set(place.name, part.language) if QUOTED.fullmatch(place.text) else frozenset[str]()
    return any(term.weight >= 1 and term.stem not in named for term in question_part(bare, part.language).terms)
