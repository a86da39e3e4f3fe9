"""Reads and writes Roman numerals."""

from __future__ import annotations

_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_SIGNS = (
    *(("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90)),
    *(("L", 50), ("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)),
)


def from_roman(numeral: str) -> int:
    """Return the value of a Roman numeral in large or small letters: 'XIV' -> 14. A letter that is none counts 0."""
    values = [_VALUES.get(letter, 0) for letter in numeral.upper()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(value if value >= following else -value for value, following in pairs)


def to_roman(number: int) -> str:
    """Return a number from 1 to 3999 as a Roman numeral in capitals: 14 -> 'XIV'."""
    numeral = ""
    for sign, value in _SIGNS:
        times, number = divmod(number, value)
        numeral += sign * times
    return numeral
