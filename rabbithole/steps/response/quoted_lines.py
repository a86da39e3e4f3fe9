"""Writes the lines of a quoted passage as Markdown: paragraphs, lists, tables, and the words that answer in bold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rabbithole.steps.quoted_words import escaped
from rabbithole.steps.reasoning.text.markdown_tables import is_row, is_rule, loose_bars

from .models import QuotedPassage

_ORDINAL = re.compile(r"\A(\d{1,3})\.(?=\s)")
_SECOND = re.compile(r"\s*(2|b)([.)])\s")
_FIRST = {"2": "1", "b": "a"}
_BULLET = re.compile(r"\A\\\*\s+")
_NOTE = 8
_MARKER = re.compile(
    r"\A\s*(?:\(?\d{1,3}[a-z]?[.)]|\d{1,2}(?:\.\d{1,2})+\.?|\(?[a-z]{1,2}\)|[a-z]\.|[•–*▪◦●‣·■□➢✓-]|o(?=\s+[A-Z]))\s+"
)
"""What an item of a list begins with: it is never bold, and bold before a number would end the list."""


def words_of(passage: QuotedPassage) -> list[str]:
    """Return the lines of a passage, with the answering words in bold; lines of prose become separate paragraphs."""
    listed = passage.kind in ("list", "steps", "item")
    bold = together(passage.bold, passage.text)
    spaced: list[str] = []
    rows: list[str] = []
    at = number = 0
    lines = list(_apart(passage.text.splitlines(keepends=True)))
    below = below_items([line.strip() for line in lines])
    for order, line in enumerate(lines):
        left, right = loose_bars(line)
        bare = line[left:right].strip()
        start = at + left + len(line[left:]) - len(line[left:].lstrip())
        at += len(line)
        if not bare:
            continue
        if is_row(bare):
            rows.append(_marked_row(bare, start, bold))
            continue
        words = _marked(bare, start, bold)
        if indent := below[order]:
            spaced += [f"{indent}{words}", ""]
            continue
        if (own := _ORDINAL.match(words)) and number and int(own[1]) != number + 1:
            words = _ORDINAL.sub(r"\1\\.", words)  # Markdown would count on from the item above
        number = int(own[1]) if own else 0
        spaced += [_with_bullet(words, listed=listed), ""]
    if rows and passage.head.strip() and not spaced:
        return rows  # the header rows are printed above
    return [*spaced[:-1], *([""] if spaced and rows else []), *table(rows)] or [""]


def together(bold: tuple[tuple[int, int], ...], text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of bold words in order, those with nothing but a space between them as one."""
    spans: list[tuple[int, int]] = []
    for first, last in sorted(bold):
        if spans and not text[spans[-1][1] : first].strip():
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    return tuple(spans)


def below_items(lines: Sequence[str]) -> list[str]:
    """Return the indent of each line: of "1.", "2." that belong below an item "7.", the width of its number, else "".

    They do if that item ends in a colon, or if "8." follows them.
    """
    indents = [""] * len(lines)
    numbers = [int(found[1]) if (found := _ORDINAL.match(line)) else 0 for line in lines]
    at = 1
    while at < len(lines):
        end = at
        while end < len(lines) and numbers[end] == end - at + 1:
            end += 1
        above = numbers[at - 1]
        resumed = end < len(lines) and numbers[end] == above + 1
        if end > at and above and (resumed or lines[at - 1].endswith(":")):
            indents[at:end] = [" " * (len(str(above)) + 2)] * (end - at)
        at = max(end, at + 1)
    return indents


def _apart(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a passage, with the first item of a list apart from its lead-in: "..., who 1. keeps bees".

    It is one if the next line begins with the second number or letter in the same style.
    """
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        second = _SECOND.match(below)
        first = f" {_FIRST[second[1]]}{second[2]} " if second else ""
        cut = line.rfind(first) + 1 if first and not item_marker(line).startswith(first.strip()) else 0
        yield from filter(None, (line[:cut], line[cut:]))


def _with_bullet(words: str, *, listed: bool) -> str:
    """Return a line with the asterisk of a typewriter as a bullet; one before a few words is the sign of a note.

    The letter "o" stays: a quotation is found in the document by its letters.
    """
    found = _BULLET.match(words)
    if found is None or not (listed or len(words.split()) > _NOTE):
        return words
    return f"* {words[found.end() :]}"


def table(rows: list[str]) -> list[str]:
    """Return the rows as one table, with a separator below the first; words above a table stay above it.

    A table that goes on over a page has a separator on each, and rows of different length: without a separator of its
    length below the first row, Markdown shows bars, and cells beyond those of the first row are not shown at all.
    """
    if not rows:
        return []
    words = [escaped(row) for row in rows if not is_row(row)]
    cells = [row for row in rows if is_row(row) and not is_rule(row)]
    if cells:
        width = max(row.count("|") for row in cells) - 1
        cells[0] += " |" * (width - cells[0].count("|") + 1)
        cells.insert(1, "|" + " --- |" * width)
    return [*words, *([""] if words else []), *cells]


def _marked_row(row: str, start: int, bold: tuple[tuple[int, int], ...]) -> str:
    """Return a row of a table with the cells that are bold marked."""
    for first, last in sorted(bold, reverse=True):
        if start <= first < last <= start + len(row):
            row = f"{row[: first - start]}**{row[first - start : last - start]}**{row[last - start :]}"
    return row


def item_marker(line: str) -> str:
    """Return the number, letter or bullet with which a line begins as an item of a list, with the space behind it."""
    found = _MARKER.match(line)
    return found.group() if found else ""


def _marked(line: str, start: int, bold: tuple[tuple[int, int], ...]) -> str:
    """Return an escaped line with the parts of it that are bold marked."""
    pieces: list[str] = []
    at = len(item_marker(line)) if any(start <= last and first < start + len(line) for first, last in bold) else 0
    if at:
        pieces.append(escaped(line[:at]))
    for first, last in bold:
        begin, end = max(first - start, at), min(last - start, len(line))
        if begin >= end or not line[begin:end].strip():
            continue
        inner = line[begin:end]
        left, right = len(inner) - len(inner.lstrip()), len(inner.rstrip())
        # Markdown does not close bold between a punctuation mark and a letter ("end.Next"), so the mark stays outside.
        while right > left + 1 and line[begin + right : begin + right + 1].isalnum() and not inner[right - 1].isalnum():
            right -= 1
        pieces += [escaped(line[at : begin + left]), f"**{escaped(inner[left:right])}**"]
        at = begin + right
    return "".join([*pieces, escaped(line[at:])])
