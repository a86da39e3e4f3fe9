"""Where paragraphs and items of lists begin among the lines of a page."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.page.hyphenation import Hyphens
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.paragraphs import assemble

Row = tuple[str, float, float]
"""The text of a line, where it begins and where it ends."""


def text_of(rows: list[Row], pitch: float = 12.0, further: dict[int, float] | None = None) -> list[str]:
    """Return the paragraphs of one column; ``further`` are additional distances above lines, by index."""
    lines, base = [], 100.0
    for index, (text, left, right) in enumerate(rows):
        base += pitch + (further or {}).get(index, 0.0)
        lines.append(TextLine(0, text, left, base - 9, right, base + 1, base))
    return assemble(lines, 1, set(), Hyphens(text for text, *_ in rows)).text.splitlines()


FULL: list[Row] = [(f"A line of a justified column with number {number} and", 50.0, 290.0) for number in range(8)]


def test_a_caption_over_both_columns_does_not_make_the_lines_of_one_short() -> None:
    rows = [("Figure 1 is a wide caption that runs over both of the columns.", 50.0, 500.0), *FULL]
    rows += [("each copy is kept as a plain", 50.0, 290.0), ("Linux file on a server.", 50.0, 160.0)]
    assert text_of(rows)[-1].endswith("and each copy is kept as a plain Linux file on a server.")


def test_lines_flush_right_are_not_full() -> None:
    rows: list[Row] = [(text, 500.0 - 6 * len(text), 500.0) for text in ("Ada Doe", "Division of Fees") * 6]
    found = text_of([("A title as wide as the page and more than that", 50.0, 750.0), *rows])
    assert found[1:] == [text for text, *_ in rows[1:]]


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("The interval is almost unchanged, despite", "these 10x changes.", True),
        ("The interval is almost unchanged.", "these 10x changes.", False),
        ("The interval is almost unchanged, despite", "These changes are small.", False),
    ],
)
def test_a_sentence_goes_on_in_a_line_that_raised_letters_push_down(before: str, after: str, joined: bool) -> None:
    rows = [*FULL, (before, 50.0, 290.0), (after, 50.0, 290.0)]
    found = text_of(rows, further={9: 2.0})
    assert (f"{before} {after}" in found[-1]) is joined


@pytest.mark.parametrize(
    ("rows", "items"),
    [
        ([("– parts of words", 60.0, 200.0), ("– Changes of colours", 60.0, 180.0)], 2),
        ([("– parts of words that go", 60.0, 290.0), ("– on after a dash – here", 70.0, 290.0)], 1),
        ([("g. It may ask again.", 60.0, 290.0), ("h. It may not ask twice.", 60.0, 290.0)], 2),
        ([("of it again; and", 80.0, 180.0), ("h. It may not ask twice.", 60.0, 290.0)], 2),
        ([("within the meaning,", 60.0, 290.0), ("i. V. m. Number 3", 60.0, 290.0)], 1),
        ([("2. Validation", 60.0, 130.0), ("a. The office asks.", 80.0, 290.0)], 2),
    ],
)
def test_items_are_paragraphs_of_their_own(rows: list[Row], items: int) -> None:
    assert len(text_of([*FULL, ("and an end.", 50.0, 100.0), *rows])) == items + 1


def test_a_caption_at_the_head_of_a_column_ends_the_sentence_before() -> None:
    lines = [TextLine(0, "the files that were read by the", 50, 700, 290, 711, 710)]
    lines.append(TextLine(0, "Table 3: Names of files", 320, 100, 500, 111, 110, column=1))
    text = assemble(lines, 1, set(), Hyphens(line.text for line in lines)).text
    assert text.splitlines() == [line.text for line in lines]


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (["replace: true", "version: 1.2", "directory: foo"], 3),
        (["$ kinit user", "Password for user@EXAMPLE.COM"], 2),
        (["ATHENA.MIT.EDU = {", "kdc = kerberos.mit.edu", "}"], 3),
        (["under the terms of the licence as published by", "the foundation, or any later version"], 1),
    ],
)
def test_lines_of_programs_and_settings_stay_apart(rows: list[str], kept: int) -> None:
    lines = [
        TextLine(0, text, left, 100 + 12 * at, right, 111 + 12 * at, 110 + 12 * at)
        for at, (text, left, right) in enumerate(FULL)
    ]
    base = lines[-1].base
    for at, text in enumerate(rows, 2):
        y = base + 12 * at
        lines.append(TextLine(0, text, 70, y - 9, 70 + 4.0 * len(text), y + 1, y, mono=True))
    found = assemble(lines, 1, set(), Hyphens(line.text for line in lines)).text.splitlines()
    assert len(found) == 1 + kept
