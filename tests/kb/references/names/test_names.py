"""Names in running text: inflected forms, word boundaries, the longest name."""

from __future__ import annotations

import pytest

from rabbithole.kb.references.names.name_index import NameIndex, default_index, inflect


def targets(index: NameIndex, text: str) -> list[str]:
    return [hit.canonical for _, hit in sorted(index.hits(text).items())]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Atomgesetz", "Atomgesetzes"),
        ("Strahlenschutzverordnung", "Strahlenschutzverordnung"),
        ("Bürgerliches Gesetzbuch", "Bürgerlichen Gesetzbuchs"),
        ("Bürgerliches Gesetzbuch", "Bürgerlichen Gesetzbuches"),
        ("Europäische Menschenrechtskonvention", "Europäischen Menschenrechtskonvention"),
        ("Fünftes Buch Sozialgesetzbuch", "Fünften Buches Sozialgesetzbuch"),
        ("Gesetz über Ordnungswidrigkeiten", "Gesetzes über Ordnungswidrigkeiten"),
    ],
)
def test_inflected_forms(name: str, form: str) -> None:
    assert form in inflect(name)


def test_names_need_word_boundaries() -> None:
    index = NameIndex([("KTA 1401", "KTA 1401")], known_laws=False)
    assert targets(index, "nach KTA 1401.") == ["KTA 1401"]
    assert targets(index, "nach KTA 14012 und XKTA 1401") == []


def test_longest_name_wins_and_own_names_come_before_known_ones() -> None:
    index = NameIndex([("AtG", "Atomgesetz (Ausgabe 2020)"), ("AtG Kommentar", "Kommentar")])
    assert targets(index, "Der AtG Kommentar") == ["Kommentar"]
    assert targets(index, "Das AtG gilt") == ["Atomgesetz (Ausgabe 2020)"]


def test_known_laws_by_abbreviation_short_and_long_name() -> None:
    index = default_index()
    assert index.canonical("StrlSchG") == "StrlSchG"
    assert index.canonical("Strahlenschutzgesetzes") == "StrlSchG"
    assert index.canonical("Fünften Buches Sozialgesetzbuch") == "SGB V"
    assert index.canonical("Grundgesetzes") == "GG"
    assert index.canonical("Hausordnung") is None
