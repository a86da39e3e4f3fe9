"""Makes HTML of plain text: lines broken at a width are joined, short lines that stand alone are headings."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

ITEM = re.compile(r"\s*(\d+\.|\*|\([a-z\d]{1,2}\)|[a-z][.)])\s")
NUMBERED = re.compile(r"(?:§ ?\d+|((?:[A-Z]|\d+)(?:\.\d+)*)\.) ")
RUN_IN = re.compile(r" {0,3}(\d+\. [A-ZÄÖÜ][^.,\"]{2,70}\.) (?=[A-ZÄÖÜ])")
"""A heading that the text goes on behind: "2. Waiver. To the greatest extent permitted by ..."."""


def from_text(text: str) -> str:
    """Return HTML whose first heading is of level 1, and whose others are of level 2 and deeper."""
    parts: list[str] = []
    level = 0
    for block in re.split(r"\n\s*\n", text.expandtabs()):
        lines = [line for line in block.split("\n") if re.search(r"\w", line)]
        found = level_of(lines, title=not level) if lines else 0
        if found:
            level = found if level else 1
            parts.append(f"<h{level}>{html.escape(' '.join(map(str.strip, lines)))}</h{level}>")
        else:
            parts.extend(paragraphs(lines))
    return "".join(parts)


def level_of(lines: list[str], title: bool) -> int:
    """Return the level of the heading that a block of lines is, 0 if it is none; a title has up to three lines."""
    text, indent = " ".join(map(str.strip, lines)), indent_of(lines[0])
    sentence = text.strip('"')[-1] in ".,;:!"
    if title and len(lines) <= 3 and not sentence:
        return 1
    centred = indent > 10
    whole = len(lines) == 1 or (centred and text.isupper())
    if not whole or len(text) > 100 or not re.match(r'(?![\w-]+: )[A-ZÄÖÜ\d"§]', text):
        return 0
    if (numbered := NUMBERED.match(text)) and indent <= 3:
        return 2 + (numbered[1] or "").count(".")
    return 0 if numbered or sentence or 3 <= indent <= 10 else 2 if indent == 0 or centred else 3


def paragraphs(lines: list[str]) -> Iterator[str]:
    """Join the lines of a paragraph: it ends before an item's mark, and where the next word would have had room."""
    joined: list[str] = []
    unwrapped = any(len(line) > 100 for line in lines)
    for before, line in zip(["", *lines], lines, strict=False):
        if joined and (unwrapped or ITEM.match(line) or len(before) + len(line.split()[0]) < 57):
            yield paragraph(joined)
            joined = []
        joined.append(line)
    if joined:
        yield paragraph(joined)


def paragraph(lines: list[str]) -> str:
    text = " ".join([lines[0].rstrip(), *map(str.strip, lines[1:])])
    title = f"<h2>{html.escape(run_in[1])}</h2>" if (run_in := RUN_IN.match(text)) else ""
    rest = html.escape(text[run_in.end() :] if run_in else text.strip())
    return f'{title}<p style="margin-left: {indent_of(lines[0]) * 4}pt">{rest}</p>'


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())
