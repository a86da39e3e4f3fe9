"""Fiscal years in questions: written out as reports do, and compared with the years that a passage names."""

from __future__ import annotations

import pytest

from rabbithole.kb.search.derived_figures import figures
from rabbithole.kb.search.fiscal_years import is_fiscal, is_of_year, written_out, years_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the FY2022 capex", "the fiscal year 2022 capex"),
        ("in FY22 and FY 21", "in fiscal year 2022 and fiscal year 2021"),
        ("Umsatz GJ 2023", "Umsatz Geschäftsjahr 2023"),
        ("the FYI page, fy2022 and FY123", "the FYI page, fy2022 and FY123"),
    ],
)
def test_short_forms_are_written_out(text, expected):
    assert written_out(text) == expected


def test_years_are_no_other_figures():
    assert years_in("31.12.2023, FY21, 2,022 units and January 28, 2022") == ("2023", "2021", "2022")
    assert [is_fiscal(text) for text in ("in fiscal 2021", "in 2021")] == [True, False]


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What was capex in 2018?", "Capex was 5 in 2022.", False),
        ("What was capex in 2022?", "Capex was 5 in 2022.", True),
        ("What was capex for FY2022?", "Fiscal year ended January 28, 2023: 5", True),
        ("What was capex in 2018?", "Capex was 5.", True),  # it may be of any year
        ("Wie hoch war der Umsatz im Jahr 2021?", "Umsatz 2023: 4", False),
        ("What does the Act of 12 May 2018 say?", "It was changed in 2022.", True),  # no year that is reported on
    ],
)
def test_a_passage_about_another_year_is_told(question, text, expected):
    assert is_of_year(question, text) == expected


def test_a_short_name_of_a_figure_is_a_whole_word():
    assert "eps" in figures("What was diluted EPS?")
    assert not figures("Which epsilon is used?")
    assert figures("How much was spent on the buyback?")["buyback"][0] == "repurchases of common stock"
