"""The part of a passage that best shows why it was found."""

from __future__ import annotations

import re


def snippet(text: str, query: str, *, length: int = 240) -> str:
    """Return a window of about ``length`` characters with the most words of the query, on one line, cut at words."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    stems = {word[:6] for word in re.findall(r"\w+", query.casefold()) if len(word) > 3 or word.isdigit()}
    places = [match.start() for match in re.finditer(r"\w+", line) if match.group().casefold()[:6] in stems]
    start = 0
    if places:
        best = max(places, key=lambda place: (sum(place <= other < place + length for other in places), -place))
        start = max(0, min(best - length // 6, len(line) - length))
    if start:
        start = line.find(" ", start) + 1 or start
    end = len(line) if start + length >= len(line) else line.rfind(" ", start, start + length)
    end = end if end > start else start + length
    return ("… " if start else "") + line[start:end] + (" …" if end < len(line) else "")
