"""Checks that heading numbers follow from those before them."""

from __future__ import annotations

import re

from rabbithole.kb.ingest.numbers.numbering import Numbered
from rabbithole.kb.notation.roman import from_roman

_CODES_LEFT_OUT = 4
"""Largest step from one code to the next: withdrawn ones in between are not printed."""


class Sequencer:
    """Accepts a number only if it can follow from the numbers accepted before."""

    def __init__(self) -> None:
        self._decimal: tuple[str, ...] = ()
        self._section = 0
        self._series: dict[str, int] = {}
        self._codes: dict[str, int] = {}
        self._may_begin_anew = False
        self._outer: tuple[str, ...] = ()
        self._may_be_included = False

    def may_begin_anew(self) -> None:
        """Accept chapter 1 once more: the numbers before the contents may be those of a preface."""
        self._may_begin_anew = True

    def may_be_included(self) -> None:
        """Accept chapter 1 once more, where the abstract of a document inside this one was read."""
        self._may_be_included = bool(self._decimal)

    def accepts(
        self,
        numbered: Numbered,
        *,
        strong: bool,
        large: bool = False,
        alike: bool = False,
        following: tuple[str, ...] = (),
    ) -> bool:
        """Return whether the number may come next, and if so remember it.

        ``strong``: the line is set apart from the text. ``large``: its letters are larger, so that gaps are accepted.
        ``alike``: it looks like the heading of an abstract before. ``following``: the parts of the next number with
        several that may be a heading.
        """
        if self._may_be_included and alike and numbered.unit == "decimal" and numbered.number == "1":
            self._outer, self._decimal = self._decimal, ("1",)
            self._may_be_included = False
            return True
        if numbered.unit == "decimal":
            number = tuple(numbered.number.split("."))
            if self._interrupts(number, following):
                return False
            return self._accept_decimal(number, strong=strong, large=large)
        if numbered.unit == "§":
            digits = re.search(r"\d+", numbered.number)
            value = int(digits.group()) if digits else 0
            if not strong and self._section and not self._section <= value <= self._section + 30:
                return False
            self._section = value
        if numbered.unit == "code":
            return strong and self._accept_code(numbered.number)
        if numbered.unit in ("roman", "letter"):
            return strong and self._accept_series(numbered)
        return True

    def _interrupts(self, number: tuple[str, ...], following: tuple[str, ...]) -> bool:
        """Return whether 5 is no chapter but an item of a list, because 4.4.1.7 follows it and 4.4.1.6 came before."""
        last = self._decimal
        inside = len(number) == 1 and len(last) > 1 and all(part.isdigit() for part in (*number, *last, *following))
        if not inside or number[0] == last[0] or following[:1] != last[:1]:
            return False
        return [int(part) for part in following] > [int(part) for part in last]

    def _accept_code(self, number: str) -> bool:
        """Accept AC-1, AC-2, AU-1: codes with the same prefix count up from the first."""
        lead = number.rstrip("0123456789")
        value = int(number[len(lead) :])
        if 1 <= value - self._codes.get(lead, 0) <= _CODES_LEFT_OUT:
            self._codes[lead] = value
            return True
        return False

    def _accept_series(self, numbered: Numbered) -> bool:
        """Accept I, II, III or A, B, C in order from the first."""
        value = from_roman(numbered.number) if numbered.unit == "roman" else ord(numbered.number[0]) - ord("A") + 1
        last = self._series.get(numbered.unit, 0)
        skips = 3 if last or self._decimal else 1
        if 1 <= value - last <= skips or (value == 1 and last):
            self._series[numbered.unit] = value
            self._decimal, self._outer = self._outer or self._decimal, ()  # the document inside ends
            self._may_be_included = False
            return True
        return False

    def _accept_decimal(self, number: tuple[str, ...], *, strong: bool, large: bool) -> bool:
        last = self._decimal
        ok = False
        if not number[0].isdigit():
            ok = len(number) >= 2
        elif len(number) > 1 and number[:-1] == last[: len(number) - 1] and len(number) - 1 == len(last):
            ok = int(number[-1]) <= (3 if strong else 1)
        else:
            shared = last[: len(number)]
            if len(number) <= len(last) and number[:-1] == shared[:-1] and shared[-1].isdigit():
                step = int(number[-1]) - int(shared[-1])
                ok = 1 <= step <= (4 if strong else 2)
            elif len(number) == 1:
                ok = (not last or (not last[0].isdigit() and strong)) and int(number[0]) <= (4 if strong else 1)
            elif strong and last and last[0].isdigit():
                ok = int(number[0]) in (int(last[0]), int(last[0]) + 1)
            elif not last:
                ok = strong or number == ("1", "1")
        if not ok and strong and self._may_begin_anew:
            ok = number == ("1",)
        if not ok and large and len(number) > 1 and all(part.isdigit() for part in (*number, *last)):
            ok = [int(part) for part in number] > [int(part) for part in last]  # an excerpt may skip numbers
        if ok:
            self._decimal = number
            self._may_begin_anew = False
        return ok
