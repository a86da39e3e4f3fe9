"""Where a passage stands, as people read it."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.extractive.source_lines import clipped, for_people
from rabbithole.steps.reasoning.protocol import Passage


@pytest.mark.parametrize(
    ("where", "language", "shown"),
    [
        ("StrlSchG.pdf, § 78 Grenzwerte, p. 48", "de", "StrlSchG, § 78 Grenzwerte, S. 48"),
        ("ILA SG-7.pdf, 4.2 Air, flow and filters, p. iv", "en", "ILA SG-7, 4.2 Air, flow and filters, p. iv"),
        ("notes.pdf, p. 3", "de", "notes, S. 3"),
        ("notes.pdf", "de", "notes"),
    ],
)
def test_a_place_is_said_in_the_persons_language(where: str, language: str, shown: str) -> None:
    assert for_people(Passage(key="k", where=where, text=""), language) == shown


def test_a_document_has_the_name_the_collection_uses() -> None:
    item = Passage(key="k", where="strlschg_2017.pdf, § 78 Grenzwerte, p. 48", text="", name="StrlSchG")
    assert for_people(item, "de") == "StrlSchG, § 78 Grenzwerte, S. 48"


def test_a_long_name_ends_with_a_word() -> None:
    assert clipped("Lüftung von Isotopenlaboratorien: Prüfung", 40) == "Lüftung von Isotopenlaboratorien …"
    assert clipped("Lüftung", 40) == "Lüftung"
