"""Finds printed tables of contents by their heading and by lines that repeat the outline."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from rabbithole.kb.ingest.page.lines import TextLine

from .heading_alignment import letters

TITLE = re.compile(
    r"(?:inhalt|inhaltsübersicht|inhaltsverzeichnis|(?:table\s+of\s+)?contents|list of (?:tables|figures)|"
    r"abbildungsverzeichnis|tabellenverzeichnis|verzeichnis der (?:abbildungen|tabellen))\.?:?",
    re.IGNORECASE,
)
_PAGE = r"(?:\d{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}(?:\.\d{1,2})?[-–.]\d{1,3}|\d{1,2}[-–]\d{1,3})"
"""A page number as a table of contents prints it: '12', 'xiv', 'F-1', '3-12', 'A.1-3'."""
_LEADERS = re.compile(rf"(?:[.…]\s?){{4,}}\s*{_PAGE}?\s*$|…\s*{_PAGE}\s*$", re.IGNORECASE)
_PAGE_AT_END = re.compile(rf"\s{_PAGE}\s*$")
_NUMBERED = re.compile(
    r"(?:§|Art(?:ikel|icle)?\b|Anlage|Anhang|Teil|Kapitel|Abschnitt|Unterabschnitt|\d+(?:\.\d+)*\.?\s)", re.IGNORECASE
)
_NUMBER_AT_END = re.compile(r"(?<![-–.\d])(\d{1,4})\s*$")
MIN_ENTRIES = 3
MAX_FOREIGN = 3
MAX_ENTRY = 200
MIN_UNTITLED, MOST_ENTRIES = 6, 0.7
MIN_SHARE = 0.5
"""Minimum share of entries among the lines of a table without a title; fewer are a list of changes, say."""
UNNUMBERED = 100
"""How much the printed number of the last page may exceed the number of pages: an excerpt of a journal."""


def is_title(text: str) -> bool:
    return bool(TITLE.fullmatch(text.strip()))


def is_entry(text: str) -> bool:
    """Return whether a line has leaders, or ends in a page number after a numbered title."""
    return bool(_LEADERS.search(text)) or bool(_PAGE_AT_END.search(text) and _NUMBERED.match(text))


def leader_pages(lines: Sequence[TextLine]) -> set[int]:
    """Return the indexes of the lines of printed tables of contents that give page numbers.

    A table starts at a title or an entry, includes entries and the lines wrapped between them, and ends where running
    text begins: "Chapter 1" on a line of its own, or a sentence that ends in a year, is no entry.
    """
    gone: set[int] = set()
    most = lines[-1].page + UNNUMBERED if lines else 0
    index = 0
    while index < len(lines):
        if not (is_title(lines[index].text) or _LEADERS.search(lines[index].text)):
            index += 1
            continue
        start = index + 1 if is_title(lines[index].text) else index
        last, entries, foreign, place, page = start - 1, 0, 0, start, 0
        while place < len(lines) and foreign <= MAX_FOREIGN:
            text = lines[place].text
            if _LEADERS.search(text) or (len(text) < MAX_ENTRY and _goes_on(text, page, most)):
                last, entries, foreign, page = place, entries + 1, 0, _page(text) or page
            elif is_title(text):
                page = 0
            else:
                foreign += 1
            place += 1
        titled = start > index
        if entries >= MIN_ENTRIES and (titled or entries >= MIN_SHARE * (last + 1 - start)):
            gone.update(range(start, last + 1))
        index = max(last + 1, index + 1)
    return gone


def _page(text: str) -> int:
    """Return the page number at the end of an entry; 0 if there is none or it is no plain number."""
    found = _NUMBER_AT_END.search(text)
    return int(found[1]) if found else 0


def _goes_on(text: str, page: int, most: int) -> bool:
    """Return whether a line without leaders may be the entry after one on ``page``; ``most``: the highest number."""
    if not _PAGE_AT_END.search(text):
        return False
    number = _page(text)
    return number == 0 or page <= number <= most


def untitled_pages(lines: Sequence[TextLine], headings: Set[str]) -> set[int]:
    """Return the indexes of lines on pages that are a table of contents without a title or leaders.

    Most lines of such a page end in a page number and repeat headings (in ``letters`` form). ``lines`` are those before
    the first heading.
    """
    pages: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        pages.setdefault(line.page, []).append(index)
    gone: set[int] = set()
    for own in pages.values():
        entries = [index for index in own if _page(lines[index].text)]
        bare = [_NUMBER_AT_END.sub("", lines[index].text) for index in own]
        if len(entries) >= max(MIN_UNTITLED, MOST_ENTRIES * len(own)) and repeats_outline(bare, headings):
            gone.update(own)
    return gone


def repeats_outline(body: Sequence[str], headings: Set[str]) -> bool:
    """Return whether most text below a contents heading repeats headings that come later (in ``letters`` form)."""
    entries = [entry for line in body if len(entry := letters(line)) > 2]
    if len(entries) < MIN_ENTRIES:
        return False
    joined = "\n".join(sorted(headings))
    known = sum(len(entry) for entry in entries if entry in joined)
    return known >= 0.5 * sum(len(entry) for entry in entries)
