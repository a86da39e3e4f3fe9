"""Tells where pages are left out of a file, by the numbers that the pages before and after print."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rabbithole.kb.ingest.page.lines import TextLine


def after_gaps(lines: Sequence[TextLine], labels: Sequence[str]) -> set[int]:
    """Return the indexes of the lines that begin a page after a gap; no sentence goes on there.

    ``labels`` are the labels of all pages.
    """
    return {
        index
        for index, (before, line) in enumerate(pairwise(lines), 1)
        if before.page != line.page and leaves_out(labels[before.page], labels[line.page], line.page - before.page)
    }


def leaves_out(before: str, after: str, pages: int) -> bool:
    """Return whether pages are missing between two labels of pages that are ``pages`` apart in the file."""
    return before.isdecimal() and after.isdecimal() and int(after) - int(before) > pages
