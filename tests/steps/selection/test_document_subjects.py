"""The names that a document is about."""

from __future__ import annotations

import pytest

from rabbithole.steps.selection.units.document_subjects import document_subjects


@pytest.mark.parametrize(
    ("sentence", "times", "language", "subjects"),
    [
        ("A client of GFS asks the master.", 12, "en", ("GFS",)),
        ("A client of GFS asks the master.", 3, "en", ()),
        ("The server MUST answer; it must not wait.", 20, "en", ()),
        ("In a cluster of Raft every server votes.", 12, "en", ("Raft",)),
        ("Das Verfahren der OpenFlow-Schalter und von OpenFlow ist neu.", 12, "de", ("OpenFlow",)),
        ("Der Verein hat einen Vorstand.", 20, "de", ()),
    ],
)
def test_names_used_again_and_again(sentence: str, times: int, language: str, subjects: tuple[str, ...]) -> None:
    assert document_subjects(" ".join([sentence] * times), language) == subjects
