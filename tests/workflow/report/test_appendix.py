"""The appendix of a report: names of missing documents, and the line that counts what it holds."""

from __future__ import annotations

import pytest

from rabbithole.workflow.report.appendix import in_short
from rabbithole.workflow.report.plain_text import short_name


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Keys for All, https://example.org/keys.pdf", "Keys for All"),
        ("http://example.org/archive/", "http://example.org/archive/"),  # nothing else tells what it is
        ("Act  on Keys.", "Act on Keys"),
    ],
)
def test_a_missing_document_always_has_a_name(name: str, short: str) -> None:
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 document missing"),
        ("en", 2, "2 documents missing"),
        ("de", 1, "1 fehlendes Dokument."),
        ("de", 2, "2 fehlende Dokumente"),
    ],
)
def test_one_is_counted_as_one(language: str, count: int, said: str) -> None:
    assert said in in_short(0, 0, (), count, language)
