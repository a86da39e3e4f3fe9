"""Footnotes: their numbers are raised where the text calls them, and each is a paragraph."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.page.hyphenation import Hyphens
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.notes.footnotes import mark_notes, raised
from rabbithole.kb.ingest.page.paragraphs import assemble


def line(text: str, top: float, size: float = 10.0, *, note: bool = False) -> TextLine:
    return TextLine(0, text, 70, top, 300, top + size, top + size, size=size, note=note)


@pytest.mark.parametrize(
    ("body", "notes", "shown"),
    [
        ("The fee³ is due.⁴", ["3 It is small.", "4See RFC 20."], ["³ It is small.", "⁴ See RFC 20."]),
        ("The fee³ is due.", ["3) It is small."], ["³ It is small."]),
        ("The fee is due.", ["3 members meet."], ["3 members meet."]),  # nothing calls a note of that number
        ("The fee³ is due.⁴", ["4 See RFC 20.", "3 of them."], ["⁴ See RFC 20.", "3 of them."]),
        ("It takes 10⁻³ s.", ["3 It is small."], ["3 It is small."]),
        ("The fee¹² is due.", ["1 It is small."], ["1 It is small."]),
    ],
)
def test_numbers_of_notes_are_raised_if_the_text_calls_them(body: str, notes: list[str], shown: list[str]) -> None:
    page = [line(body, 100), *(line(text, 700 + 10 * at, 8.0, note=True) for at, text in enumerate(notes))]
    assert [one.text for one in raised([page])[0][1:]] == shown


def test_a_note_may_stand_on_the_page_behind_the_text_that_calls_it() -> None:
    note = [line("3 It is small.", 700, 8.0, note=True)]
    assert raised([[line("The fee³ is due.", 100)], note])[1][0].text == "³ It is small."
    assert raised([[line("The fee³ is due.", 100)], [], note])[2][0].text == "3 It is small."


def test_a_note_is_a_paragraph_though_the_one_before_ends_without_a_full_stop() -> None:
    page = [line("The fee³ is due.⁴", 100), line("3 See RFC 20 (small fees)", 700, 8.0), line("4 It is paid", 709, 8.0)]
    (lines,) = raised([mark_notes(page, 10.0, 842)])
    text = assemble(lines, 1, set(), Hyphens(one.text for one in lines)).text
    assert text.splitlines() == ["The fee³ is due.⁴", "³ See RFC 20 (small fees)", "⁴ It is paid"]
