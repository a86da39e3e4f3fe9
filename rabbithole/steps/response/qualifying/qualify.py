"""Finds what a reader must know beside the answer: exceptions, and places that references led to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    for ranked in _likely(selections, _NEAR):
        excepting = _excepting(ranked)
        if excepting is None or ranked.unit.section not in sections:
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
    for ranked in _likely(selections, _BEARS):
        if ranked.unit.section in sections or any(one.touches(ranked.unit) for one in found):
            continue
        passage = builder.passage(ranked, "reached", cut=True)
        if passage.evidence.depth:
            found.append(passage)
    return tuple(sorted(found, key=lambda one: -one.probability)[:REACHED])


def _likely(selections: Sequence[Selection], share: float) -> Iterator[RankedUnit]:
    """Yield the units of each selection that have at least this share of the probability of its first."""
    for selection in selections:
        for ranked in selection.units:
            if ranked.probability >= share * selection.units[0].probability:
                yield ranked


def _excepting(ranked: RankedUnit) -> RankedUnit | None:
    """Return the unit reduced to its sentences that state an exception, or None if there are none."""
    marked = [one for one in ranked.sentences if says("exceptions", ranked.words_of(one))]
    return ranked.model_copy(update={"sentences": tuple(marked)}) if marked else None
