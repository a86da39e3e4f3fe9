"""Tables in a text (in Markdown, as ingestion writes them): find quotable rows, and show them on one line."""

from __future__ import annotations

import re

WHOLE = 600  # a table of up to this many characters is quoted whole
_ROW = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")
_LINE = re.compile(r"\s*\|.*\|\s*\Z")
_LOOSE_BEFORE, _LOOSE_BEHIND = re.compile(r"(?:\s*\|)+\s*"), re.compile(r"(?:\s*\|)+\s*\Z")
_ROW_END = re.compile(r"\|\s*\n\s*\|")


def is_row(line: str) -> bool:
    """Return whether a line is a row of a table, or the rule below its header."""
    return _LINE.match(line) is not None


def is_rule(line: str) -> bool:
    """Return whether a line is the rule below the header of a table: "| --- | --- |"."""
    return _RULE.fullmatch(line.strip()) is not None


def is_table(text: str) -> bool:
    """Return whether a text is a table with content: some row below the head has at least two filled cells."""
    rows = text.strip().splitlines()
    if not rows or not all(_ROW.match(row) for row in rows):
        return False
    rules = [index for index, row in enumerate(rows) if is_rule(row)]
    data = rows[rules[-1] + 1 :] if rules else rows
    return any(sum(any(c.isalnum() for c in cell) for cell in row.split("|")) >= 2 for row in data)


def one_line(text: str) -> str:
    """Return a text on one line; | separates the cells of a table, || its rows."""
    if "|" not in text:
        return " ".join(text.split())
    rows = _ROW_END.sub("| \n |", _RULE.sub("", text).strip())
    lines = [line.strip().removeprefix("|").removesuffix("|").strip() for line in rows.splitlines()]
    return " ".join(" || ".join(line for line in lines if line).split())


def loose_bars(line: str) -> tuple[int, int]:
    """Return where the words of a line of prose begin and end without the bars of a lost cell: 'Consequences |'.

    A row of a table keeps its bars.
    """
    if is_row(line):
        return 0, len(line)
    start = _LOOSE_BEFORE.match(line)
    end = _LOOSE_BEHIND.search(line)
    return (start.end() if start else 0), (end.start() if end else len(line))


def join_rows(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join the blocks of a table into one if it can be quoted whole.

    Of a longer table the head is joined with the first row, and every other row stays a block of its own.
    """
    joined: list[tuple[int, int]] = []
    table: list[tuple[int, int]] = []
    for span in spans:
        if _ROW.fullmatch(text[slice(*span)]):
            table.append(span)
            continue
        joined += _table(text, table)
        table = []
        joined.append(span)
    return joined + _table(text, table)


def _table(text: str, rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if not rows:
        return []
    if rows[-1][1] - rows[0][0] <= WHOLE:
        return [(rows[0][0], rows[-1][1])]
    rule = next((index for index, row in enumerate(rows) if is_rule(text[slice(*row)])), None)
    if rule is None:
        return rows
    head = min(rule + 1, len(rows) - 1)
    return [*rows[: max(0, rule - 1)], (rows[max(0, rule - 1)][0], rows[head][1]), *rows[head + 1 :]]
