"""The label of a section as citations and lists of passages show it: number and heading, and what they stand in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rabbithole.kb.models import Document, Section
from rabbithole.kb.references.names.books import beside_book
from rabbithole.kb.references.names.file_parts import file_parts, part_at, title_at

_NAMES_A_THING = re.compile(r"[a-z\\@$_-][^\s]*$")
r"""A heading that is one word of a program: 'threshold', '\\mkblockquote', '--verbose'."""
_DECIMAL = re.compile(r"(?:\d+|[A-Z])(?:\.\d+)+\.?$")
_ARTICLE = re.compile(r"(?:Artikel|Article|Art\.)\s")


def section_label(document: Document, outline: Sequence[Section], section: Section, *, alone: bool = False) -> str:
    """Return number and heading as a citation shows them: 'srun > OPTIONS' where the heading alone is repeated.

    A part that has the title of the document is not repeated: that stands before the label. With ``alone`` it does not,
    and the label begins with the book, if the file is a page of one, and the part, if the file holds several documents.
    """
    label, parts = telling_label(outline, section), file_parts(outline)
    title, part = title_at(document, parts, section.start), part_at(parts, section.start)
    if part is not None and section.number and part.name != title and part.start != section.start:
        label = f"{part.name} > {label}"
    else:
        label = label.removeprefix(f"{title} > ")
    if not alone:
        return label
    name = part.name if part is not None and not label.startswith(part.name) else ""
    return ", ".join(each for each in (beside_book(document), name, label) if each)


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
