"""Fixed sentences in the languages of reports."""

from __future__ import annotations

import pytest

from rabbithole.steps.phrases import LOCALES, counted, phrases


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 task"),
        ("en", 2, "2 tasks"),
        ("de", 1, "1 Aufgabe"),
        ("de", 3, "3 Aufgaben"),
    ],
)
def test_one_thing_has_a_phrase_of_its_own(language, count, said):
    assert counted(language, "report.appendix.count_tasks", count) == said


@pytest.mark.parametrize("language", [path.stem for path in LOCALES.glob("*.json")])
def test_a_phrase_for_one_thing_stands_beside_that_for_several(language):
    keys = phrases(language)
    assert [key for key in keys if key.endswith(".one") and key.removesuffix(".one") not in keys] == []
