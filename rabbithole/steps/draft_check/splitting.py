"""Paragraphs of a plain text or of Markdown."""

from __future__ import annotations

import re

BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,3}[.)])\s)")


def split_text(text: str) -> list[str]:
    """The paragraphs, each on one line: parted by empty lines and list items."""
    return [" ".join(part.split()) for part in BREAK.split(text)]
