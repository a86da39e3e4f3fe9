"""A question whose words stand nowhere gets one sentence; one in everyday words is searched all the same."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.question.indexed_words import judged, telling, with_synonyms
from rabbithole.steps.question.models import AbsentWord, Strange
from rabbithole.steps.response import respond, response_markdown
from rabbithole.steps.response.said_first import said_first, said_last

NOTHING = "Kein Wort der Frage kommt in den Dokumenten vor. Vielleicht heißt es dort anders."
CLUB = record(
    "Satzung",
    [
        ("1", "Der Austritt aus dem Verein ist dem Vorstand schriftlich zu erklären."),
        ("2", "Der Beitrag beträgt 20 Euro im Jahr."),
        ("3", "Der Verein hat seinen Sitz in Quarzberg."),
    ],
)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({}, None),
        ({"asdf": 0}, Strange(words=1)),
        ({"singt": 0, "käse": 0, "mittwochs": 0}, Strange(words=3)),
        ({"singt": 0, "käse": 1, "mittwochs": 0, "rückwärts": 0}, None),
        ({"singt": 0, "käse": 0, "mittwochs": 0, "welt": 5}, Strange(words=4, only="welt")),
        ({"singt": 0, "käse": 0, "welt": 50}, None),
        ({"singt": 0, "käse": 0, "mittwochs": 0, "welt": 50, "verein": 1}, None),
    ],
)
def test_which_questions_are_strange(found: Mapping[str, int], expected: Strange | None) -> None:
    assert judged(found, 100) == expected


@pytest.mark.parametrize(
    ("found", "others", "expected"),
    [
        ({"Boss": 0, "rausschmeißen": 0}, {"Boss": 2, "rausschmeißen": 4}, {"Boss": 2, "rausschmeißen": 4}),
        ({"Boss": 0, "Verein": 1}, {"Boss": 2}, {"Boss": 2, "Verein": 1}),
        ({"singt": 0, "Käse": 0, "rückwärts": 0, "blaue": 0}, {"singt": 2, "rückwärts": 1}, {"singt": 0}),
        ({"asdf": 0}, {}, {"asdf": 0}),
    ],
)
def test_synonyms_count_if_most_words_stand_by_them(
    found: Mapping[str, int], others: Mapping[str, int], expected: Mapping[str, int]
) -> None:
    assert with_synonyms(found, others).items() >= expected.items()


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    with knowledge_base(tmp_path_factory.mktemp("kb"), CLUB) as opened:
        yield opened


@pytest.mark.parametrize(
    "query",
    ["asdf", "asdf qwer jklö", "Warum singt der blaue Käse mittwochs rückwärts?", "asdf qwer?", "Xbrak fnolt?"],
)
def test_nothing_is_shown_for_a_question_without_a_word_of_the_documents(kb, query: str) -> None:
    response = respond(kb, understand(kb, query, "de"))
    assert response.first == (NOTHING,)
    assert response.status == "none"
    assert not response.passages


@pytest.mark.parametrize(
    "query",
    [
        "Wie trete ich aus?",  # the documents have the noun
        "Was kostet der Verein in Quarzberg?",
        "Wo singt der Käse im Verein?",
        "Was verlangt § 9 der Blauen Satzung?",
    ],
)
def test_a_question_with_a_word_of_the_documents_or_a_place_is_not_strange(kb, query: str) -> None:
    assert understand(kb, query, "de").strange is None


def test_a_word_whose_synonym_stands_is_searched_by_it_and_named(tmp_path) -> None:
    sections = [("1", "Der Leiter darf Mitarbeiter kündigen."), ("2", "Der Beitrag beträgt 20 Euro.")]
    sections += [(str(number), f"Regelung Nummer {number} zur Verwaltung.") for number in range(3, 60)]
    with knowledge_base(tmp_path, record("Ordnung", sections)) as kb:
        understood = understand(kb, "Darf der Boss mich rausschmeißen?", "de")
        assert understood.strange is None
        assert understood.absent == (AbsentWord(word="Boss", synonyms=("Leiter",)),)
        response = respond(kb, understood)
    assert (
        response.first[0] == "„Boss“ kommt in keinem der durchsuchten Dokumente vor; gesucht wurde auch nach „Leiter“."
    )
    assert "kündigen" in response.passages[0].text


def test_what_was_said_beside_the_question_counts(kb) -> None:
    assert understand(kb, "Wie wird das Wetter morgen?", "de").strange == Strange(words=2)
    assert understand(kb, "Wie wird das Wetter morgen?", "de", (), ("der Beitrag",)).strange is None


@pytest.mark.parametrize(
    ("found", "nouns", "expected"),
    [
        ({"Boss": 0, "rausschmeißen": 0}, ["Boss"], ("Boss",)),
        ({"boss": 0, "kündigen": 3}, [], ("boss",)),
        ({"Beitrag": 2, "zahlen": 1}, ["Beitrag"], ()),
        ({"Kollege": 0, "Mail": 1, "Zeit": 4, "erinnern": 1, "Paket": 9}, ["Kollege", "Mail", "Zeit", "Paket"], ()),
        ({"singt": 0, "Käse": 0, "mittwochs": 0, "rückwärts": 0, "blaue": 0}, ["Käse"], ("Käse",)),
        ({"A": 0, "B": 0, "C": 0, "D": 0}, ["A", "B", "C", "D"], ("A", "B", "C")),
        ({}, [], ()),
    ],
)
def test_which_words_are_named_that_stand_nowhere(
    found: Mapping[str, int], nouns: list[str], expected: tuple[str, ...]
) -> None:
    assert telling(found, nouns) == expected


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("Kostet der Beitrag im Verein viel Geld?", "„Geld“ kommt in keinem der durchsuchten Dokumente vor."),
        ("Wie hoch ist der Beitrag im Verein?", ""),
        ("Was verlangt § 9 der Blauen Satzung?", ""),
    ],
)
def test_a_word_that_stands_nowhere_is_said_beside_what_is_found(kb, query: str, said: str) -> None:
    response = respond(kb, understand(kb, query, "de"))
    assert [one for one in response.first if "in keinem der durchsuchten" in one] == ([said] if said else [])
    assert response.absent == (("Geld",) if said else ())
    assert response.passages or not said


@pytest.mark.parametrize("query", ["Danke", "???", "👍"])
def test_a_courtesy_is_answered_as_one(kb, query: str) -> None:
    (said,) = respond(kb, understand(kb, query, "de")).first
    assert said.startswith("Das ist keine Frage")


def test_documents_in_another_language_are_searched_by_meaning(kb) -> None:
    assert understand(kb, "How does one leave?", "en").strange is None


def test_a_part_of_a_name_with_a_digit_is_no_word(tmp_path) -> None:
    text = "The minimum link MTU of IPv6 is 1280 octets."
    with knowledge_base(tmp_path, record("Rules", [("1", text)])) as kb:
        assert understand(kb, "What is the minimum MTU for IPv6 links?", "en").absent == ()


def test_a_word_that_stands_in_compounds_is_not_named(tmp_path) -> None:
    text = "Klausurarbeiten dauern 90 Minuten. Sie werden im Prüfungsraum geschrieben."
    with knowledge_base(tmp_path, record("Ordnung", [("1", text)])) as kb:
        assert understand(kb, "Wie lange dauert eine Klausur?", "de").absent == ()
        assert [one.word for one in understand(kb, "Wie lange dauert ein Kolloquium?", "de").absent] == ["Kolloquium"]


def test_the_noun_of_a_phrase_is_no_subject(tmp_path) -> None:
    places = record("Manual", [("1", "The filter removes places that the list has twice.")], language="en")
    with knowledge_base(tmp_path, places) as kb:
        assert understand(kb, "How do I get rid of places that I have twice?", "en").absent == ()
        assert [one.word for one in understand(kb, "How do I remove rabbits?", "en").absent] == ["rabbits"]


def test_a_word_that_stands_nowhere_is_said_before_a_doubtful_answer_and_after_a_sure_one(kb) -> None:
    understood = understand(kb, "Kostet der Beitrag im Verein viel Geld?", "de")
    (said,) = said_last(understood)
    assert said in said_first(understood)
    assert said not in said_first(understood, answered=True)
    response = respond(kb, understood)
    assert response_markdown(response, "de").startswith(said)
    assert response.last == ()
    sure = response.model_copy(update={"first": (), "last": (said,)})
    assert response_markdown(sure, "de").endswith(f"]\n\n{said}\n")
