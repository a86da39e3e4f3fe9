"""German words that stand in no document are also searched by their synonyms."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.search.thesaurus.pack_german import group, meanings
from rabbithole.kb.search.thesaurus.thesaurus import Thesaurus, german, is_cased, synonyms

GROUPS = [
    ("Entgelt", "Gehalt", "Lohn"),
    ("lohnen", "rentieren"),
    ("Selbstmord", "Selbsttötung", "Suizid"),
    ("Laden", "Geschäft"),
    ("Chef", "Vorgesetzter"),
    ("Ende", "Schluss"),
    ("Folgerung", "Schluss"),
    ("Schluss", "Zusammenfassung"),
]


@pytest.mark.parametrize(
    ("word", "cased", "expected"),
    [
        ("Lohn", True, ("Entgelt", "Gehalt")),
        ("lohnen", True, ("rentieren",)),
        ("lohn", False, ("Entgelt", "Gehalt", "rentieren")),
        ("Löhne", True, ("Entgelt", "Gehalt")),
        ("Selbstmords", True, ("Selbsttötung", "Suizid")),
        ("Käse", True, ()),
        ("Schluss", True, ()),  # of many meanings
        ("Ende", True, ("Schluss",)),
        ("der", True, ()),
    ],
)
def test_a_word_in_any_form_has_the_synonyms_of_its_kind(word: str, cased: bool, expected: tuple[str, ...]) -> None:
    assert Thesaurus(GROUPS).words(word, cased=cased) == expected


@pytest.mark.parametrize(
    ("query", "chunks_with", "expected"),
    [
        ("Zahlt sie bei Selbstmord?", {"selbsttötung": 1}, {"Selbstmord": ("Selbsttötung",)}),
        ("Zahlt sie bei Selbstmord?", {"suizid": 2, "selbsttötung": 1}, {"Selbstmord": ("Suizid", "Selbsttötung")}),
        ("Zahlt sie bei Selbstmord?", {"selbstmord": 1, "selbsttötung": 1}, {}),  # it stands itself
        ("Zahlt sie bei Selbstmord?", {"selbsttötung": 50}, {}),  # so common that it tells nothing
        ("wie viel lohn gibt es?", {"gehalt": 1, "rentieren": 1}, {"lohn": ("Gehalt", "rentieren")}),
        ("Wie viel Lohn gibt es?", {"gehalt": 1, "rentieren": 1}, {"Lohn": ("Gehalt",)}),
        ("Does it pay for the lohn of a boss?", {"gehalt": 1}, {}),  # the question is in English
        ("Was heißt „the Lohn of the boss“?", {"gehalt": 1}, {"Lohn": ("Gehalt",)}),
        ("", {}, {}),
    ],
)
def test_only_words_that_stand_nowhere_get_synonyms_and_only_such_that_stand(
    query: str, chunks_with: Mapping[str, int], expected: Mapping[str, tuple[str, ...]]
) -> None:
    assert synonyms(query, lambda: Thesaurus(GROUPS), lambda word: chunks_with.get(word, 0), 100) == expected


@pytest.mark.parametrize(
    ("word", "query", "expected"),
    [
        ("Lohn", "Wie viel Lohn?", True),
        ("lohn", "wie viel lohn?", False),
        ("Zahlt", "Zahlt der Chef?", False),
        ("zahlt", "Was zahlt der Chef?", True),
    ],
)
def test_a_capital_tells_a_noun_only_within_a_sentence_that_has_some(word: str, query: str, expected: bool) -> None:
    assert is_cased(word, query) is expected


def test_the_thesaurus_of_the_package_knows_everyday_words() -> None:
    assert "Selbsttötung" in german().words("Selbstmord")
    assert "Windenergieanlage" in german().words("Windrädern")
    assert "Vorgesetzter" in german().words("Boss")


def test_a_file_in_the_mythes_format_becomes_groups() -> None:
    lines = ["UTF-8", "boss|2", "-|Boss (ugs.)|Chef|großer Meister|Leiter (Oberbegriff)", "-|Alter|Boss", "chef|0"]
    assert [group(one) for one in meanings(lines)] == [("Boss", "Chef"), ("Alter", "Boss")]


@pytest.mark.parametrize(("language", "found"), [("de", True), ("en", False)])
def test_search_finds_a_german_passage_by_another_word(tmp_path, language: str, found: bool) -> None:
    sections = [("1", "Bei Selbsttötung besteht kein Anspruch."), ("2", "Die Prämie ist am Monatsersten fällig.")]
    sections += [(str(number), f"Regelung Nummer {number} zur Verwaltung.") for number in range(3, 60)]
    with knowledge_base(tmp_path, record("Bedingungen", sections, language=language)) as kb:
        assert kb.synonyms("Zahlt sie bei Selbstmord?") == ({"Selbstmord": ("Selbsttötung",)} if found else {})
        hits = kb.search("Selbstmord", mode="hybrid").hits
        assert any("Selbsttötung" in hit.chunk.text and "keyword" in hit.scores for hit in hits) is found
        assert not kb.search("Selbstmord", mode="keyword").hits
