"""Days as people write them."""

from __future__ import annotations

import pytest

from rabbithole.kb.notation.months import day_name


@pytest.mark.parametrize(
    ("day", "language", "said"),
    [
        ("2026-03-01", "de", "1. März 2026"),
        ("2026-03-01", "en", "1 March 2026"),
        ("2026-03", "de", "März 2026"),
        ("2016", "en", "2016"),
        ("2016-13", "en", "2016-13"),
        ("", "de", ""),
    ],
)
def test_day_name(day: str, language: str, said: str) -> None:
    assert day_name(day, language) == said
