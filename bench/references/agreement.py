"""Compares the number in a reference's words with the number of the place it led to; this needs no gold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rabbithole.kb.models import Reference, Resolution

_NUMBERS = re.compile(r"[A-Z]?\d+[A-Za-z]?(?:\.\d+[A-Za-z]?)*|\b[IVXLC]+\b|\b[A-Z](?:\.\d+)*\b")


class Agreement(NamedTuple):
    """How many follows could be checked, and those that led to another number."""

    checked: int
    differing: list[tuple[Reference, Resolution]]

    def __str__(self) -> str:
        share = len(self.differing) / max(1, self.checked)
        return f"follows that reached another number {len(self.differing)}/{self.checked} = {share:.3f}   goal .01"


def agreement(resolved: Iterable[tuple[Reference, Resolution]]) -> Agreement:
    """Return, of the references with a section that led to a numbered section, those that reached another number."""
    checked = 0
    differing: list[tuple[Reference, Resolution]] = []
    for reference, resolution in resolved:
        asked = _asked(reference)
        if not asked or resolution.status != "resolved" or not resolution.number:
            continue
        checked += 1
        if not any(_same(value, resolution.number) for value in asked):
            differing.append((reference, resolution))
    return Agreement(checked, differing)


def _asked(reference: Reference) -> list[str]:
    """Return the numbers by which a reference names a place: those of its path, or for a link those in its words."""
    if reference.path:
        return [
            value for unit, value in reference.path if unit not in ("ref", "paragraph", "table", "figure", "Tabelle")
        ]
    return _NUMBERS.findall(reference.text) if reference.method == "link" else []


def _same(asked: str, reached: str) -> bool:
    """Return whether the number asked for was reached: '4.2' by '4.2', '§ 4.2' or a place inside it, '4.2.1'."""
    value, number = asked.casefold().strip("."), reached.casefold().strip(". ")
    return number == value or re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", number) is not None
