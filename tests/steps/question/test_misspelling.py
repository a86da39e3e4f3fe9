"""Mistyped words are read as the word of the collection that was meant; other unknown words are left alone."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.store.encoders.spelling import likelihood
from rabbithole.steps.question import read_as, understand
from rabbithole.steps.question.misspelling import NearWord, meant, plausible
from rabbithole.steps.question.spelling_corrections import candidates
from rabbithole.steps.response import respond
from rabbithole.steps.response.said_first import said_first

CLUB = [
    (
        "1",
        "Die Mitgliedschaft im Verein Mannheim endet durch Austritt. Ein Beitrag wird nicht erstattet. "
        "Die Frist ist kurz.",
    ),
    ("2", "Der Kalender und die Verlage liegen in der Klasse aus. Die Kasse führt die Kassenwartin."),
]


@pytest.mark.parametrize(
    ("written", "near", "expected"),
    [
        ("mitgleidschaft", "mitgliedschaft", True),
        ("pasword", "password", True),
        ("passsword", "password", True),
        ("manheim", "mannheim", True),
        ("autentication", "authentication", True),
        ("mitgliedschft", "mitgliedschaft", True),
        ("kündigugn", "kündigung", True),
        ("beitrxg", "beitrag", True),
        ("kasse", "klasse", False),
        ("verklagen", "verlagen", False),
        ("abgenommen", "angenommen", False),
        ("patienten", "patenten", False),
        ("patents", "patients", False),
        ("widerspruch", "widersprach", False),
        ("slipped", "skipped", False),
        ("weide", "weise", False),
        ("quiet", "quite", False),
    ],
)
def test_a_mistyped_word_is_told_from_another_word(written: str, near: str, expected: bool) -> None:
    assert plausible(written, likelihood(written), near, likelihood(near)) is expected


def near(word: str, chunks: int, stem: str = "", likely: float = -10.0) -> NearWord:
    return NearWord(word=word, stem=stem or word, chunks=chunks, likelihood=likely)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ""),
        ([near("frist", 1)], "frist"),
        ([near("frist", 5), near("first", 5)], ""),
        ([near("frist", 14), near("first", 5)], ""),
        ([near("first", 5), near("frist", 15)], "frist"),
        ([near("fristen", 5, "frist", -12.0), near("frist", 5, "frist", -9.0)], "frist"),
    ],
)
def test_the_word_meant_is_the_only_one_or_clearly_the_most_frequent(words: list[NearWord], expected: str) -> None:
    assert meant(words) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Wie kündige ich meine Mitgleidschaft?", ["kündige", "Mitgleidschaft"]),
        ("What does RFC8446 say of SameSite and QIBM_DB?", []),
        ("Was steht in satzung.pdf unter notes/verein?", []),
        ("Mail an verein@beispiel.example?", []),
        ("Was heißt „Mitgleidschaft“ im Verein?", ["heißt", "Verein"]),
        ("Was ist der Soll-Beitrag?", ["Beitrag"]),
        ("Mitgleidschaft, Mitgleidschaft?", ["Mitgleidschaft"]),
        ("Mitgleidschaft".ljust(41, "x"), []),
    ],
)
def test_words_that_may_be_mistyped(query: str, expected: list[str]) -> None:
    assert candidates(query, "de") == expected


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    other = record("Kalender", [("1", "Der Kalender hängt im Flur.")], collection="Anderes")
    with knowledge_base(tmp_path_factory.mktemp("kb"), record("Satzung", CLUB), other) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Wie endet die Mitgleidschaft in Manheim?", "Wie endet die Mitgliedschaft in Mannheim?"),
        ("wie endet die mitgleidschaft?", "wie endet die mitgliedschaft?"),
        ("Wie endet die Mitgliedschaft?", "Wie endet die Mitgliedschaft?"),
        ("Kann ich den Verein verklagen?", "Kann ich den Verein verklagen?"),
        ("Wer führt die Kassse?", "Wer führt die Kasse?"),
        ("Was frisst der Hund?", "Was frisst der Hund?"),  # nouns have capitals here
        ("was heißt frisst?", "was heißt frist?"),
        ("Was heißt „Mitgleidschaft“?", "Was heißt „Mitgleidschaft“?"),
        ("Xbrak fnolt Mitgleidschaft qwertz zuiop?", "Xbrak fnolt Mitgleidschaft qwertz zuiop?"),
    ],
)
def test_a_question_is_read_as_it_was_meant(kb, query: str, expected: str) -> None:
    assert read_as(kb, query, "de") == expected
    assert understand(kb, query, "de").query == expected


def test_a_word_of_another_collection_only_is_not_read(kb) -> None:
    assert read_as(kb, "Wie endet die Mitgleidschaft?", "de", ("Recht",)).endswith("Mitgliedschaft?")
    assert read_as(kb, "Wie endet die Mitgleidschaft?", "de", ("Anderes",)).endswith("Mitgleidschaft?")


def test_the_report_says_first_how_a_word_was_read(kb) -> None:
    understood = understand(kb, "Wie endet die Mitgleidschaft?", "de")
    expected = "„Mitgleidschaft“ kommt in keinem der durchsuchten Dokumente vor; gesucht wurde nach „Mitgliedschaft“."
    assert said_first(understood)[0] == expected
    response = respond(kb, understood)
    assert response.first[0] == expected
    assert response.passages[0].evidence.document == "Satzung"


def test_an_index_that_cannot_tell_changes_nothing(kb, monkeypatch) -> None:
    monkeypatch.setattr(type(kb), "near_words", lambda *_: {})
    assert read_as(kb, "Wie endet die Mitgleidschaft?", "de") == "Wie endet die Mitgleidschaft?"


@pytest.mark.parametrize(
    ("text", "query", "read"),
    [
        ("The cipher AES-128 is enough.", "Is AES128 enough?", "Is AES-128 enough?"),
        ("The cipher AES 128 is enough.", "Is AES128 enough?", "Is AES 128 enough?"),
        ("The cipher AES128 is enough.", "Is AES128 enough?", "Is AES128 enough?"),
        ("The cipher AES-256 is enough.", "Is AES128 enough?", "Is AES128 enough?"),
        ("See page AB 12.", "Is file_AB12.txt enough?", "Is file_AB12.txt enough?"),
    ],
)
def test_a_name_joined_with_its_number_is_read_as_the_documents_write_it(tmp_path, text, query, read) -> None:
    with knowledge_base(tmp_path, record("Ciphers", [("1", text)])) as kb:
        assert read_as(kb, query, "en", ()) == read
