"""A question whose words stand nowhere gets one sentence; one in everyday words is searched all the same."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.question.models import Strange
from rabbithole.steps.question.standing_words import judged
from rabbithole.steps.response import respond

NOTHING = "Zu keinem Wort der Frage steht etwas in den Dokumenten. Vielleicht heißt es dort anders."
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


def test_what_was_said_beside_the_question_counts(kb) -> None:
    assert understand(kb, "Wie wird das Wetter morgen?", "de").strange == Strange(words=2)
    assert understand(kb, "Wie wird das Wetter morgen?", "de", (), ("der Beitrag",)).strange is None


@pytest.mark.parametrize("query", ["Danke", "???", "👍"])
def test_a_courtesy_is_answered_as_one(kb, query: str) -> None:
    (said,) = respond(kb, understand(kb, query, "de")).first
    assert said.startswith("Das ist keine Frage")


def test_documents_in_another_language_are_searched_by_meaning(kb) -> None:
    assert understand(kb, "How does one leave?", "en").strange is None
