"""What a reader must know beside the answer: exceptions and conditions, and places references led to."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.reasoning.text.aspects import Aspect, says
from rabbithole.steps.selection import RankedUnit, Selection

from .models import Passage, Why
from .opening import Opener

QUALIFYING = 2
REACHED = 3
_NEAR = 0.35  # of the best unit's probability
_BEARS = 0.3
_KINDS: tuple[tuple[Aspect, Why], ...] = (("exceptions", "exception"),)


def qualifying(selections: Sequence[Selection], quoted: Sequence[Passage], opener: Opener) -> tuple[Passage, ...]:
    """Sentences of the sections quoted that except something from what they say or say when it holds."""
    sections = {one.evidence.section for one in quoted if one.evidence.section}
    found: list[Passage] = []
    for selection in selections:
        best = selection.units[0].probability if selection.units else 0.0
        for ranked in selection.units:
            why = _why(ranked)
            if why is None or ranked.unit.section not in sections or ranked.probability < _NEAR * best:
                continue
            if not _shown(ranked, quoted) and not _shown(ranked, found):
                found.append(opener.passage(ranked, why, cut=True))
    return tuple(found[:QUALIFYING])


def reached(selections: Sequence[Selection], quoted: Sequence[Passage], opener: Opener) -> tuple[Passage, ...]:
    """Of the places references led to, those that bear on a part of the question and are not quoted yet."""
    found: list[Passage] = []
    for selection in selections:
        best = selection.units[0].probability if selection.units else 0.0
        for ranked in selection.units:
            if ranked.probability < _BEARS * best or _shown(ranked, quoted) or _shown(ranked, found):
                continue
            passage = opener.passage(ranked, "reached", cut=True)
            if passage.evidence.depth:
                found.append(passage)
    return tuple(sorted(found, key=lambda one: -one.probability)[:REACHED])


def _why(ranked: RankedUnit) -> Why | None:
    return next((why for aspect, why in _KINDS if says(aspect, ranked.unit.text)), None)


def _shown(ranked: RankedUnit, passages: Sequence[Passage]) -> bool:
    unit = ranked.unit
    return any(
        one.evidence.document == unit.document and one.start < unit.end and unit.start < one.end for one in passages
    )
