"""What a text counts, in digits or words."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.text.figures import counted, numbers, without_figures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18 Millisievert im Kalenderjahr", {("18", "millisievert")}),
        ("zehn Jahre", {("10", "year")}),
        ("in 10 years", {("10", "year")}),
        ("einem Betrieb, ein Jahr", {("1", "year")}),
        ("5 % oder 7 Prozent", {("5", "%"), ("7", "%")}),
        ("10.000 Bq und 10 000 Bq", {("10000", "bq")}),
        ("2,5 mSv", {("2.5", "msv")}),
        ("§ 12 Absatz 3, Tabelle 4, Article 7, Figure 2 und Anlage 5", set()),
        ("20 The concept is employed because there are 3 of them.", set()),  # a footnote
        ("10 bis 20 Meter", {("20", "meter")}),
        ("", set()),
    ],
)
def test_what_is_counted(text: str, expected: set[tuple[str, str]]) -> None:
    assert counted(text) == expected


def test_numbers_in_digits_and_a_text_without_figures() -> None:
    assert numbers("Nach § 12 gelten 2,5 mSv.") == {"12", "2,5"}
    assert without_figures("zehn Jahre nach § 12") == "# Jahre nach § #"
