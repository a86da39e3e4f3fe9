"""Leaves out printed tables of contents without page numbers, and their titles where these would head other text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import replace

from rabbithole.kb.ingest.page.lines import TextLine

from .heading import Head
from .heading_alignment import letters
from .printed_contents import is_title, repeats_outline, untitled_pages

FIRST_LINES, MIN_LISTED, MIN_SHARE = 12, 4, 0.5
RUNNING_TEXT = 400
"""Minimum number of characters below the title of contents that are text rather than a rest of the contents."""


def titles_above(lines: Sequence[TextLine], gone: Set[int]) -> list[TextLine]:
    """Return the titles of the printed tables of contents whose entries are ``gone``."""
    return [line for index, line in enumerate(lines) if index + 1 in gone and is_title(line.text)]


def without_contents(
    heads: Sequence[Head], lines: Sequence[TextLine], titles: Sequence[TextLine]
) -> tuple[list[Head], list[TextLine]]:
    """Return headings and lines without tables of contents; the heading of one stays with its pages.

    ``titles`` are those of contents whose entries were left out before. If text follows that no heading divides from
    such a title, the title is left out, and the text belongs to the section before.
    """
    known = {letters(f"{head.number}{head.heading}") for head in heads}
    gone = untitled_pages(lines[: heads[0].line], known) if heads else set()
    kept: list[Head] = []
    for place, head in enumerate(heads):
        end = heads[place + 1].line if place + 1 < len(heads) else len(lines)
        body = range(head.line + head.lines, end)
        entries = _contents(head, [lines[index].text for index in body], known)
        if entries:
            gone.update(body[entries.start : entries.stop])
            if _comes_again(head, heads[place + 1 :]):
                gone.update(range(head.line, body.start))
            else:
                kept.append(replace(head, page=lines[head.line].page, last_page=lines[body[-1]].page))
        elif head.lines and lines[head.line] in titles and _is_running_text([lines[index] for index in body]):
            gone.update(range(head.line, body.start))
        else:
            kept.append(head)
    if not gone:
        return kept, list(lines)
    left = [index for index in range(len(lines)) if index not in gone]
    return [replace(head, line=bisect_left(left, head.line)) for head in kept], [lines[index] for index in left]


def _contents(head: Head, body: Sequence[str], known: Set[str]) -> range:
    """Return the lines of a section's text that are contents: all below their title, else those that list headings."""
    if is_title(head.heading) and repeats_outline(body, known):
        return range(len(body))
    return listed_headings(body, known)


def _comes_again(head: Head, later: Sequence[Head]) -> bool:
    return any((each.number, each.heading) == (head.number, head.heading) for each in later)


def _is_running_text(body: Sequence[TextLine]) -> bool:
    return sum(len(line.text) for line in body) >= RUNNING_TEXT


def listed_headings(body: Sequence[str], headings: Set[str]) -> range:
    """Return the lines of a section that are a list of headings, each on a line of its own: contents without pages.

    The beginning is looked at first, because sections are long and few of them are contents.
    """
    if sum(letters(line) in headings for line in body[:FIRST_LINES]) < MIN_LISTED:
        return range(0)
    known = [index for index, line in enumerate(body) if letters(line) in headings]
    listed = body[known[0] : known[-1] + 1]
    share = sum(len(body[index]) for index in known) / max(sum(map(len, listed)), 1)
    return range(known[0], known[-1] + 1) if share >= MIN_SHARE else range(0)
