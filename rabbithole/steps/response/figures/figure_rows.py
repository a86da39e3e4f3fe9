"""Find the rows of a document's tables that go with a figure asked for: a ratio's items, or its name in statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Section
from rabbithole.kb.search.derived_figures import figures
from rabbithole.kb.search.fiscal_years import is_fiscal, years_in
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.selection.models import AnswerUnit, RankedUnit
from rabbithole.steps.selection.units.unit_lines import lines_of

from .stated_tables import StatedTable, TableRow, cells_of, stated_tables

_TABLES, _ROWS = 2, 7
"""Maximum number of tables, and of rows, that are quoted."""
_EXTRA = 3
"""Maximum number of words that a label has beside those of the item, up to its first comma."""
_CHANGES = re.compile(
    r"\b(?:changes?|increase|decrease|beginning|Veränderung\w*|Zunahme|Abnahme|Anfang)\b", re.IGNORECASE
)
"""Words of rows that state no amount of the year but a change of it, also below such a heading."""
_OTHER = 2
_STEM = 4
_NAMED = 1
"""Maximum number of words beside those of a figure in the label of a row that states it."""


@dataclass(frozen=True)
class Found:
    """A table with the rows that items name."""

    section: Section
    text: str
    table: StatedTable
    rows: Mapping[str, tuple[float, TableRow]]
    """Item -> how near the label of its row is to it, up to 1, and the row."""

    @property
    def merit(self) -> float:
        return sum(near for near, _ in self.rows.values())


def unstated(question: str, passages: Sequence[QuotedPassage], language: str) -> tuple[str, ...]:
    """Return the figures asked for that no quoted passage names, or none for the year asked for."""
    years = years_in(question)
    return tuple(
        term for term in figures(question) if not any(_states(passage, term, years, language) for passage in passages)
    )


def rows_of_figures(kb: KnowledgeBase, question: str, document: str, language: str) -> list[RankedUnit]:
    """Return the rows of a document's tables that belong to the figures asked for, table by table. Blocks.

    All tables of the document are looked at: a statement is a long passage, which a search for a row ranks low. If the
    question names a year, only tables with a column of this year count.
    """
    items = tuple(dict.fromkeys(item for each in figures(question).values() for item in each))
    ranked = sorted(_found(kb, question, document, items, language), key=lambda one: -one.merit)
    chosen: list[tuple[Found, dict[str, TableRow]]] = []
    named: set[str] = set()
    for one in ranked:
        new = {item: row for item, (_, row) in one.rows.items() if item not in named}
        if new and len(chosen) < _TABLES:
            chosen.append((one, new))
            named |= new.keys()
    units = [
        row_unit(kb, one.section, one.text, one.table, row)
        for one, new in chosen
        for row in sorted(set(new.values()), key=lambda row: row.start)
    ]
    return units[:_ROWS]


def _states(passage: QuotedPassage, term: str, years: Sequence[str], language: str) -> bool:
    """Return whether a passage names a figure, with the year asked for: in running text, or as a row of a table."""
    wanted = stem_set(term, language)
    rows = [cells_of(line.text) for line in lines_of(passage.text) if line.row]
    if rows:
        labels = [stem_set(cells[0].text, language) for cells in rows if cells]
        named = any(wanted <= label and len(label - wanted) <= _NAMED for label in labels)
    else:
        named = wanted <= stem_set(f"{passage.evidence.section_label} {passage.head} {passage.text}", language)
    return named and (not years or any(year in years_in(f"{passage.head} {passage.text}") for year in years))


def _found(kb: KnowledgeBase, question: str, document: str, items: Sequence[str], language: str) -> Iterator[Found]:
    years = _years(question)
    for section in kb.outline(document):
        text = kb.text(document, section.start, section.own_end)
        if "\n|" not in text:
            continue
        for table in stated_tables(text):
            if years and not years & {year for column in table.columns for year in years_in(column)}:
                continue
            rows = {item: row for item in items if (row := _row(table, item, language)) is not None}
            if rows:
                yield Found(section, text, table, rows)


def _years(question: str) -> frozenset[str]:
    """Return the years asked for; a fiscal year may end in the calendar year after."""
    years = years_in(question)
    after = [str(int(year) + 1) for year in years] if is_fiscal(question) else []
    return frozenset((*years, *after))


def _row(table: StatedTable, item: str, language: str) -> tuple[float, TableRow] | None:
    """Return the row that an item names, its label has all words of the item and few others, and how near it is."""
    wanted = stem_set(item, language)
    best: tuple[float, TableRow] | None = None
    heading = ""
    for row in table.rows:
        if not row.has_figures:
            heading = row.label
        elif wanted and _begins_alike(row.label, item) and wanted <= stem_set(row.label, language):
            extra = len(stem_set(row.label.split(",")[0], language) - wanted)
            other = _CHANGES.search(f"{heading} {row.label}") is not None or row.is_share
            near = 1 / (1 + extra + _OTHER * other)
            if extra <= _EXTRA and (best is None or near > best[0]):
                best = near, row
    return best


def _begins_alike(label: str, item: str) -> bool:
    """Return whether a label has the beginning of the item's longest word, which is quicker than stems."""
    return max(item.split(), key=len)[:_STEM].casefold() in label.casefold()


def row_unit(kb: KnowledgeBase, section: Section, text: str, table: StatedTable, row: TableRow) -> RankedUnit:
    """Return a row of a table of a section, whose own ``text`` it is in, with the table's head. Blocks."""
    low, high = table.head
    page, _ = kb.page_of(section.document, section.start + row.start)
    unit = AnswerUnit(
        document=section.document,
        section=section.id,
        page=page,
        start=section.start + row.start,
        end=section.start + row.end,
        text=text[row.start : row.end],
        head=text[low:high],
        head_start=section.start + low,
        head_end=section.start + high,
        kind="table",
    )
    return RankedUnit(unit=unit, score=0.0, probability=0.0)
