"""Codes of figures: written with and without blanks, and told from years and amounts."""

from __future__ import annotations

import doctest

import pytest

from rabbithole.kb.notation import codes as module
from rabbithole.kb.notation.codes import as_spelled, codes, names_code, spellings


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Welche Stadt hat die Vorwahl 0441?", ("0441",)),
        ("Welche Stadt hat die Vorwahl 04 41?", ("0441",)),
        ("What changed in 2020, on 3 May, by 0.5 or 1,000?", ()),
        ("What does ISO 27001-2 or 10.1000/182 say?", ()),
        ("Which town has the postcode 26121?", ("26121",)),
        ("007 and 07 and 0441 again 0441", ("007", "0441")),
    ],
)
def test_what_is_a_code(text: str, found: tuple[str, ...]) -> None:
    assert codes(text) == found


@pytest.mark.parametrize(
    ("text", "named"),
    [("04 41 Oldenburg", True), ("0441", True), ("0 44 10 Halle", False), ("10441", False), ("04 412", False)],
)
def test_a_code_is_found_with_and_without_blanks(text: str, named: bool) -> None:
    assert names_code(text, "0441") is named


def test_every_spelling_names_its_code() -> None:
    assert "0 44 21" in spellings("04421")
    assert all(names_code(f"x {one} y", "04421") for one in spellings("04421"))
    assert all(as_spelled(one, "Is it 04421?") == "04421" for one in spellings("04421"))
