"""Lists the sentences of units that can be quoted as an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.steps.reasoning.text.markdown_tables import is_table
from rabbithole.steps.reasoning.text.prompt_injection import addresses_model, has_markup
from rabbithole.steps.reasoning.text.sentences import sentences

from .units.candidate_units import Opened

_LEAST_WORDS = 3
_LEAST_LETTERS = 0.4
_DRAWN = re.compile(r"[-=+|_*~.]{3,}|-+>|<-+|\s[|+]\s|\s={2,}")
_DRAWING = 3
_LEADERS = re.compile(r"\.{4,}|(?:\.\s){4,}|…{2,}")
_CAPTION = re.compile(r"\A[^|\n][^\n]*\n")
"""The line above a table, which is part of its unit."""
_EDITORIAL = re.compile(r"\s*\((?:Fundstelle:|\+\+\+|zu § )")


@dataclass(frozen=True)
class Row:
    """A sentence of an opened unit, with offsets into the unit's text. ``before`` and ``after`` are its neighbours."""

    opened: int
    start: int
    end: int
    text: str
    before: str = ""
    after: str = ""
    ordinal: int = 0


def rows(opened: Sequence[Opened]) -> tuple[Row, ...]:
    """Return every quotable sentence in order; a unit that addresses a model has none."""
    found: list[Row] = []
    for index, one in enumerate(opened):
        if addresses_model(one.unit.text):
            continue
        every = [Row(index, 0, len(one.unit.text), one.unit.text)] if one.unit.kind == "table" else [
            Row(index, each.start, each.end, each.text) for each in sentences(one.unit.text)
        ]  # fmt: skip
        for ordinal, row in enumerate(every):
            if is_quotable(row.text):
                before = every[ordinal - 1].text if ordinal else ""
                after = every[ordinal + 1].text if ordinal + 1 < len(every) else ""
                found.append(Row(index, row.start, row.end, row.text, before, after, ordinal))
    return tuple(found)


def is_quotable(text: str) -> bool:
    """Return whether a text can answer: no heading, contents line, question, character drawing or fragment."""
    if has_markup(text) or _EDITORIAL.match(text) or _LEADERS.search(text) or text.rstrip().endswith("?"):
        return False
    if is_table(_CAPTION.sub("", text, count=1)):
        return True
    flat = " ".join(text.split())
    if text.lstrip().startswith("|"):
        return sum(any(c.isalnum() for c in cell) for cell in text.split("|")) > 1
    if len(_DRAWN.findall(text)) >= _DRAWING:
        return False
    letters = sum(character.isalpha() for character in flat)
    return len(flat.split()) >= _LEAST_WORDS and letters >= _LEAST_LETTERS * len(flat) and len(flat) >= 15
