"""Determines page labels as printed, from the numbers in running headers and footers, else by counting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_NAMED = re.compile(r"(?:\b(?:page|seite|p\.|s\.)\s*|\[page\s*)(\d{1,4})\b", re.IGNORECASE)
_LONE = re.compile(r"^[\[(\s–—|-]*(\d{1,4})[\])\s–—|-]*$|^(\d{1,4})\s{2,}\S|\S\s{2,}(\d{1,4})$")
_EDGE = re.compile(r"^(\d{1,5})\b|\b(\d{1,5})$")
_ROMAN = re.compile(r"^[\s–—|-]*([ivxl]{1,6})[\s–—|-]*$", re.IGNORECASE)
MIN_SHARE = 0.5
_UTF16 = re.compile(r"<FEFF((?:[0-9A-F]{4})*)>", re.IGNORECASE)


def decoded(label: str) -> str:
    """Return a page label as text: PyMuPDF gives a prefix in UTF-16 as its hexadecimal digits, "<FEFF0037>" for "7"."""
    return _UTF16.sub(lambda found: bytes.fromhex(found[1]).decode("utf-16-be", "replace"), label)


def printed_labels(edges: Sequence[Sequence[str]]) -> list[str]:
    """Return a label for each page from its running lines; count from 1 if the numbers are not consistent.

    A number counts as a page number if most numbered pages have the same difference to their index.
    """
    shifts: Counter[int] = Counter()
    for index, texts in enumerate(edges):
        shifts.update({number - index for number in _numbers(texts)})
    pages = len(edges)
    counted = [str(index + 1) for index in range(pages)]
    if not shifts:
        return counted
    shift, support = shifts.most_common(1)[0]
    with_numbers = sum(1 for texts in edges if _numbers(texts))
    if support < 2 or support < MIN_SHARE * max(with_numbers, pages / 3):
        return counted
    first = next(index for index, texts in enumerate(edges) if index + shift in _numbers(texts))
    labels = []
    for index, texts in enumerate(edges):
        roman = next((match.group(1).lower() for text in texts if (match := _ROMAN.match(text))), None)
        if index < first and roman:
            labels.append(roman)
        elif index + shift > 0:
            labels.append(str(index + shift))
        else:
            labels.append(str(index + 1))
    return labels


def _numbers(texts: Sequence[str]) -> set[int]:
    found: set[int] = set()
    for text in texts:
        for pattern in (_NAMED, _LONE, _EDGE):
            found.update(int(group) for match in pattern.finditer(text) for group in match.groups() if group)
    return found
