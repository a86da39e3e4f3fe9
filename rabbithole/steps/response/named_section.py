"""The block of a part that names a section: the section itself, or what answers in it."""

from __future__ import annotations

from rabbithole.steps.question import NamedPlace
from rabbithole.steps.question.place_phrases import without_place
from rabbithole.steps.selection import QuestionPart, question_part

from .choosing import Chosen
from .models import Block
from .quoting.passage_builder import PassageBuilder


def named_block(chosen: Chosen, place: NamedPlace, builder: PassageBuilder, most: int) -> Block:
    """Return a block quoting the named section: all of it up to ``most`` words, else what answers, or its beginning."""
    selection = chosen.selection
    inside = [one for one in selection.units if chosen.candidates[one.candidate].origin == "named"]
    whole = builder.beginning(place, most)
    best = [builder.passage(one) for one in inside[: max(1, selection.shown)]]
    more = asks_more(selection.part, place)
    return Block(
        parts=(chosen.text,),
        finding="answered" if not more or selection.status == "answered" else "closest",
        probability=selection.probability if more else 0.9,
        passages=tuple(best) if best and more and whole.cut else (whole,),
    )


def asks_more(part: QuestionPart, place: NamedPlace) -> bool:
    """Return whether a part asks something about the place it names, rather than only for its text."""
    bare = without_place(part.text, place.text)
    return any(term.weight >= 1 for term in question_part(bare, part.language).terms)
