"""Finds what a reader must know beside the answer: exceptions, and places that references led to."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.reasoning.text.aspects import says
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.selection import RankedUnit, Selection

QUALIFYING = 2
REACHED = 3
_NEAR = 0.4  # share of the best unit's probability
_BEARS = 0.5


def qualifying(
    selections: Sequence[Selection], quoted: Sequence[QuotedPassage], builder: PassageBuilder
) -> tuple[QuotedPassage, ...]:
    """Return sentences from the quoted sections that state an exception, at most ``QUALIFYING``."""
    sections = {one.evidence.section for one in quoted if one.evidence.section}
    found: list[QuotedPassage] = []
    for selection in selections:
        best = selection.units[0].probability if selection.units else 0.0
        for ranked in selection.units:
            excepting = _excepting(ranked)
            if excepting is None or ranked.unit.section not in sections or ranked.probability < _NEAR * best:
                continue
            if not any(one.touches(ranked.unit) for one in (*quoted, *found)):
                found.append(builder.passage(excepting, "exception", cut=True))
    return tuple(found[:QUALIFYING])


def reached(
    selections: Sequence[Selection], quoted: Sequence[QuotedPassage], builder: PassageBuilder
) -> tuple[QuotedPassage, ...]:
    """Return the best places reached by references that bear on a part of the question, outside the quoted sections."""
    sections = {one.evidence.section for one in quoted if one.evidence.section}
    found: list[QuotedPassage] = []
    for selection in selections:
        best = selection.units[0].probability if selection.units else 0.0
        for ranked in selection.units:
            seen = ranked.unit.section in sections or any(one.touches(ranked.unit) for one in found)
            if seen or ranked.probability < _BEARS * best:
                continue
            passage = builder.passage(ranked, "reached", cut=True)
            if passage.evidence.depth:
                found.append(passage)
    return tuple(sorted(found, key=lambda one: -one.probability)[:REACHED])


def _excepting(ranked: RankedUnit) -> RankedUnit | None:
    """Return the unit reduced to its sentences that state an exception, or None if there are none."""
    unit = ranked.unit
    marked = [
        one for one in ranked.sentences if says("exceptions", unit.text[one.start - unit.start : one.end - unit.start])
    ]
    return ranked.model_copy(update={"sentences": tuple(marked)}) if marked else None
