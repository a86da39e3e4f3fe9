"""Reads numbers as citations write them: lettered sections, ranges."""

from __future__ import annotations

import re

MAX_RANGE = 200
_NUMBER = re.compile(r"(\d{1,9})([a-z]{0,3})\Z")
_DOTTED = re.compile(r"((?:[A-Za-z]?\d{0,4}\.){1,6})(\d{1,4})\Z")


def _letters(first: str, last: str) -> list[str]:
    return [chr(code) for code in range(ord(first), ord(last) + 1)]


def expand(first: str, last: str) -> list[str]:
    """Return the members of the range "first bis last", both included, or only its ends beyond ``MAX_RANGE``.

    >>> expand("35", "37")
    ['35', '36', '37']
    >>> expand("9", "9c")
    ['9', '9a', '9b', '9c']
    """
    ends = [first] if first == last else [first, last]
    a, b = _NUMBER.match(first), _NUMBER.match(last)
    if a and b:
        low, high = int(a[1]), int(b[1])
        if low == high:
            start = a[2] or "`"
            if len(start) == 1 and len(b[2]) == 1 and start < b[2]:
                rest = _letters(chr(ord(start) + 1), b[2])
                return [first, *(f"{low}{letter}" for letter in rest)]
            return ends
        if not low < high <= low + MAX_RANGE:
            return ends
        middle = [str(number) for number in range(low + 1, high)]
        return [first, *middle, *([str(high)] if b[2] else []), last]
    if len(first) == len(last) == 1 and first.isascii() and last.isascii() and first.isalpha() and first < last:
        return _letters(first, last) if first.islower() == last.islower() else ends
    c, d = _DOTTED.match(first), _DOTTED.match(last)
    if c and d and c[1] == d[1] and int(c[2]) < int(d[2]) <= int(c[2]) + MAX_RANGE:
        return [f"{c[1]}{number}" for number in range(int(c[2]), int(d[2]) + 1)]
    return ends
