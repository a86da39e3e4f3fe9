"""Finds lines of a program with what they print beside them; the one is read after the other.

The lines of the two do not belong together in rows, other than those of a table of commands: what is printed is level
with the middle of the program, or with a line in the middle of a command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.ingest.page.lines import TextLine

LEAST_LINES = 2
LEADING = 1.7
GUTTER = 8.0
LEVEL = 2.0
"""Points by which the baselines of a row differ."""
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class CodeExample:
    """The lines of a program and those beside it, each from top to bottom. ``first``: the program is on the left."""

    code: tuple[TextLine, ...]
    output: tuple[TextLine, ...]
    first: bool


def code_examples(lines: Sequence[TextLine]) -> list[CodeExample]:
    """Return the examples of a page, from top to bottom."""
    plain = [line for line in lines if not line.mono and not line.verbatim]
    found: list[CodeExample] = []
    for code in _programs([line for line in lines if line.mono and not line.verbatim]):
        example = _example(code, plain)
        if example is not None:
            found.append(example)
            plain = [line for line in plain if line not in example.output]
    return found


def _programs(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return lines directly below each other that begin at nearly the same place."""
    programs: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: (line.base, line.x0)):
        for program in programs:
            last = program[-1]
            below = LEVEL < line.base - last.base <= LEADING * max(line.size, last.size)
            if below and line.x0 < last.x1 and last.x0 < line.x1:
                program.append(line)
                break
        else:
            programs.append([line])
    return [program for program in programs if len(program) >= LEAST_LINES]


def _example(code: Sequence[TextLine], plain: Sequence[TextLine]) -> CodeExample | None:
    top, bottom = min(line.y0 for line in code), max(line.y1 for line in code)
    left, right = min(line.x0 for line in code), max(line.x1 for line in code)
    beside = [line for line in plain if top <= (line.y0 + line.y1) / 2 <= bottom]
    first = all(line.x0 >= right + GUTTER for line in beside)
    if not beside or not (first or all(line.x1 <= left - GUTTER for line in beside)):
        return None
    beside = sorted(beside, key=lambda line: (line.base, line.x0))
    return CodeExample(tuple(code), tuple(beside), first) if is_apart(code, beside) else None


def is_apart(code: Sequence[TextLine], beside: Sequence[TextLine]) -> bool:
    """Return whether the lines beside a program are no cells of its rows; both are given from top to bottom.

    They are apart if most are not level with a line of it, or the first is level with a line inside a command: the
    description of a command in a table begins beside its beginning.
    """
    level = [next((at for at, own in enumerate(code) if abs(own.base - line.base) <= LEVEL), None) for line in beside]
    first = level[0]
    if first is not None:
        return _depth("".join(own.text for own in code[:first])) > 0
    return 2 * sum(at is not None for at in level) < len(level)


def are_rows(one: Sequence[TextLine], other: Sequence[TextLine]) -> bool:
    """Return whether two parts of a page are commands and their descriptions, line by line."""
    if len(one) != len(other) or not (_are_commands(one) or _are_commands(other)):
        return False
    rows = zip(*(sorted(part, key=lambda line: line.base) for part in (one, other)), strict=True)
    return all(abs(left.base - right.base) <= LEVEL for left, right in rows)


def _are_commands(lines: Sequence[TextLine]) -> bool:
    """Return whether all lines are in typewriter letters or single words: not all fonts say what they are."""
    return all(line.mono or " " not in line.text for line in lines)


def _depth(text: str) -> int:
    """Return how many brackets are open at the end of a text."""
    return sum(text.count(sign) for sign in _OPENING) - sum(text.count(sign) for sign in _CLOSING)
