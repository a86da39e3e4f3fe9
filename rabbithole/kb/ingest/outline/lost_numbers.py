"""Restores heading numbers lost in the text layer from those below them: 4.1 above 4.1.1 and 4.1.2. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .heading import Head

_DECIMAL = re.compile(r"\d+(?:\.\d+)+")
LEAST = 2
"""Minimum number of headings restored from those below them before numbers between them are counted on."""


def with_lost_numbers(heads: Sequence[Head]) -> list[Head]:
    """Return the heads with the numbers shown by those below them, and with those counted on between them."""
    held = {head.number for head in heads if head.number}
    told: dict[int, str] = {}
    for place, head in enumerate(heads[:-1]):
        below = heads[place + 1]
        if head.number or below.level <= head.level or not _DECIMAL.fullmatch(below.number):
            continue
        parent, _, last = below.number.rpartition(".")
        if last == "1" and parent not in held and parent not in told.values():
            told[place] = parent
    if len(told) >= LEAST:
        told |= _counted_on(heads, told, held)
        told |= _below_chapters(heads, told)
    return [replace(head, number=told.get(place, head.number)) for place, head in enumerate(heads)]


def _counted_on(heads: Sequence[Head], told: dict[int, str], held: set[str]) -> dict[int, str]:
    """Return numbers for the unnumbered headings after a restored one at its level, up to the next numbered one."""
    found: dict[int, str] = {}
    for place, number in told.items():
        base, _, last = number.rpartition(".")
        run: list[tuple[int, str]] = []
        for later in range(place + 1, len(heads)):
            head = heads[later]
            if head.level > heads[place].level:
                continue
            number_there = told.get(later, head.number)
            if head.level < heads[place].level or number_there:
                break
            run.append((later, f"{base}.{int(last) + len(run) + 1}" if base else f"{int(last) + len(run) + 1}"))
        ends = [each for _, each in run]
        if run and not held.intersection(ends) and not set(ends) & set(told.values()):
            found |= dict(run)
    return found


def _below_chapters(heads: Sequence[Head], told: dict[int, str]) -> dict[int, str]:
    """Return numbers for headings below a chapter that all lost theirs, if such numbers were lost elsewhere too."""
    level = heads[next(iter(told))].level
    if any(head.level == level and _DECIMAL.fullmatch(head.number) for head in heads):
        return {}
    found: dict[int, str] = {}
    for place, chapter in enumerate(heads):
        if chapter.level != level - 1 or not chapter.number.isdigit():
            continue
        below: list[int] = []
        for later in range(place + 1, len(heads)):
            if heads[later].level < level:
                break
            below += [later] if heads[later].level == level else []
        if below and not any(each in told for each in below):
            found |= {each: f"{chapter.number}.{count}" for count, each in enumerate(below, 1)}
    return found
