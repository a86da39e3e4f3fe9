"""Text layers whose letters are not those the page shows."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.plausibility import is_implausible, vouched_lines

GERMAN = (
    "Die Prüfung besteht aus einem schriftlichen und einem mündlichen Teil, die in der Regel innerhalb von zwei Wochen "
    "abzulegen sind. Wer aus Gründen, die er nicht zu vertreten hat, an der Teilnahme verhindert ist, kann sie "
    "nachholen. Über den Antrag entscheidet der Ausschuss, der die Gründe schriftlich mitteilt."
)
ENGLISH = (
    "The regulator may direct a person to provide the documents that are reasonably required for the performance of "
    "its duties. A person to whom such a direction is given shall comply with it within the time stated there and in "
    "the manner in which the direction describes it, unless it would be unlawful to do so."
)
TABLE = "Column Rows Bytes Pages Level Cost Index Scan Join Sort Filter Hash Merge Limit " * 4
CODE = "static int count(struct node head) return value null pointer length buffer size offset " * 4


def shifted(text: str, by: int) -> str:
    letters = string.ascii_lowercase
    return "".join(letters[(letters.index(c) + by) % 26] if c in letters else c for c in text.lower())


@pytest.mark.parametrize("text", [GERMAN, ENGLISH, TABLE, CODE, "", "ACGT GATT ACAA " * 60, "Проверка письма " * 40])
def test_text_that_can_be_read_is_left_alone(text: str) -> None:
    assert not is_implausible(text)


@pytest.mark.parametrize("by", range(1, 26))
@pytest.mark.parametrize("text", [GERMAN, ENGLISH])
def test_other_letters_than_the_page_shows_are_noticed(text: str, by: int) -> None:
    assert is_implausible(shifted(text, by))


@given(st.text(max_size=400))
def test_any_text_is_judged(text: str) -> None:
    assert is_implausible(text) in (True, False)


def lines_of(font: str, text: str, page: int) -> list[TextLine]:
    return [TextLine(page, row, 70, 90, 300, 102, 100, font=font) for row in text.split(". ")]


def test_a_table_in_a_font_that_is_right_elsewhere_is_kept() -> None:
    """The letters of a page of codes are as unlike prose as those of a wrong font; its font tells them apart."""
    codes = lines_of("Typewriter", shifted(ENGLISH, 7), 1)
    page, prose = {"Typewriter": frozenset({12})}, lines_of("Typewriter", ENGLISH, 0)
    assert vouched_lines(codes, page, [(prose, page)]) == codes
    assert vouched_lines(codes, page, [(prose, {"Typewriter": frozenset({13})})]) == []
    assert vouched_lines(codes, page, [(lines_of("Typewriter", shifted(ENGLISH, 7), 0), page)]) == []
    assert vouched_lines(codes, page, []) == []
    other = lines_of("Sans", shifted(GERMAN, 3), 1)
    both = page | {"Sans": frozenset({14})}
    assert vouched_lines([*codes, *other], both, [(prose, page)]) == codes
