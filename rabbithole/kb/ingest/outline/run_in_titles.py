"""Finds bold titles before the text on their line, and bold questions between bookmarks, as lists of questions have.

Without them, the title that happens to fill its line would head the text of all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rabbithole.kb.ingest.page.body_font import Style, body_style
from rabbithole.kb.ingest.page.lines import TextLine

from .heading import Head

_LEAST = 3
"""Minimum number of titles that end with a sentence: a single one is a stressed part of the text."""
_SPACE = 1.15
"""How much wider than between lines of a paragraph the space above a title is."""
_LONGEST = 160
_TITLE = re.compile(r"[\"'„“¿]?(?:[A-ZÄÖÜ]|\d)\S*\s.*(?:\?|[?.!]\s+[–—])")
_END = re.compile(r"\S*?(?:\?(?:\s+[–—])?|[.!]\s+[–—])(?=\s|$)")
_SURE_END = re.compile(r".*?[?.!]\s+[–—](?=\s|$)")
_QUESTION = re.compile(r"[\"'„“¿]?[A-ZÄÖÜ]\S*(?:\s+\S+){2,}\?")


def with_run_in_titles(lines: Sequence[TextLine], *, below_headings: bool = True) -> list[TextLine]:
    """Return the lines with such titles as bold lines of their own, which count as headings.

    ``below_headings``: also directly below a line in larger letters. A title whose words its text repeats ("The file
    The file is ...") is parted from it in any case.
    """
    style = body_style(lines)
    spaces = _spaces(lines, style)
    below = {index + 1 for index, line in enumerate(lines) if style.is_larger(line)} if not below_headings else set()
    ends = {index: end for index in range(len(lines)) if (end := _title_end(lines, index, spaces))}
    ends = {index: end for index, end in ends.items() if len(ends) >= _LEAST and index not in below}
    parted: list[TextLine] = []
    for index, line in enumerate(lines):
        end = ends.get(index) or _repeated(line)
        parted += _parted(line, end) if end else [line]
    return parted


def with_questions(heads: Sequence[Head], lines: Sequence[TextLine]) -> list[Head]:
    """Return the heads with bold questions that stand alone in the text of one, not directly below it."""
    spaces = _spaces(lines, body_style(lines))
    result: list[Head] = []
    for head, following in pairwise([*heads, None]):
        if head is None:
            break
        result.append(head)
        end = following.line if following is not None else len(lines)
        for index in range(head.line + head.lines + 1, end - 1):
            if spaces[index] and (count := _question(lines[index:end])):
                heading = " ".join(line.text for line in lines[index : index + count])
                result.append(Head(index, count, "", heading, head.level + 1))
    return result


def _spaces(lines: Sequence[TextLine], style: Style) -> list[bool]:
    """Return for each line whether it has space above, or begins its page or column."""
    pitch = style.pitches.get(style.size, 1.25 * style.size)
    spaces = [True] if lines else []
    for before, line in pairwise(lines):
        here = before.page == line.page and before.column == line.column
        spaces.append(not here or line.base - before.base > _SPACE * pitch)
    return spaces


def _title_end(lines: Sequence[TextLine], index: int, spaces: Sequence[bool]) -> int:
    """Return where the title ends that a line begins with, with the dash behind it; 0 if there is none.

    Names of programs in it, and its last sign, may be set in other letters.
    """
    line = lines[index]
    if not line.lead or line.verbatim or line.note or line.side:
        return 0
    first = index
    while not spaces[first] and first > 0 and _is_bold(lines[first - 1]):
        first -= 1
    end = _SURE_END.match(line.text, line.lead - 1) or _END.match(line.text, line.lead - 1)
    if end is None or not spaces[first]:
        return 0
    title = " ".join([*(above.text for above in lines[first:index]), line.text[: end.end()]])
    return end.end() if len(title) <= _LONGEST and _TITLE.fullmatch(title) else 0


def _repeated(line: TextLine) -> int:
    title = line.text[: line.lead]
    return line.lead if " " in title and line.text[line.lead :].lstrip().startswith(f"{title} ") else 0


def _parted(line: TextLine, end: int) -> list[TextLine]:
    at = line.x0 + (line.x1 - line.x0) * end / len(line.text)
    title = replace(line, text=line.text[:end], x1=at, bold=True, mixed=False, cells=1, lead=0)
    if end == len(line.text):
        return [title]
    return [title, replace(line, text=line.text[end:].lstrip(), x0=at, bold=False, mixed=False, lead=0)]


def _question(lines: Sequence[TextLine]) -> int:
    """Return how many lines a bold question fills that begins with the first and has text in plain letters below it."""
    count = 0
    while count < len(lines) - 1 and _is_bold(lines[count]) and lines[count].page == lines[0].page:
        count += 1
    text = " ".join(line.text for line in lines[:count])
    return count if count and not lines[count].bold and len(text) <= _LONGEST and _QUESTION.fullmatch(text) else 0


def _is_bold(line: TextLine) -> bool:
    return line.bold and not (line.mixed or line.verbatim or line.note or line.framed)
