"""Finds a second document that states a different figure for the same thing, so that both are shown."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.phases.contradictions import disagree
from rabbithole.steps.selection import RankedUnit, ScoredSpan, Selection

from .models import QuotedPassage
from .quoting.passage_builder import PassageBuilder

_NEAR = 0.5  # share of the best unit's probability


def another_figure(
    selection: Selection, shown: Sequence[RankedUnit], builder: PassageBuilder
) -> tuple[QuotedPassage, ...]:
    """Return the best unit of another document with nearly the same words but a different figure, or ()."""
    first = shown[0]
    own = [_words(first, span) for span in first.sentences]
    for other in selection.units:
        if other.unit.document == first.unit.document or other.probability < _NEAR * first.probability:
            continue
        if any(disagree(left, _words(other, span)) for left in own for span in other.sentences):
            return (builder.passage(other, "other", cut=True),)
    return ()


def _words(ranked: RankedUnit, span: ScoredSpan) -> str:
    return ranked.unit.text[span.start - ranked.unit.start : span.end - ranked.unit.start]
