"""Divides a collection of manual pages by the name in the running head: 'ls(1)   User Commands   ls(1)'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rabbithole.kb.ingest.page.lines import TextLine

from .heading import Head

_LEAST = 2
"""Minimum number of manual pages that make a collection; one alone needs no heading besides its title."""


def with_manual_pages(heads: Sequence[Head], lines: Sequence[TextLine], entries: Sequence[str]) -> list[Head]:
    """Return the headings below those of the manual pages they belong to. ``entries`` has the name on each page.

    All manual pages have the headings NAME, SYNOPSIS, OPTIONS; only the running head says which one a page is of.
    """
    begun: list[Head] = []
    before = ""
    page = -1
    for index, line in enumerate(lines):
        if line.page == page:
            continue
        page = line.page
        if entries[page] and entries[page] != before:
            before = entries[page]
            begun.append(Head(index, 0, "", before, 0))
    if len({head.heading for head in begun}) < _LEAST:
        return list(heads)
    below = [replace(head, level=head.level + 1) for head in heads]
    return sorted([*begun, *below], key=lambda head: (head.line, head.level))
