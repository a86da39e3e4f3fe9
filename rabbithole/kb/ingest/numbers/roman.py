"""Reads and writes the Roman numerals of headings and pages."""

from __future__ import annotations

_NUMERALS = (("l", 50), ("xl", 40), ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1))


def roman(number: str) -> int:
    """Return the value of a Roman numeral below 400: 'XIV' -> 14. A letter that is none counts 0."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    digits = [values.get(letter, 0) for letter in number.upper()]
    return sum(
        -digit if digit < following else digit for digit, following in zip(digits, [*digits[1:], 0], strict=True)
    )


def roman_numeral(number: int) -> str:
    """Return a number below 90 in small Roman letters."""
    numeral = ""
    for sign, value in _NUMERALS:
        times, number = divmod(number, value)
        numeral += sign * times
    return numeral
