"""Split plain text or Markdown into paragraphs."""

from __future__ import annotations

import re

BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,3}[.)])\s)")


def split_text(text: str) -> list[str]:
    """Return the paragraphs, each on one line; empty lines and list items separate them."""
    return [" ".join(part.split()) for part in BREAK.split(text)]
