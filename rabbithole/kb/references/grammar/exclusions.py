"""Recognises text that only looks like a reference: a section's own heading, a line of a table of contents."""

from __future__ import annotations

import re

INDENT = 60
_CAPTION = re.compile(r"(?:Table|Figure|Fig\.|Tabelle|Abbildung|Abb\.)[ \u00a0]\S{1,8}:")
_LEADERS = re.compile(r"[^\n]{0,160}?(?:\.{4,}|(?:\.\s){4,}|…{2,}|_{4,})")
_HEADING_REST = re.compile(r"[.:)]?[ \t]*(?:\n|\||\Z|[-–—:]?[ \t]*[(\[]?[A-ZÄÖÜ])")
_TITLED = re.compile(r"[.:][ \t]+[A-ZÄÖÜ][^\n]{0,120}(?:\n|\Z)")
_CAPTION_REST = re.compile(r"[ \t]*[.:–—]")


def at_line_start(text: str, at: int) -> bool:
    """Return whether only white space or Markdown heading marks stand between the start of the line and ``at``."""
    line = text.rfind("\n", max(0, at - INDENT), at) + 1
    if line == 0 and at > INDENT:
        return False
    before = text[line:at].strip(" \t\u00a0\u2009")
    return before.strip("#*") == ""


def is_heading(text: str, at: int, end: int) -> bool:
    """Return whether "§ 78 Grenzwerte" or "Section 5. Definitions" is a section's own heading or a table's caption."""
    if _CAPTION.match(text, at) and at_line_start(text, at):
        return True
    if not at_line_start(text, at) or not (_HEADING_REST.match(text, end) or _CAPTION_REST.match(text, end)):
        return False
    line = text.rfind("\n", max(0, at - INDENT), at)
    before = text[max(0, line - 3) : max(0, line)].rstrip()
    # If a line break falls inside a sentence, the previous line ends without punctuation.
    return line < 0 or not before or before[-1] in ".;:)!?*|" or bool(_TITLED.match(text, end))


def is_listing(text: str, end: int) -> bool:
    """Return whether the line continues with dot leaders, as in a table of contents."""
    return bool(_LEADERS.match(text, end))
