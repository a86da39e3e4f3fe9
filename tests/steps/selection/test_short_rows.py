"""Of a list of keywords, the item with the question's word is meant, not the one that scores like a sentence."""

from __future__ import annotations

import pytest

from rabbithole.steps.selection.sentence_rows import Row
from rabbithole.steps.selection.short_rows import wordless

NEEDS = ("64-bit operating system", "Core 2 Duo processor", "8 GB of memory", "A card of 1 GB")
TERMS = {"memori": 1.0, "recommend": 0.4}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (NEEDS, [True, True, False, True]),
        (NEEDS[:2], [False, False]),
        ((*NEEDS[:2], "A mouse"), [False] * 3),
        ((*NEEDS, "A computer that has been bought in the last five years is fast enough."), [False] * 5),
        ((), []),
    ],
)
def test_items_without_the_word(texts: tuple[str, ...], expected: list[bool]) -> None:
    assert wordless([Row(0, 0, len(text), text) for text in texts], TERMS, "en") == expected


def test_each_list_is_looked_at_by_itself() -> None:
    rows = [Row(at, 0, 9, text) for at in (0, 1) for text in (NEEDS if at else NEEDS[:2] + NEEDS[3:])]
    assert wordless(rows, TERMS, "en") == [False, False, False, True, True, False, True]
