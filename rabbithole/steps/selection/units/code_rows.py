"""The rows of a list of codes that a question asks about: a whole page of area codes is no answer to one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rabbithole.kb.notation.codes import names_code
from rabbithole.steps.selection.models import AnswerUnit

from .candidate_units import Opened

LONGEST = 80
"""Maximum number of characters of a row: a longer line is a sentence that begins with a number."""
MOST = 0.6
"""Least share of the lines of a list that begin with a code and have a name behind it."""
_ROW = re.compile(r"\s*[+(]?\d[\d ()/+-]*\d\)?\s+[^\W\d_].*")
_LINE = re.compile(r"[^\n]+")


def with_rows_asked(opened: Sequence[Opened], codes: Sequence[str]) -> tuple[Opened, ...]:
    """Return the units with each list of codes cut down to the rows with one of ``codes``; without any, it is left out.

    Other units stay as they are, and all do if the question asks about no code.
    """
    if not codes:
        return tuple(opened)
    kept: list[Opened] = []
    for one in opened:
        if is_code_list(one.unit.text):
            kept += (one.model_copy(update={"unit": row}) for row in _rows(one.unit, codes))
        else:
            kept.append(one)
    return tuple(kept)


def is_code_list(text: str) -> bool:
    """Return whether a text is a list of codes with names, one a line, or one row of it."""
    lines = [line for line in text.splitlines() if line.strip()]
    rows = sum(len(line) <= LONGEST and _ROW.fullmatch(line) is not None for line in lines)
    return rows > 0 and rows >= MOST * len(lines)


def _rows(unit: AnswerUnit, codes: Sequence[str]) -> Iterator[AnswerUnit]:
    for line in _LINE.finditer(unit.text):
        if any(names_code(line[0], code) for code in codes):
            yield unit.model_copy(
                update={
                    "start": unit.start + line.start(),
                    "end": unit.start + line.end(),
                    "text": line[0],
                    "kind": "table",  # a row is shown by itself
                    "head": "",
                    "head_start": None,
                    "head_end": None,
                }
            )
