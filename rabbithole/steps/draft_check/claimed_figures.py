"""Check the figures that a draft states next to a reference against the cited place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.figures import TIMES, Figures, counted
from rabbithole.steps.reasoning.text.quotations import quotations
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.terms import stem_set

from .cited import Cited
from .models import Finding

NEARLY = 0.8
"""Share of a claim's words in one sentence of the place from which that sentence is the one meant."""


def figure_findings(paragraph: int, text: str, cited: Sequence[Cited], language: str) -> Iterator[Finding]:
    """Return a finding for each sentence that states a figure and cites a section in the collection."""
    for sentence in sentences(text):
        start, end = sentence.start, sentence.end
        places = [one for one in cited if one.is_section and start <= one.reference.start < end]
        own = _own_words(text, start, end, cited)
        told = counted(own)
        if not told or not places:
            continue
        held = frozenset[tuple[str, str]]().union(
            *(figures_meant(own, told, one.part or one.text, language) for one in places)
        )
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
            detail=phrase(language, "check.figure_differs", stated=stated) if wrong else "",
            expected=", ".join(sorted(f"{number} {unit}" for number, unit in _alike(wrong, held))),
            document=place.document or "",
            title=place.name,
            file=place.file or "",
            section=place.number or "",
            page=place.page,
            page_label=place.page_label or "",
        )


def absent_figures(
    paragraph: int, text: str, cited: Sequence[Cited], figures_of: Callable[[str], Figures], language: str
) -> Iterator[Finding]:
    """Return a finding for each sentence that cites a document as a whole and states a figure which is nowhere in it.

    Whether the figure is wrong is not decided: it may be counted or converted. ``figures_of`` returns the figures of a
    document by its id.
    """
    for sentence in sentences(text):
        start, end = sentence.start, sentence.end
        within = [one for one in cited if start <= one.reference.start < end]
        whole = [one.resolution for one in within if one.is_held and not one.is_section]
        told = counted(_own_words(text, start, end, cited)) if whole and len(whole) == len(within) else frozenset()
        absent = told.difference(*(figures_of(one.document or "") for one in whole)) if told else told
        if not absent:
            continue
        stated = ", ".join(sorted(f"{number} {unit}" for number, unit in absent))
        yield Finding(
            paragraph=paragraph,
            start=start,
            end=end,
            text=text[start:end],
            kind="figure",
            verdict="not_checked",
            detail=phrase(language, "check.figure_nowhere", stated=stated),
            document=whole[0].document or "",
            title=whole[0].name,
            file=whole[0].file or "",
        )


def figures_meant(claim: str, told: Figures, text: str, language: str) -> Figures:
    """Return the figures of a place to compare a claim with, if several items or sentences have some for its unit.

    They are those of the item with nearly all words of the claim; else of the items that share a word with it that the
    others lack; else all.
    """
    units = {unit for _, unit in told}
    parts = [part.text for line in text.splitlines() if line.strip() for part in sentences(line) if part.text.strip()]
    stating = [part for part in parts if any(unit in units for _, unit in counted(part))]
    whole = counted(text)
    if len(stating) < 2:
        return whole
    stems = [stem_set(part, language) for part in stating]
    shared_by = Counter(stem for each in stems for stem in each)
    said = {stem for stem in stem_set(claim, language) if stem.isalpha()}
    wanted = {stem for stem in said if shared_by[stem] == 1}
    most = max(len(each & said) for each in stems)
    if most < NEARLY * len(said):
        chosen = [part for part, each in zip(stating, stems, strict=True) if each & wanted]
    else:
        chosen = [part for part, each in zip(stating, stems, strict=True) if len(each & said) == most]
    if not chosen:
        return whole
    meant = frozenset[tuple[str, str]]().union(*(counted(part) for part in chosen))
    return meant | frozenset(one for one in whole if one[1] not in {unit for _, unit in meant})


def contradicted(told: Figures, held: Figures) -> Figures:
    """Return the claimed figures whose unit occurs in the place only with other numbers."""
    return frozenset(one for one in told - held if _alike(frozenset({one}), held))


def _alike(told: Figures, held: Figures) -> Figures:
    units = {unit for _, unit in told}
    kinds = units | (TIMES if units & TIMES else frozenset())
    return frozenset(one for one in held if one[1] in kinds)


def _own_words(text: str, start: int, end: int, cited: Sequence[Cited]) -> str:
    """Return the sentence without its quotations and references, whose numbers are not claims."""
    letters = list(text[start:end])
    spans = [(one.reference.start, one.reference.end) for one in cited]
    spans += [(each.start, each.end) for each in quotations(text)]
    for first, last in spans:
        for at in range(max(first, start), min(last, end)):
            letters[at - start] = " "
    return "".join(letters)
