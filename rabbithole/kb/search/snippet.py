"""The part of a passage that best shows why it was found."""

from __future__ import annotations

import re

LENGTH = 240
"""Characters of a window."""


def snippet(text: str, query: str, *, length: int = LENGTH) -> str:
    """Return a window of about ``length`` characters with the most words of the query, on one line, cut at words."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    start, best = 0, _best(line, query, length)
    if best is not None:
        start = max(0, min(best - length // 6, len(line) - length))
    if start:
        start = line.find(" ", start) + 1 or start
    end = len(line) if start + length >= len(line) else line.rfind(" ", start, start + length)
    end = end if end > start else start + length
    return ("… " if start else "") + line[start:end] + (" …" if end < len(line) else "")


def shown_from(text: str, query: str, *, length: int = LENGTH) -> int:
    """Return the offset in ``text`` of the word that ``snippet`` shows first of the query, or of its first word."""
    words = [match.start() for match in re.finditer(r"\S+", text)]
    line = " ".join(text.split())
    best = _best(line, query, length) or 0
    return words[line.count(" ", 0, best)] if words else 0


def _best(line: str, query: str, length: int) -> int | None:
    """Return the place of the word of the query that most others follow within ``length`` characters, if any."""
    stems = {word[:6] for word in re.findall(r"\w+", query.casefold()) if len(word) > 3 or word.isdigit()}
    places = [match.start() for match in re.finditer(r"\w+", line) if match.group().casefold()[:6] in stems]
    return max(
        places, key=lambda place: (sum(place <= other < place + length for other in places), -place), default=None
    )
