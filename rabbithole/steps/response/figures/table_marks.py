"""What is bold in a quoted table: the labels of the rows asked for, and their figures of the year asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rabbithole.kb.search.fiscal_years import is_fiscal, years_in
from rabbithole.steps.reasoning.text.markdown_tables import is_row, is_rule
from rabbithole.steps.reasoning.text.terms import stem_set, stems
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.selection.matching import Matcher
from rabbithole.steps.selection.units.unit_lines import lines_of

from .stated_tables import TableRow, cells_of

_MOST = 3
"""Maximum number of rows whose labels have equally many words of the question: with more, none is the one."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_FIRST_MONTHS = re.compile(r"\b(?:Jan|Feb)[a-zä]*\b|\b\d{1,2}\.0?[12]\.", re.IGNORECASE)


def with_marks(
    passage: QuotedPassage,
    question: str,
    language: str,
    names: Collection[str] = (),
    *,
    every: bool = False,
    label: int = 0,
) -> QuotedPassage:
    """Return a quoted table with spans in bold, and any other passage as it is.

    ``names``: stems of names of documents, which are no words of a row. ``every``: mark all rows quoted. ``label``: the
    column that tells which row is asked for.
    """
    lines = [line for line in lines_of(passage.text) if line.row]
    if not lines or passage.bold:
        return passage
    rule = next((at for at, line in enumerate(lines) if is_rule(line.text)), 0)
    above = [line for line in passage.head.splitlines() if is_row(line) and not is_rule(line)]
    header = lines[rule - 1].text if rule else above[-1].strip() if above else ""
    rows = [
        TableRow(line.start, line.end, cells_of(line.text, line.start))
        for line in (lines[rule + 1 :] if rule else lines)
        if not is_rule(line.text)
    ]
    columns = [cell.text for cell in cells_of(header)]
    asked = stem_set(question, language) - frozenset(names)
    places = year_columns(columns, question) or _named_column(columns, asked, language)
    chosen = rows if every else asked_rows(rows, asked, language)
    bold = [
        (row.cells[at].start, row.cells[at].end) for row in chosen for at in (label, *places) if at < len(row.cells)
    ]
    return passage.model_copy(update={"bold": tuple(sorted(span for span in bold if span[0] < span[1]))})


def year_columns(columns: Sequence[str], question: str) -> tuple[int, ...]:
    """Return the columns of the years that a question names.

    A fiscal year that ends in January or February may be called by either year, so then no column is chosen.

    >>> year_columns(["in millions", "Fiscal 2022", "Fiscal 2021"], "What were sales in FY21?")
    (2,)
    """
    if is_fiscal(question) and any(_FIRST_MONTHS.search(column) for column in columns):
        return ()
    years = set(years_in(question))
    named = [(at, years_in(column)) for at, column in enumerate(columns) if at and years & set(years_in(column))]
    alone = tuple(at for at, own in named if len(own) == 1)  # "2022 v. 2021" is a change
    return alone or tuple(at for at, _ in named)


def asked_rows(rows: Sequence[TableRow], asked: Collection[str], language: str) -> list[TableRow]:
    """Return the rows whose labels have the most words of the question, if they are few.

    Where labels are codes or numbers, the other cells say what a row is about.
    """
    coded = not any(_LETTERS.search(row.label) for row in rows)
    labels = [" ".join(cell.text for cell in row.cells) if coded else row.label for row in rows]
    shared = _shared(
        [label if row.has_figures else "" for row, label in zip(rows, labels, strict=True)], asked, language
    )
    most = max(shared, default=0.0)
    chosen = [row for row, share in zip(rows, shared, strict=True) if share == most and share]
    return chosen if len(chosen) <= _MOST else []


def _named_column(columns: Sequence[str], asked: Collection[str], language: str) -> tuple[int, ...]:
    """Return the column of figures that alone has the most words of the question, as that of a segment."""
    shared = _shared(["", *columns[1:]], asked, language)
    most = max(shared, default=0.0)
    places = tuple(at for at, share in enumerate(shared) if share == most and share)
    return places if len(places) == 1 else ()


def _shared(texts: Sequence[str], asked: Collection[str], language: str) -> list[float]:
    """Return how much of the question's words each text has; parts of compounds count in part."""
    matcher = Matcher(dict.fromkeys(asked, 1.0))
    return [round(sum(matcher.strengths(stems(text, language)).values()), 3) for text in texts]
