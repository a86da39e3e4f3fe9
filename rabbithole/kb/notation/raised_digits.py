"""Raised digits, as the numbers of footnotes have: "fee³"."""

from __future__ import annotations

from typing import Final

RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLAIN: Final = "0123456789"
_TO_RAISED: Final = str.maketrans(_PLAIN, RAISED)
_TO_PLAIN: Final = str.maketrans(RAISED, _PLAIN)


def raised_digits(text: str) -> str:
    """Return a text with its digits raised; other letters stay.

    >>> raised_digits("12a")
    '¹²a'
    """
    return text.translate(_TO_RAISED)


def plain_digits(text: str) -> str:
    """Return a text with raised digits as plain ones.

    >>> plain_digits("¹²")
    '12'
    """
    return text.translate(_TO_PLAIN)
