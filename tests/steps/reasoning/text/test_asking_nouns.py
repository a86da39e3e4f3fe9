"""Nouns that are never the matter of a question."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.text.asking_nouns import only_asks


@pytest.mark.parametrize(
    ("term", "only"),
    [
        ("Teil", True),
        ("Betrag", True),
        ("Leuten", True),
        ("Leute", True),
        ("Sachen", True),
        ("people", True),
        ("Leutnant", False),
        ("Zeit", True),
        ("Punkte", True),
        ("Herbst", True),
        ("Mai", True),
        ("Anzahl Fälle", True),
        ("amount", True),
        ("May", True),
        ("autumn", True),
        ("Leistungspunkte", False),
        ("Teilnahme", False),
        ("Zeitung", False),
        ("Artikel", False),
        ("Marsch", False),
        ("Betrag der Miete", False),
        ("party", False),
        ("Saarbrücken", False),
    ],
)
def test_whether_a_noun_only_asks(term: str, only: bool) -> None:
    assert only_asks(term) is only
