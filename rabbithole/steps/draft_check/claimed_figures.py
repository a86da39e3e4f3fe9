"""Figures a draft claims beside a reference, held against the place cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rabbithole.steps.reasoning.text.figures import TIMES, Figures, counted
from rabbithole.steps.reasoning.text.quotations import quotations
from rabbithole.steps.reasoning.text.sentences import sentences

from .cited import Cited
from .models import Finding


def figure_findings(paragraph: int, text: str, cited: Sequence[Cited]) -> Iterator[Finding]:
    """A finding for each sentence whose own words give a figure and which cites a section that is held."""
    for sentence in sentences(text):
        start, end = sentence.start, sentence.end
        places = [one for one in cited if one.is_section and start <= one.reference.start < end]
        told = counted(_own_words(text, start, end, cited))
        if not told or not places:
            continue
        held = frozenset[tuple[str, str]]().union(*(counted(one.text) for one in places))
        wrong = contradicted(told, held)
        place = places[0].resolution
        stated = ", ".join(sorted(f"{number} {unit}" for number, unit in wrong))
        yield Finding(
            paragraph=paragraph,
            start=start,
            end=end,
            text=text[start:end],
            kind="figure",
            verdict="figure_differs" if wrong else "holds" if told & held else "not_checked",
            detail=f"{stated}: the place cited gives another figure." if wrong else "",
            expected=", ".join(sorted(f"{number} {unit}" for number, unit in _alike(wrong, held))),
            document=place.document or "",
            title=place.name,
            file=place.file or "",
            section=place.number or "",
            page=place.page,
            page_label=place.page_label or "",
        )


def contradicted(told: Figures, held: Figures) -> Figures:
    """Figures told whose unit the place counts too, with other numbers only."""
    return frozenset(one for one in told - held if _alike(frozenset({one}), held))


def _alike(told: Figures, held: Figures) -> Figures:
    units = {unit for _, unit in told}
    kinds = units | (TIMES if units & TIMES else frozenset())
    return frozenset(one for one in held if one[1] in kinds)


def _own_words(text: str, start: int, end: int, cited: Sequence[Cited]) -> str:
    """The sentence without its quotations and references, whose numbers are no claims."""
    letters = list(text[start:end])
    spans = [(one.reference.start, one.reference.end) for one in cited]
    spans += [(each.start, each.end) for each in quotations(text)]
    for first, last in spans:
        for at in range(max(first, start), min(last, end)):
            letters[at - start] = " "
    return "".join(letters)
