"""Reading order: columns are read one after the other, separated by full-width lines (XY-cut on lines)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from .beside.code_examples import CodeExample, are_rows, code_examples
from .beside.coded_lists import coded_columns
from .lines import TextLine, merge_rows
from .margin.margin_headings import margin_headings, with_headings

MIN_GUTTER = 5.0
MIN_COLUMN_SHARE = 0.17
MIN_COLUMN_LINES = 3
MIN_FILL = 0.45
FULL_LINE, FULL_LETTERS = 0.75, 20
MOST_BESIDE = 0.6
"""Minimum share of the lines of a part of a page that stand in columns, so that it counts as columns side by side."""
MIN_FULL_LINES, MIN_FULL_SHARE = 6, 0.3

Gap = tuple[float, float]


def in_reading_order(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines of one page in reading order; ``column`` numbers the columns of the page."""
    if not lines:
        return []
    if margin := margin_headings(lines):
        return with_headings(in_reading_order(margin.text), margin.headings)
    if examples := code_examples(lines):
        beside = {id(line) for example in examples for line in example.output}
        return _with_output(in_reading_order([line for line in lines if id(line) not in beside]), examples)
    if _plainly_one_column(lines):
        return merge_rows(by_rows(lines))
    ordered: list[TextLine] = []
    for column, part in enumerate(_parts(lines)):
        ordered += merge_rows(replace(line, column=column) for line in by_rows(part))
    return _joined_columns(ordered)


def _with_output(ordered: Sequence[TextLine], examples: Sequence[CodeExample]) -> list[TextLine]:
    """Return the lines in reading order with what each program prints behind it, or before it if it stands left."""
    result = list(ordered)
    for example in examples:
        edge = example.code[-1 if example.first else 0]
        at = next(at for at, line in enumerate(result) if _holds(line, edge))
        column = result[at].column
        place = at + 1 if example.first else at
        result[place:place] = merge_rows(replace(line, column=column) for line in by_rows(example.output))
    return result


def _holds(line: TextLine, part: TextLine) -> bool:
    """Return whether a line is this one, or made of it and others on its baseline."""
    inside = line.x0 <= part.x0 and part.x1 <= line.x1 and line.y0 <= part.y0 and part.y1 <= line.y1
    return inside and part.text in line.text


