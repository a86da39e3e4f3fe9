"""Quotations in a line of text: which marks open and close them, nesting included."""

from __future__ import annotations

from rabbithole.kb.models import Model

# opening mark -> marks that may close it; a mark in both roles (“) opens only where it does not close
PAIRS = {"„": "“”", "“": "”", "«": "»", "»": "«", '"': '"'}
LEAST_WORDS = 3  # shorter ones are terms ('the so-called "X"'), not quotations


class Quotation(Model):
    """``line[start:end]`` with its marks; ``text`` without them."""

    start: int
    end: int
    text: str

    @property
    def is_term(self) -> bool:
        return len(self.text.split()) < LEAST_WORDS


def quotations(line: str) -> tuple[Quotation, ...]:
    """All outermost quotations of a line. A mark that is never closed opens nothing."""
    found: list[Quotation] = []
    at = 0
    while at < len(line):
        if line[at] in PAIRS:
            end = _closing(line, at)
            if end is not None:
                found.append(Quotation(start=at, end=end + 1, text=line[at + 1 : end]))
                at = end
        at += 1
    return tuple(found)


def _closing(line: str, start: int) -> int | None:
    opening = line[start]
    depth = 0
    for at in range(start + 1, len(line)):
        character = line[at]
        if character == opening and opening not in PAIRS[opening]:
            depth += 1
        elif character in PAIRS[opening]:
            if depth == 0:
                return at
            depth -= 1
    return None
