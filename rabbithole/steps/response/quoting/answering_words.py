"""Which words of quoted passages are bold: the sentence or the item that answers, and no part of a list. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.selection import RankedUnit
from rabbithole.steps.selection.expected import states_figure
from rabbithole.steps.selection.models import Figure
from rabbithole.steps.selection.units.unit_lines import lines_of

Spans = tuple[tuple[int, int], ...]
_ONE = re.compile(r"\b(?:one|ein(?:e[mnrs]?)?)\b", re.IGNORECASE)
_SEVERAL = 2
"""Minimum number of items of a list."""


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


def bold_of_list(passage: QuotedPassage, *, listed: bool) -> Spans:
    """Return the bold spans of a passage without lead-ins, and of a list only the item that answers.

    If several items are bold, or if a list is what is asked for (``listed``), none is: the others would look as if they
    were less important. A table keeps its spans.
    """
    if passage.kind == "table" or not passage.bold:
        return passage.bold
    lines = lines_of(passage.text)
    items = [line for line in lines if line.marker is not None]
    parts = [
        (max(first, line.start), min(last, line.end), line)
        for first, last in passage.bold
        for line in lines
        if first < line.end and line.start < last
    ]
    spoken = [one for one in parts if not passage.text[one[0] : one[1]].rstrip().endswith(":")]
    marked = {line.start for _, _, line in spoken if line.marker is not None}
    if len(items) >= _SEVERAL and (listed or len(marked) > 1):
        return ()
    kept = [one for one in spoken if one[2].start in marked] if len(items) >= _SEVERAL and marked else spoken
    return passage.bold if kept == parts else tuple((first, last) for first, last, _ in kept)


def bold_figure(passage: QuotedPassage, figure: Figure | None) -> Spans:
    """Return the bold spans of a passage that state the figure asked for; () if none is asked for.

    A number must be more than "one", which is an article in German.
    """
    if figure is None:
        return ()

    def states(words: str) -> bool:
        return states_figure(figure, _ONE.sub(" ", words) if figure == "number" else words)

    return tuple((first, last) for first, last in passage.bold if states(passage.text[first:last]))


def _within(passage: QuotedPassage, document: str, start: int, end: int) -> Spans:
    """Return the part of a passage's text that a span of the document covers, as its bold spans."""
    first, last = max(start - passage.start, 0), min(end - passage.start, len(passage.text))
    same = passage.evidence.document == document and passage.kind != "table"
    return ((first, last),) if same and first < last else ()
