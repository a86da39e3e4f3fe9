"""What is no reference though it has the shape of one: the section's own heading, a line of a table of contents."""

from __future__ import annotations

import re

INDENT = 60
_CAPTION = re.compile(r"(?:Table|Figure|Fig\.|Tabelle|Abbildung|Abb\.)[ \u00a0]\S{1,8}:")
_LEADERS = re.compile(r"[^\n]{0,160}?(?:\.{4,}|(?:\.\s){4,}|…{2,}|_{4,})")
_HEADING_REST = re.compile(r"[.:)]?[ \t]*(?:\n|\||\Z|[-–—:]?[ \t]*[(\[]?[A-ZÄÖÜ])")
_TITLED = re.compile(r"[.:][ \t]+[A-ZÄÖÜ][^\n]{0,120}(?:\n|\Z)")
_CAPTION_REST = re.compile(r"[ \t]*[.:–—]")


def at_line_start(text: str, at: int) -> bool:
    """Whether only blanks or Markdown heading marks stand before ``at`` in its line, and a line of its own began."""
    line = text.rfind("\n", max(0, at - INDENT), at) + 1
    if line == 0 and at > INDENT:
        return False
    before = text[line:at].strip(" \t\u00a0\u2009")
    return before.strip("#*") == ""


def is_heading(text: str, at: int, end: int) -> bool:
    """Whether "§ 78 Grenzwerte" or "Section 5. Definitions" opens its own section, or a caption its own table."""
    if _CAPTION.match(text, at) and at_line_start(text, at):
        return True
    if not at_line_start(text, at) or not (_HEADING_REST.match(text, end) or _CAPTION_REST.match(text, end)):
        return False
    line = text.rfind("\n", max(0, at - INDENT), at)
    before = text[max(0, line - 3) : max(0, line)].rstrip()
    # In the middle of a sentence that was broken into lines, the line before ends without a stop.
    return line < 0 or not before or before[-1] in ".;:)!?*|" or bool(_TITLED.match(text, end))


def is_listing(text: str, end: int) -> bool:
    """Whether the line goes on with dot leaders: a table of contents."""
    return bool(_LEADERS.match(text, end))
