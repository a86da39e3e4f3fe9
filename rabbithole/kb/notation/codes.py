"""Codes of figures such as area codes and postcodes, which are written with and without blanks: "0441", "04 41".

A code is a number that begins with a zero, or has five figures or more. Years and small numbers are none.
"""

from __future__ import annotations

import re

_LEAST, _MOST = 3, 12
_LONG = 5
_GROUPS = (2, 3)
_FIGURES = re.compile(r"(?<![\w.,/-])\d+(?: \d+)*(?![\w/-]|[.,]\d)")


def codes(text: str) -> tuple[str, ...]:
    """Return the codes that a text names, without blanks, each once.

    >>> codes("Which town has the area code 0441, and 0 44 21 in 2020? Is 26121 its postcode, or 26 000?")
    ('0441', '04421', '26121', '26000')
    """
    found = (number[0].replace(" ", "") for number in _FIGURES.finditer(text))
    return tuple(dict.fromkeys(one for one in found if _is_code(one)))


def _is_code(figures: str) -> bool:
    return _LEAST <= len(figures) <= _MOST and (figures[0] == "0" or len(figures) >= _LONG)


def spellings(code: str) -> tuple[str, ...]:
    """Return a code as it may be written with blanks: in groups of two and three figures, after one to four.

    >>> spellings("0441")
    ('04 41', '0 441')
    """
    found = (f"{code[:first]} {rest}" for first in (2, 3, 1, 4) for rest in _grouped(code[first:]))
    return tuple(dict.fromkeys(found))


def _grouped(figures: str) -> list[str]:
    whole = [figures] if len(figures) in _GROUPS else []
    sizes = [size for size in _GROUPS if size < len(figures)]
    return whole + [f"{figures[:size]} {rest}" for size in sizes for rest in _grouped(figures[size:])]


def names_code(text: str, code: str) -> bool:
    """Return whether a text has a code, with or without blanks, and not as a part of a longer number.

    >>> names_code("04 41 Oldenburg", "0441"), names_code("0 44 12 Lohne", "0441"), names_code("(0441) 55", "0441")
    (True, False, True)
    """
    return _pattern(code).search(text) is not None


def as_spelled(text: str, question: str) -> str:
    """Return a text in which the codes that a question names are written as there.

    >>> as_spelled("04 41 Oldenburg, 0 44 01 Brake", "Where is 0441?"), as_spelled("0441 Oldenburg", "Where is 04 41?")
    ('0441 Oldenburg, 0 44 01 Brake', '04 41 Oldenburg')
    """
    for number in _FIGURES.finditer(question):
        code = number[0].replace(" ", "")
        if _is_code(code):
            text = _pattern(code).sub(number[0], text)
    return text


def _pattern(code: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\d)(?<!\d ){' ?'.join(code)}(?!\d)(?! \d{{1,2}}\b)")
