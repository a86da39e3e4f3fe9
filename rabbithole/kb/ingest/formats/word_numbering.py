"""Computes the numbers Word shows before headings and items from the definitions in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docx.oxml.ns import qn

from rabbithole.kb.notation.roman import to_roman

_PLACEHOLDER = re.compile(r"%(\d)")
MAX_SHOWN = 10_000


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered: "%1.%2" in ``pattern`` stands for the counts of its levels."""

    form: str = "decimal"
    pattern: str = ""
    start: int = 1
    plain_digits: bool = False


@dataclass(slots=True)
class Numbering:
    """Counts the paragraphs as they are read. ``lists``: list id -> (definition id, its levels)."""

    lists: Mapping[str, tuple[str, Mapping[int, Level]]]
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)
    _started: set[str] = field(default_factory=set)

    def next(self, number: str, level: int) -> str:
        """Return the text before the next paragraph of that list and level, or '' if the list is unknown."""
        if number not in self.lists:
            return ""
        definition, levels = self.lists[number]
        rule = levels.get(level, Level())
        counts = self._counts.setdefault(definition, {})
        if number not in self._started and definition == number:
            counts.clear()
        self._started.add(number)
        counts[level] = counts.get(level, rule.start - 1) + 1
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        if rule.form == "bullet":
            return "•"
        if rule.form == "none":
            return ""

        def shown(match: re.Match[str]) -> str:
            wanted = int(match[1]) - 1
            other = levels.get(wanted, Level())
            count = counts.setdefault(wanted, other.start)
            return formatted(count, "decimal" if rule.plain_digits else other.form)

        return _PLACEHOLDER.sub(shown, rule.pattern).strip()


def formatted(count: int, form: str) -> str:
    """Return a count as Word writes it: decimal, lowerLetter, upperLetter, lowerRoman, upperRoman, decimalZero."""
    if not 0 < count <= MAX_SHOWN:
        return str(count)
    if form in ("lowerLetter", "upperLetter"):
        letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman"):
        return to_roman(count).lower() if form == "lowerRoman" else to_roman(count)
    return f"{count:02d}" if form == "decimalZero" else str(count)


def numbering_of(root: Any | None) -> Numbering:
    """Return the numbering from the root of ``numbering.xml``; None stands for a document without lists."""
    if root is None:
        return Numbering({})
    abstract = {each.get(qn("w:abstractNumId")): _levels(each) for each in root.iterchildren(qn("w:abstractNum"))}
    lists: dict[str, tuple[str, Mapping[int, Level]]] = {}
    for each in root.iterchildren(qn("w:num")):
        number, link = each.get(qn("w:numId")), each.find(qn("w:abstractNumId"))
        definition = link.get(qn("w:val")) if link is not None else None
        if number is None or definition not in abstract:
            continue
        levels, restarts = dict(abstract[definition]), False
        for override in each.iterchildren(qn("w:lvlOverride")):
            index = _integer(override.get(qn("w:ilvl")), 0)
            for level in override.iterchildren(qn("w:lvl")):
                levels[index] = _level(level)
            start = override.find(qn("w:startOverride"))
            if start is not None:
                old = levels.get(index, Level())
                first = _integer(start.get(qn("w:val")), 1)
                levels[index], restarts = Level(old.form, old.pattern, first, old.plain_digits), True
        lists[number] = (number if restarts else f"abstract {definition}", levels)
    return Numbering(lists)


def _levels(definition: Any) -> dict[int, Level]:
    return {_integer(each.get(qn("w:ilvl")), 0): _level(each) for each in definition.iterchildren(qn("w:lvl"))}


def _level(level: Any) -> Level:
    return Level(
        form=_value(level, "w:numFmt", "decimal"),
        pattern=_value(level, "w:lvlText", ""),
        start=_integer(_value(level, "w:start", "1"), 1),
        plain_digits=level.find(qn("w:isLgl")) is not None,
    )


def _value(parent: Any, tag: str, default: str) -> str:
    child = parent.find(qn(tag))
    value = child.get(qn("w:val")) if child is not None else None
    return default if value is None else str(value)


def _integer(value: str | None, default: int) -> int:
    return int(value) if value is not None and re.fullmatch(r"-?\d{1,6}", value) else default
