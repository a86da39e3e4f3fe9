"""Finds lists of codes with names ("0 43 22  Bordesholm") printed in several columns, which are read one by one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from rabbithole.kb.ingest.page.lines import TextLine

LEAST_LINES = 5
MOST = 0.9
"""Least share of a column's lines that are codes, or names."""
RISING = 0.95
"""Least share of neighbours that are in ascending order, over the ends of columns too: rows of a table are not."""
_CODE = re.compile(r"[+(]?\d[\d ()/.+-]*")
_NAME = re.compile(r"\W*[^\W\d_]")


def coded_columns(parts: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
    """Return each column of codes with the names beside it; [] unless all parts of a page are such columns in turn."""
    if len(parts) < 4 or len(parts) % 2:
        return []
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    if not all(_is_list(codes, names) for codes, names in pairs):
        return []
    order = [code for codes, _ in pairs for code in sorted(codes, key=lambda line: line.base)]
    return [[*codes, *names] for codes, names in pairs] if is_rising([line.text for line in order]) else []


def _is_list(codes: Sequence[TextLine], names: Sequence[TextLine]) -> bool:
    if len(codes) < LEAST_LINES or len(names) < MOST * len(codes):
        return False
    coded = sum(_CODE.fullmatch(line.text) is not None for line in codes)
    named = sum(_NAME.match(line.text) is not None for line in names)
    return coded >= MOST * len(codes) and named >= MOST * len(names)


def is_rising(codes: Sequence[str]) -> bool:
    """Return whether codes are in the order of their numbers or of their digits ("0 44 09" before "04 41")."""
    digits = [found for code in codes if (found := re.sub(r"\D", "", code))]
    pairs = list(itertools.pairwise(digits))
    by_digits = sum(one <= other for one, other in pairs)
    by_number = sum(int(one) <= int(other) for one, other in pairs)
    return max(by_digits, by_number) >= RISING * len(pairs)
