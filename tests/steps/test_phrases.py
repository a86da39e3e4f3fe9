"""Counting in fixed sentences: one is one, in both languages."""

from __future__ import annotations

import pytest

from rabbithole.steps.phrases import phrases, share


@pytest.mark.parametrize(
    ("language", "part", "whole", "said"),
    [
        ("en", 1, 1, "the question is answered without reservation"),
        ("en", 1, 3, "1 of 3 parts of the question is answered without reservation"),
        ("en", 3, 3, "3 of 3 parts of the question are answered without reservation"),
        ("de", 1, 1, "die Frage ist ohne Vorbehalt beantwortet"),
        ("de", 1, 2, "1 von 2 Teilen der Frage ist ohne Vorbehalt beantwortet"),
        ("de", 2, 2, "2 von 2 Teilen der Frage sind ohne Vorbehalt beantwortet"),
    ],
)
def test_a_share_agrees_with_its_number(language: str, part: int, whole: int, said: str) -> None:
    assert share(language, "report.checks.parts", part, whole) == said


def test_both_languages_have_the_same_phrases() -> None:
    assert phrases("de").keys() == phrases("en").keys()
