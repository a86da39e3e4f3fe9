"""Tables in a text (Markdown, as ingestion writes them): what of them can be quoted, and how that reads on one line."""

from __future__ import annotations

import re

WHOLE = 600  # characters up to which a table is quoted whole
_ROW = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")
_ROW_END = re.compile(r"\|\s*\n\s*\|")


def is_table(text: str) -> bool:
    """Whether a text is rows of a table that say something: two filled cells at least in one that is no head."""
    rows = text.strip().splitlines()
    if not rows or not all(_ROW.match(row) for row in rows):
        return False
    rules = [index for index, row in enumerate(rows) if _RULE.fullmatch(row.strip())]
    data = rows[rules[-1] + 1 :] if rules else rows
    return any(sum(any(c.isalnum() for c in cell) for cell in row.split("|")) >= 2 for row in data)


def one_line(text: str) -> str:
    """A text on one line; cells of a table are parted by |, its rows by ||."""
    if "|" not in text:
        return " ".join(text.split())
    rows = _ROW_END.sub("| \n |", _RULE.sub("", text).strip())
    lines = [line.strip().removeprefix("|").removesuffix("|").strip() for line in rows.splitlines()]
    return " ".join(" || ".join(line for line in lines if line).split())


def join_rows(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Blocks of a text in which the rows of a table stand together: all of them when they can be quoted whole.

    Of a longer table the head stays with the first row, and every other row is a block of its own.
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
    rule = next((index for index, row in enumerate(rows) if _RULE.fullmatch(text[slice(*row)])), None)
    if rule is None:
        return rows
    head = min(rule + 1, len(rows) - 1)
    return [*rows[: max(0, rule - 1)], (rows[max(0, rule - 1)][0], rows[head][1]), *rows[head + 1 :]]
