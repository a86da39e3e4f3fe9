"""Find a section of an outline by number, by offset, or as the neighbour of another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rabbithole.kb.models import Section


def find_section(outline: Sequence[Section], number: str) -> Section | None:
    """Find a section by its number as written, else without sign or unit; the first in reading order."""
    wanted = _normalised_number(number)
    if not wanted:
        return None
    for section in outline:
        if _normalised_number(section.number) == wanted:
            return section
    bare = _bare(wanted)
    return (
        next((s for s in outline if s.number and _bare(_normalised_number(s.number)) == bare), None)
        if wanted == bare
        else None
    )


def section_at(outline: Sequence[Section], offset: int) -> Section | None:
    """Return the innermost section whose span contains the offset."""
    found: Section | None = None
    for section in outline:
        if section.start > offset:
            break
        if offset < section.end and (found is None or section.level >= found.level):
            found = section
    return found


_NAMES_A_THING = re.compile(r"[a-z\\@$_-][^\s]*$")
r"""A heading that is one word of a program: 'threshold', '\\mkblockquote', '--verbose'."""
_DECIMAL = re.compile(r"(?:\d+|[A-Z])(?:\.\d+)+\.?$")
_ARTICLE = re.compile(r"(?:Artikel|Article|Art\.)\s")


def telling_label(outline: Sequence[Section], section: Section) -> str:
    """Return a section's label; behind that of a section around it where the document repeats it ('srun > OPTIONS').

    Manual pages and data sheets have a section of the same name, without a number, in each part. The nearest part with
    a name of its own is given. The name of an option or a command stands behind the numbered section that describes it
    ('2.1 Options > threshold'), a numbered section whose heading stands in several chapters behind its chapter
    ('3 Austria > 3.1 Fees'), and a numbered part of a '§' behind that '§' ('§ 3 > 5 Colours'). A law made of
    laws has each in an article: 'Artikel 1 § 37'.
    """
    if section.number.startswith("§") and (article := _article(outline, section)):
        return f"{article} {section.label}"
    labels = Counter(each.label for each in outline)
    by_id = {each.id: each for each in outline}
    above = by_id.get(section.parent or "")
    if section.number.strip(".").isdigit() and above is not None and above.number.startswith("§"):
        return f"{above.number} > {section.label}"
    if above is not None and above.number and _NAMES_A_THING.match(section.heading) and not section.number:
        return f"{above.label} > {section.label}"
    if _DECIMAL.match(section.number) and (chapter := _chapter(outline, section)):
        return f"{chapter} > {section.label}"
    if section.number or labels[section.label] < 2:
        return section.label
    parent = around = by_id.get(section.parent or "")
    while around is not None and labels[around.label] > 1:
        around = by_id.get(around.parent or "")
    around = around or parent
    return f"{around.label} > {section.label}" if around is not None and around.label else section.label


def _chapter(outline: Sequence[Section], section: Section) -> str:
    """Return the label of the nearest part with a heading of its own around a section whose heading is repeated.

    '' if the section's heading is not repeated.
    """
    headings = Counter(each.heading.casefold() for each in outline)
    if not section.heading or headings[section.heading.casefold()] < 2:
        return ""
    by_id = {each.id: each for each in outline}
    around = by_id.get(section.parent or "")
    while around is not None and headings[around.heading.casefold()] > 1:
        around = by_id.get(around.parent or "")
    return around.label if around is not None and around.heading else ""


def _article(outline: Sequence[Section], section: Section) -> str:
    """Return the number of the article around a '§', or ''."""
    by_id = {each.id: each for each in outline}
    around = by_id.get(section.parent or "")
    while around is not None and not _ARTICLE.match(around.number):
        around = by_id.get(around.parent or "")
    return around.number if around is not None else ""


def neighbours(outline: Sequence[Section], section: Section) -> tuple[Section | None, Section | None]:
    """Return the sections of the same level before and after a section."""
    same = [other for other in outline if other.level == section.level]
    position = same.index(section)
    before = same[position - 1] if position else None
    return before, same[position + 1] if position + 1 < len(same) else None


def _normalised_number(number: str) -> str:
    """Return a key that is the same for "§  27 A" and "§27a" and ignores a final full stop."""
    joined = re.sub(r"\s+", " ", number.strip().casefold().rstrip("."))
    joined = re.sub(r"§+\s*", "§ ", joined)
    return re.sub(r"(?<=\d) (?=[a-z]$)", "", joined)


def _bare(key: str) -> str:
    return re.sub(r"^(?:§|art\.?|artikel|article|section|abschnitt|nr\.?) ", "", key)
