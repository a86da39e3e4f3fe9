"""Find quotations in a line of text by their marks, which may be nested."""

from __future__ import annotations

from rabbithole.kb.models import Model

# Opening mark -> marks that may close it. A mark with both roles (“) opens only where it does not close.
PAIRS = {"„": "“”", "“": "”", "«": "»", "»": "«", '"': '"'}
LEAST_WORDS = 3  # shorter text in quotation marks is a term ('the so-called "X"'), not a quotation


class Quotation(Model):
    """A quotation: ``line[start:end]`` includes its marks, ``text`` does not."""

    start: int
    end: int
    text: str

    @property
    def is_term(self) -> bool:
        return len(self.text.split()) < LEAST_WORDS


def quotations(line: str) -> tuple[Quotation, ...]:
    """Return all outermost quotations of a line. Unclosed marks are ignored."""
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
