"""Selects the PDF links that are references, without those of headings, tables of contents and footnotes. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from rabbithole.kb.models import Reference, Section
from rabbithole.kb.notation.raised_digits import plain_digits
from rabbithole.kb.references.grammar.exclusions import at_line_start, is_listing

_FOOTNOTE = re.compile(r"^[\d*†‡§]{1,3}$|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?=[.,:;)]?$)")
"""A mark alone, or superscript digits after a word."""
_NEAR = 6000
"""Maximum number of characters between a mark and its footnote: they are on the same page."""
_TOUCHING = re.compile(r"\s{0,2}")


def led_on(text: str, outline: Sequence[Section], links: Sequence[Reference]) -> tuple[Reference, ...]:
    """Return the links that lead on to another place; parts of a link broken over lines are joined."""
    starts = sorted(section.start for section in outline)
    heads = {section.start: section for section in outline}
    kept: list[Reference] = []
    for link in sorted(links, key=lambda one: (one.start, one.end)):
        last = kept[-1] if kept else None
        if last is not None and _continues(text, last, link):
            end = max(last.end, link.end)
            kept[-1] = last.model_copy(update={"end": end, "text": text[last.start : end]})
        elif link.target.startswith("mailto:"):
            continue
        elif link.goal is None:
            if link.page is None or not _leads_back(text, link, starts, heads):
                kept.append(link)
        elif not (_of_heading(link, starts, heads) or _is_aside(text, link)):
            kept.append(link)
    return tuple(kept)


def _continues(text: str, first: Reference, second: Reference) -> bool:
    """Return whether both lead to the same place and only a line break separates them."""
    if first.page is None or first.goal is None or (first.page, first.goal) != (second.page, second.goal):
        return False
    return (
        first.end <= second.start
        and "\n" in text[first.end : second.start] + " "
        and bool(_TOUCHING.fullmatch(text[first.end : second.start]))
    )


def _of_heading(link: Reference, starts: Sequence[int], heads: dict[int, Section]) -> bool:
    """Return whether the words belong to a section's own heading."""
    before = bisect_right(starts, link.start) - 1
    if before < 0:
        return False
    section = heads[starts[before]]
    return link.end <= section.start + len(section.label) + 4


def _leads_back(text: str, link: Reference, starts: Sequence[int], heads: dict[int, Section]) -> bool:
    """Return whether a heading, which the outline may lack, is linked with its line in the contents, pages before."""
    before = bisect_right(starts, link.start) - 1
    if before < 0 or link.page is None or link.page >= heads[starts[before]].page:
        return False
    section = heads.get(link.start)
    if section is not None and link.end >= section.start + len(section.label):
        return True
    return at_line_start(text, link.start) and text[link.end : link.end + 1] in ("", "\n")


def _is_aside(text: str, link: Reference) -> bool:
    """Return whether the link is a line of a table of contents or a footnote mark of the same page."""
    if is_listing(text, link.end) or "...." in link.text:
        return True
    mark = _FOOTNOTE.search(link.text.strip())
    if mark is None or link.goal is None:
        return False
    if mark[0] == link.text.strip() and at_line_start(text, link.start) and link.goal < link.start:
        return True  # the footnote itself, which links back to its mark
    if not 0 <= link.goal - link.start < _NEAR:
        return False
    return _opens(text, link.goal, plain_digits(mark[0]))


def _opens(text: str, goal: int, mark: str) -> bool:
    """Return whether the line a link leads to begins with its mark: '3 See the appendix.'"""
    return plain_digits(text[goal : goal + 8].lstrip()).startswith(mark)
