"""Split plain text or Markdown into paragraphs."""

from __future__ import annotations

import re

from .models import Paragraph

BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,3}[.)])\s)")
_LINKED = re.compile(r"^[ ]{0,3}\[[^\]\n]+\]:[ \t]*\S+[ \t]*$", re.MULTILINE)
_MARKER = re.compile(r"[ \t]*\[\[\w+\]\](?:\[\w+\]|\([^)\s]*\))")
"""A link with a bracketed number, as our own reports cite: it names no work of a bibliography."""
_BLOCK = re.compile(r"(?:^[ ]{0,3}>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_QUOTED = re.compile(r"^[ ]{0,3}>[ \t]?", re.MULTILINE)
_LISTED = re.compile(r"\A(?:[-*•]|\d{1,3}[.)])\s+")
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", re.DOTALL)


def split_text(text: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs, each on one line; empty lines and list items separate them.

    Those of a block quotation ("> ...") are quotations as a whole. Links behind a bracketed number and their addresses
    are left out.
    """
    text = _MARKER.sub("", _LINKED.sub("", text))
    parts: list[tuple[str, bool]] = []
    done = 0
    for block in _BLOCK.finditer(text):
        parts += [(part, False) for part in BREAK.split(text[done : block.start()])]
        parts += [(_words(part), True) for part in BREAK.split(_QUOTED.sub("", block[0]))]
        done = block.end()
    parts += [(part, False) for part in BREAK.split(text[done:])]
    flat = [(" ".join(part.split()), quoted) for part, quoted in parts]
    return tuple(Paragraph(index=index, text=part, quoted=quoted) for index, (part, quoted) in enumerate(flat) if part)


def _words(part: str) -> str:
    """Return a quoted paragraph without the marks of Markdown, which its source does not have."""
    return _STRONG.sub(r"\1", _LISTED.sub("", part.lstrip()))