def page_columns(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return the lines by the columns they are read in, with the full width above a column in the first of them."""
    if not lines or _plainly_one_column(lines):
        return [list(lines)]
    columns: list[list[TextLine]] = []
    bottom = float("inf")
    for part in _parts(lines):
        top = min(line.y0 for line in part)
        if columns and top >= bottom - 2:
            columns[-1] += part
        else:
            columns.append(list(part))
        bottom = max(line.y1 for line in columns[-1])
    return columns


def _parts(lines: Sequence[TextLine]) -> list[Sequence[TextLine]]:
    """Return the lines in parts that are read from top to bottom; a column that has columns itself is divided again."""
    parts: list[Sequence[TextLine]] = []
    for group in _grouped(lines):
        columns = _columns(group)
        if len(columns) == 1:
            parts += columns
        else:
            width = _width(group)
            parts += itertools.chain.from_iterable(
                [column] if _is_column(column, width) else _parts(column) for column in columns
            )
    return parts


def _grouped(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    return _groups(sorted(lines, key=lambda line: (line.y0, line.x0)))


def _width(lines: Sequence[TextLine]) -> float:
    return max(line.x1 for line in lines) - min(line.x0 for line in lines)


def _plainly_one_column(lines: Sequence[TextLine]) -> bool:
    """Return whether hardly any line begins in the right part of the text."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return sum(line.x0 > left + 0.3 * (right - left) for line in lines) < MIN_COLUMN_LINES


def column_count(lines: Sequence[TextLine]) -> int:
    """Return how many columns the widest group of the page has."""
    return max((len(_columns(group)) for group in _grouped(lines)), default=0)


def _joined_columns(lines: list[TextLine]) -> list[TextLine]:
    """Merge single columns of consecutive groups into one column."""
    result: list[TextLine] = []
    shift = 0
    for line in lines:
        last = result[-1] if result else None
        if last is not None and line.column - shift != last.column and line.y0 >= last.y1 - 0.5 * last.height:
            shift += line.column - shift - last.column
        result.append(replace(line, column=line.column - shift))
    return result


def by_rows(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines from top to bottom, those on one baseline from left to right."""
    return [line for row in rows_of(lines) for line in row]


def rows_of(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return the lines that share a baseline, from left to right, from top to bottom."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: (line.y0 + line.y1) / 2):
        middle = (line.y0 + line.y1) / 2
        if (
            rows
            and middle < rows[-1][0].y1 - 0.25 * rows[-1][0].height
            and abs(line.y1 - rows[-1][0].y1) < 0.6 * line.height
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def _groups(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Group consecutive rows that share a gutter; a line across the gutter ends the group."""
    rows: list[list[TextLine]] = []
    bottom = float("-inf")
    for line in lines:
        if rows and line.y0 < bottom - 0.4 * line.height:
            rows[-1].append(line)
            bottom = max(bottom, line.y1)
        else:
            rows.append([line])
            bottom = line.y1
    groups: list[list[TextLine]] = []
    shared: list[Gap] = []
    for row in rows:
        gaps = _free(row)
        common = _intersect(shared, gaps)
        if groups and (
            _two_sided(groups[-1] + row, common) or (not _two_sided(groups[-1], shared) and not _two_sided(row, gaps))
        ):
            groups[-1] += row
            shared = common
        else:
            groups.append(list(row))
            shared = gaps
    return groups


def _free(lines: Sequence[TextLine]) -> list[Gap]:
    """Return the x-intervals that no line covers, including the margins."""
    gaps: list[Gap] = []
    edge = float("-inf")
    for line in sorted(lines, key=lambda line: line.x0):
        if line.x0 - edge >= MIN_GUTTER:
            gaps.append((edge, line.x0))
        edge = max(edge, line.x1)
    gaps.append((edge, float("inf")))
    return gaps


def _intersect(a: Sequence[Gap], b: Sequence[Gap]) -> list[Gap]:
    both = [(max(x[0], y[0]), min(x[1], y[1])) for x in a for y in b]
    return [gap for gap in both if gap[1] - gap[0] >= MIN_GUTTER]


def _two_sided(lines: Sequence[TextLine], gaps: Sequence[Gap]) -> bool:
    return any(
        any(line.x1 <= gap[0] + 1 for line in lines) and any(line.x0 >= gap[1] - 1 for line in lines) for gap in gaps
    )


def _columns(group: Sequence[TextLine]) -> list[list[TextLine]]:
    """Split a group at gutters where both sides look like running text rather than cells or list markers."""
    gaps = [gap for gap in _free(group) if gap[0] != float("-inf") and gap[1] != float("inf")]
    if not gaps:
        return [list(group)]
    left_edge, right_edge = min(line.x0 for line in group), max(line.x1 for line in group)
    bounds = [left_edge, *((gap[0] + gap[1]) / 2 for gap in gaps), right_edge + 1]
    parts = [[line for line in group if low - 1 <= line.x0 < high - 1] for low, high in itertools.pairwise(bounds)]
    if coded := coded_columns(parts):
        return coded
    width = right_edge - left_edge
    merged: list[list[TextLine]] = []
    for part in parts:  # a part that is no column (list markers, a narrow figure) goes with its neighbour
        beside = merged and all(_is_column(each, width) or _has_columns(each, width) for each in (part, merged[-1]))
        if merged and (not beside or are_rows(part, merged[-1])):
            merged[-1] = merged[-1] + part
        else:
            merged.append(part)
    return merged


def _has_columns(lines: Sequence[TextLine], width: float) -> bool:
    """Return whether most of the lines are columns side by side, as those right of the first of three columns."""
    if len(lines) < 2 * MIN_COLUMN_LINES or _width(lines) < 2 * MIN_COLUMN_SHARE * width:
        return False
    beside = sum(len(group) for group in _grouped(lines) if len(_columns(group)) > 1)
    return beside >= MOST_BESIDE * len(lines)


def _is_column(lines: Sequence[TextLine], width: float) -> bool:
    """Return whether the lines are running text that fills its column, even with table cells between them."""
    if len(lines) < MIN_COLUMN_LINES:
        return False
    low, high = min(line.x0 for line in lines), max(line.x1 for line in lines)
    own = high - low
    if own < MIN_COLUMN_SHARE * width:
        return False
    full = sum(line.x1 - line.x0 >= FULL_LINE * own and len(line.text) >= FULL_LETTERS for line in lines)
    if full >= MIN_FULL_LINES and full >= MIN_FULL_SHARE * len({round(line.base) for line in lines}):
        return True
    fill = sum(line.x1 - line.x0 for line in lines) / (len(lines) * max(own, 1.0))
    letters = sum(len(line.text) for line in lines) / len(lines)
    return fill >= MIN_FILL and letters >= 12
