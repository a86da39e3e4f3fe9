"""What is found by meaning, by words and by letters, and how much meaning counts where words do not match."""

from __future__ import annotations

from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kb_records import knowledge_base, record

from rabbithole.kb.search import sides as module
from rabbithole.kb.search.passages import Passages
from rabbithole.kb.search.question_words import QuestionWords, matched
from rabbithole.kb.search.sides import language_of
from rabbithole.kb.search.weights import UnmatchedWeights, reviewed
from rabbithole.kb.store.index.index_terms import plain_words, stems, stems_among

WEIGHTS = UnmatchedWeights(meaning=0.4, hits=3, low=0.2, high=0.6)


@pytest.mark.parametrize(
    ("usual", "share", "expected"),
    [
        (0.1, 1.0, 0.1),
        (0.1, 0.6, 0.1),
        (0.1, 0.4, 0.25),  # half way
        (0.1, 0.2, 0.4),
        (0.1, 0.0, 0.4),
        (0.5, 0.0, 0.5),  # never lowered
    ],
)
def test_meaning_weighs_more_where_words_do_not_match(usual: float, share: float, expected: float) -> None:
    assert WEIGHTS.raised(usual, share) == pytest.approx(expected)


def test_only_encoders_that_were_measured_weigh_more() -> None:
    assert reviewed().semantic("use-multilingual", "en", 0.0) > reviewed().semantic("use-multilingual", "en", 1.0)
    assert reviewed().semantic("another", "en", 0.0) == reviewed().meaning_otherwise
    assert reviewed().semantic("use-multilingual", "fr", 0.0) == reviewed().meaning_otherwise


@pytest.mark.parametrize(
    ("passages", "share"),
    [
        ([], 0.0),
        ([set()], 0.0),
        ([{"radar", "other"}], 0.75),
        ([{"test"}, {"radar"}], 0.75),  # the best one, not both together
        ([{"radar", "test"}], 1.0),
    ],
)
def test_the_share_of_the_words_that_a_passage_has(passages: list[set[str]], share: float) -> None:
    assert matched({"radar": 0.75, "test": 0.25}, [frozenset(one) for one in passages]) == share


def test_a_question_without_telling_words_matches_nothing() -> None:
    assert matched({}, [frozenset({"radar"})]) == 0.0


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    act = record(
        "Strahlenschutzgesetz",
        [
            ("§ 1", "Das Strahlenschutzregister wird beim Bundesamt geführt."),
            ("§ 2", "Fahrräder sind abzustellen."),
            ("§ 3", "Der Antrag ist schriftlich zu stellen."),
        ],
    )
    with knowledge_base(tmp_path_factory.mktemp("kb"), act) as opened:
        yield opened


@pytest.mark.parametrize("query", ["Antrag im Register", "Abstellplatz"], ids=["with words", "by letters alone"])
def test_two_threads_find_what_one_finds(kb, monkeypatch: pytest.MonkeyPatch, query: str) -> None:
    sides, view = kb._searcher.sides, kb._searcher.view()
    scope = view.scope((), (), (), None)
    alone = sides.all(view, scope, query, 10)
    monkeypatch.setattr(module, "_SMALL", 0)
    assert sides.all(view, scope, query, 10) == alone
    assert alone.letters
    assert alone.language == "de"
    assert sides.two(scope, query, 10) == (alone.semantic, alone.keyword)


def test_the_words_of_a_question_in_passages(kb) -> None:
    view = kb._searcher.view()
    found = kb._searcher.sides.all(view, view.scope((), (), (), None), "Wo wird der Antrag gestellt?", 10)
    passages = Passages(kb.store.catalog, view)
    asked = QuestionWords(kb.store.index, passages, "Wo wird der Antrag gestellt?", "de")
    assert asked.count == 2
    assert asked.rarity.keys() == {"antrag", "gestellt"}
    keys = [key for key, _ in found.keyword]
    assert asked.matched(keys) == pytest.approx(asked.rarity["antrag"] / sum(asked.rarity.values()))
    assert asked.stems_of([keys[0]._replace(position=99)]) == {}


@pytest.mark.parametrize("language", ["de", "en", "und"])
@given(st.text(), st.sets(st.sampled_from(["recht", "ubung", "der", "i", "strasse"])))
@example("Übungen, Straßen und İSTANBUL: 20mSv, œuvre, Ägypten; the dying skies", frozenset({"ubung", "ag", "20msv"}))
def test_looking_for_some_stems_finds_those_that_a_text_has(language: str, text: str, others: set[str]) -> None:
    every = stems(text, language)
    for wanted in (every, frozenset(others), frozenset(sorted(every)[::2]) | others):
        assert stems_among(wanted, text, language) == every & wanted


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_stem_begins_like_its_word(language: str) -> None:
    sources = files("rabbithole.kb.sample") / "sources"
    texts = [source.read_text(encoding="utf-8") for source in sources.iterdir()]
    words = {word for text in texts for word in plain_words(text) if word[0] <= "z"}
    assert len(words) > 1500
    assert all(stem[0] == word[0] for word in words for stem in stems(word, language))


def test_no_hits_have_no_language(kb) -> None:
    assert language_of(kb._searcher.view(), []) == ""
