"""Find the rows of a document's tables with a value asked for: "quality 6" is met by "6", "5-6" and "over 4"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.selection.models import RankedUnit

from .figure_rows import row_unit
from .stated_tables import stated_tables

_NUMBER = r"\d{1,3}(?:[.,]\d{3})+(?![\d.,]*\d)|\d+(?:[.,]\d+)?"
_UNIT = r"(?:\s*[^\W\d]{1,12}\.?|\s*[%°€$£])?"
_TO = r"(?:[-–—]|to|through|until|bis|and|und)"
_ASKED = re.compile(rf"(?<![\w.,§#/-])(?P<number>{_NUMBER})(?![\w/-]|[.,]\d)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORDS_BEFORE, _WORDS_AFTER = (
    re.compile(r"([^\W\d_]{2,})\W{1,2}(?=(?:[^\W\d_]+\W{1,2})?\Z)"),
    re.compile(r"\W?([^\W\d_]+)"),
)
_LEAST = 3
"""Minimum number of rows of a column that hold values."""
_MOST, _TABLES = 3, 2
"""Maximum number of rows that hold the value asked for, and of tables that are quoted."""


def _form(before: str, after: str = "") -> re.Pattern[str]:
    return re.compile(rf"{before}\s*(?P<low>{_NUMBER}){_UNIT}{after}", re.IGNORECASE)


_RANGE = re.compile(
    rf"(?:from|von|between|zwischen)?\s*(?P<low>{_NUMBER}){_UNIT}\s*{_TO}\s*(?P<high>{_NUMBER}){_UNIT}", re.IGNORECASE
)
_MORE, _LESS = r"(?:and|or) (?:more|above|over|older)|(?:und|oder) (?:mehr|älter)", r"(?:and|or) (?:less|below|under)"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[float, float], bool]], ...] = (
    (_form(r"(?:from|at least|not less than|ab|mindestens|min\.?|≥|>=)"), ge),
    (_form("", rf"\s*(?:\+|{_MORE})"), ge),
    (_form(r"(?:over|above|more than|older than|über|mehr als|älter als|>)"), gt),
    (_form(r"(?:up to|at most|not more than|bis(?: zu)?|höchstens|max\.?|≤|<=)"), le),
    (_form("", rf"\s*(?:{_LESS}|(?:und|oder) (?:weniger|jünger))"), le),
    (_form(r"(?:under|below|less than|fewer than|younger than|unter|weniger als|<)"), lt),
    (_form(""), eq),
)
"""How a cell with one number is written, and how a value must stand to this number."""


@dataclass(frozen=True)
class AskedValue:
    """A number of a question, with the stems of the words beside it."""

    value: float
    words: frozenset[str]


def values_asked(question: str, language: str) -> tuple[AskedValue, ...]:
    """Return the numbers that a question names with a word beside them; years are none.

    >>> [(one.value, sorted(one.words)) for one in values_asked("How loud is quality setting 6?", "en")]
    [(6.0, ['qualiti', 'set'])]
    """
    found: list[AskedValue] = []
    for number in _ASKED.finditer(question):
        if _YEAR.fullmatch(number["number"]):
            continue
        before = _WORDS_BEFORE.findall(question[: number.start()])
        after = _WORDS_AFTER.match(question[number.end() :])
        words = " ".join([*before, *([after[1]] if after else [])])
        if stems := stem_set(words, language):
            found.append(AskedValue(_number(number["number"]), frozenset(stems)))
    return tuple(found)


def covers(cell: str, value: float) -> bool | None:
    """Return whether a cell is a value or a range that holds ``value``; None if it is neither.

    >>> covers("5-6", 6), covers("7 bis 8", 6), covers("over 40 kg", 41), covers("≤ 3", 3), covers("reserved", 3)
    (True, False, True, True, None)
    """
    text = " ".join(cell.split())
    if span := _RANGE.fullmatch(text):
        return _number(span["low"]) <= value <= _number(span["high"])
    for form, holds in _FORMS:
        if found := form.fullmatch(text):
            return holds(value, _number(found["low"]))
    return None


def rows_of_values(
    kb: KnowledgeBase, question: str, part: str, document: str, language: str
) -> list[tuple[RankedUnit, int]]:
    """Return the rows of a document's tables with a value that a question names, each with the value's column. Blocks.

    The words beside the value name its column; another column, or the caption, has a word of the part asked. Words of
    the document's title tell no table from another.
    """
    asked = values_asked(question, language)
    title = stem_set(kb.document(document).title, language) if asked else frozenset()
    wanted, about = stem_set(part, language) - title, stem_set(question, language)
    found: list[tuple[int, list[tuple[RankedUnit, int]]]] = []
    for section in kb.outline(document) if asked else ():
        text = kb.text(document, section.start, section.own_end)
        for table in stated_tables(text) if "\n|" in text else ():
            cells = [[cell.text for cell in row.cells] for row in table.rows]
            for one in asked:
                column, met = rows_with_value(table.columns, cells, one, language)
                others = " ".join(name for at, name in enumerate(table.columns) if at != column)
                above = stem_set(f"{text[slice(*table.head)].partition('|')[0]} {others}", language)
                if met and (wanted - one.words) & above:
                    units = [(row_unit(kb, section, text, table, table.rows[at]), column) for at in met]
                    found.append((len(about & above), units))
                    break
    ranked = sorted(found, key=lambda each: -each[0])[:_TABLES]
    return [unit for _, units in ranked for unit in units][:_MOST]


def rows_with_value(
    columns: Sequence[str], rows: Sequence[Sequence[str]], asked: AskedValue, language: str
) -> tuple[int, list[int]]:
    """Return the column that the words beside a value name and the rows that hold it there; none if these are many."""
    for at, column in enumerate(columns):
        if not asked.words & stem_set(column, language):
            continue
        held = [covers(row[at], asked.value) if at < len(row) else None for row in rows]
        met = [index for index, holds in enumerate(held) if holds]
        if sum(holds is not None for holds in held) >= _LEAST and 0 < len(met) <= _MOST:
            return at, met
    return -1, []


def _number(text: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", text):
        return float(re.sub(r"[.,]", "", text))
    return float(text.replace(",", "."))
