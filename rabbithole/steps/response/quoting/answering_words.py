"""Sets the one sentence in bold that answers, where passages are given as an answer without reservation. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.selection import RankedUnit


def with_best_bold(passages: Sequence[QuotedPassage], best: RankedUnit) -> list[QuotedPassage]:
    """Return the passages with the best sentence of a unit in bold and nothing else; tables stay as they are.

    A reader looks for the answer in bold, so a passage of one sentence is bold as well. Passages without the sentence
    are returned unchanged, if no passage has it.
    """
    document, start, end = best.unit.document, best.unit.start, best.unit.end
    if best.sentences:
        start, end = best.sentences[0].start, best.sentences[0].end
    shown = [_within(one, document, start, end) for one in passages]
    if not any(shown):
        return list(passages)
    return [
        one if one.kind == "table" else one.model_copy(update={"bold": spans})
        for one, spans in zip(passages, shown, strict=True)
    ]


def _within(passage: QuotedPassage, document: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return the part of a passage's text that a span of the document covers, as its bold spans."""
    first, last = max(start - passage.start, 0), min(end - passage.start, len(passage.text))
    same = passage.evidence.document == document and passage.kind != "table"
    return ((first, last),) if same and first < last else ()
