"""What a reader must know beside the answer: exceptions and conditions, and places references led to."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.reasoning.text.aspects import says
from rabbithole.steps.selection import RankedUnit, Selection

from .models import Passage
from .opening import Opener

QUALIFYING = 2
REACHED = 3
_NEAR = 0.4  # of the best unit's probability
_BEARS = 0.5


def qualifying(selections: Sequence[Selection], quoted: Sequence[Passage], opener: Opener) -> tuple[Passage, ...]:
    """Sentences of the sections quoted that except something from what they say."""
    sections = {one.evidence.section for one in quoted if one.evidence.section}
    found: list[Passage] = []
    for selection in selections:
        best = selection.units[0].probability if selection.units else 0.0
        for ranked in selection.units:
            excepting = _excepting(ranked)
            if excepting is None or ranked.unit.section not in sections or ranked.probability < _NEAR * best:
                continue
            if not any(one.touches(ranked.unit) for one in (*quoted, *found)):
                found.append(opener.passage(excepting, "exception", cut=True))
    return tuple(found[:QUALIFYING])


def reached(selections: Sequence[Selection], quoted: Sequence[Passage], opener: Opener) -> tuple[Passage, ...]:
    """Of the places references led to, those that bear on a part of the question; none of a section quoted above."""
    sections = {one.evidence.section for one in quoted if one.evidence.section}
    found: list[Passage] = []
    for selection in selections:
        best = selection.units[0].probability if selection.units else 0.0
        for ranked in selection.units:
            seen = ranked.unit.section in sections or any(one.touches(ranked.unit) for one in found)
            if seen or ranked.probability < _BEARS * best:
                continue
            passage = opener.passage(ranked, "reached", cut=True)
            if passage.evidence.depth:
                found.append(passage)
    return tuple(sorted(found, key=lambda one: -one.probability)[:REACHED])


def _excepting(ranked: RankedUnit) -> RankedUnit | None:
    """The unit with the sentence first that excepts something; None when none does."""
    unit = ranked.unit
    marked = [
        one for one in ranked.sentences if says("exceptions", unit.text[one.start - unit.start : one.end - unit.start])
    ]
    return ranked.model_copy(update={"sentences": tuple(marked)}) if marked else None
