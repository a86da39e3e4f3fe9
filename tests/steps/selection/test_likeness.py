"""Words of like meaning, with the embedded encoder."""

from __future__ import annotations

import pytest

from rabbithole.kb.store.encoders.multilingual import MultilingualEncoder
from rabbithole.steps.reasoning.text.vector_cache import VectorCache
from rabbithole.steps.selection.likeness import alike, surfaces
from rabbithole.steps.selection.matching import Matcher


@pytest.fixture(scope="module")
def vectors() -> VectorCache:
    return VectorCache(MultilingualEncoder().embed, 1000)


@pytest.mark.parametrize(
    ("asked", "term", "said", "stem", "language"),
    [
        ("employees", "employe", "Staff must sign.", "staff", "en"),
        ("failure", "failur", "Candidates who failed", "fail", "en"),
        ("Bußgeld", "bussgeld", "Die Geldbuße beträgt", "geldbuss", "de"),
        ("repeat", "repeat", "Die Wiederholung ist möglich", "wiederhol", "de"),
        ("Kontrolleur", "kontrolleur", "Der Prüfer sieht nach.", "pruf", "de"),  # by the thesaurus
    ],
)
def test_words_of_like_meaning_meet(
    vectors: VectorCache, asked: str, term: str, said: str, stem: str, language: str
) -> None:
    assert alike(vectors, asked, [term], [said], language)[stem][term] > 0.2


@pytest.mark.parametrize(("asked", "term", "said"), [("fee", "fee", "A banana is ripe."), ("car", "car", "The door.")])
def test_words_of_other_meaning_do_not(vectors: VectorCache, asked: str, term: str, said: str) -> None:
    assert alike(vectors, asked, [term], [said], "en") == {}


def test_figures_and_scraps_have_no_meaning_here(vectors: VectorCache) -> None:
    assert alike(vectors, "AAL2 in 2019", ["2019", "in"], ["2020 of it"], "en") == {}


def test_the_shortest_word_stands_for_a_stem() -> None:
    assert surfaces(["Prüfungen, Prüfung"], "de") == {"prufung": "Prüfung"}


def test_a_like_word_counts_less_than_the_word_itself(vectors: VectorCache) -> None:
    matcher = Matcher({"staff": 1.0}, alike(vectors, "staff", ["staff"], ["employees"], "en"))
    assert 0 < matcher.coverage(matcher.strengths(["employe"])) < matcher.coverage(matcher.strengths(["staff"])) == 1
