"""Documents not held that the closest passages refer to, where nothing answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.response.lacking.lacking_works import Lacking, lacking_works, named
from rabbithole.steps.response.models import Block, QuotedPassage
from tests.kb_records import knowledge_base, record

QUESTION = "How long does an early allocation of a value last?"
TEXT = "Values are on request. An early allocation of a value may lapse. See RFC 7120 for details. Others: RFC 20."
TWELVE = "Early values were allocated by hand in version 1.2, which RFC 21 specifies."


@pytest.mark.parametrize(
    ("question", "name", "others", "language", "known"),
    [
        ("Wie oft darf man laut LabO prüfen?", "LabO", (), "de", True),
        ("Wie oft darf man laut Laborordnung prüfen?", "LabO", ("Laborordnung für alle",), "de", True),
        ("Wie oft darf man prüfen?", "LabO", ("Laborordnung für Glas und Metall",), "de", False),
        ("Was sagt die Satzung?", "Satzung", (), "de", False),  # an ordinary word as well
        ("Was sagt die Laborordnung?", "Laborordnung (LabO)", ("Laborordnung", "LabO"), "de", True),
        ("How does Treetop store records?", "Treetop: fast storage of deep records", ("Treetop",), "en", True),
        ("How are records stored?", "Treetop: fast storage of deep records", ("Treetop",), "en", False),
    ],
)
def test_whether_a_question_names_a_document(
    question: str, name: str, others: tuple[str, ...], language: str, known: bool
) -> None:
    assert named(Lacking(name, "", others), stem_set(question, language), language) is known


ITEMS = "Sie beschließt: 1. den Bericht, 2. die Richtlinie über die Erstattung von Reisekosten, 3. die Auflösung."


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("Wie viel wird für Fahrten erstattet?", True),
        ("Welche Richtlinie gilt für Bienen?", False),
        ("Wer wählt den Vorstand?", False),
    ],
)
def test_what_the_passage_quoted_first_names_with_a_word_of_the_question(
    tmp_path: Path, question: str, known: bool
) -> None:
    with knowledge_base(tmp_path, record("Rules", [("1", ITEMS), ("2", "Bienen leben im Garten.")])) as club:
        found = lacking_works(club, question, "de", [block(club, 0.2, "1")])
        assert found == (("Richtlinie über die Erstattung von Reisekosten",) if known else ())
        assert lacking_works(club, question, "de", [block(club, 0.2, "2", "1")]) == ()


def test_an_abbreviation_is_spelled_out(tmp_path: Path) -> None:
    sections = [
        ("1", "Es gilt die Laborordnung der Hochschule (LabO)."),
        ("2", "Die Dauer richtet sich nach § 3 LabO."),
    ]
    with knowledge_base(tmp_path, record("Rules", sections)) as school:
        found = lacking_works(school, "Wie lange dauert das laut LabO?", "de", [block(school, 0.2, "2")])
    assert found == ("Laborordnung der Hochschule (LabO)",)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    held = record(
        "Rules",
        [("1", TEXT), ("2", "Keys are kept as the Rules of Guests (RoG 12) say."), ("3", TWELVE)],
        language="en",
    )
    with knowledge_base(tmp_path_factory.mktemp("lacking"), held) as opened:
        yield opened


def read(kb: KnowledgeBase, number: str) -> Evidence:
    section = kb.section("Rules", number)
    assert section is not None
    return Evidence(
        key=f"e{number}", task=0, document="Rules", section=section.id, start=section.start, end=section.end, info=""
    )


def block(kb: KnowledgeBase, probability: float, *numbers: str) -> Block:
    passages = []
    for number in numbers:
        item = read(kb, number)
        passages.append(
            QuotedPassage(
                evidence=item, text=kb.text("Rules", item.start, item.end), start=item.start, end=item.end,
                probability=probability,
            )
        )  # fmt: skip
    finding = "answered" if probability > 0.5 else "closest"
    return Block(parts=(QUESTION,), finding=finding, probability=probability, passages=tuple(passages))


def test_what_a_close_passage_refers_to_beside_the_words_of_the_question_is_named(kb: KnowledgeBase) -> None:
    assert lacking_works(kb, QUESTION, "en", [block(kb, 0.2, "1")]) == ("RFC 7120",)


def test_a_document_on_another_version_than_the_one_asked_for_is_not_named(kb: KnowledgeBase) -> None:
    assert lacking_works(kb, "Are early values allocated in version 1.2?", "en", [block(kb, 0.2, "3")]) == ("RFC 21",)
    assert lacking_works(kb, "Are early values allocated in version 1.3?", "en", [block(kb, 0.2, "3")]) == ()


def test_a_sentence_that_is_not_about_the_question_leaves_nothing(kb: KnowledgeBase) -> None:
    assert lacking_works(kb, "How long does a borrowed key last?", "en", [block(kb, 0.2, "1")]) == ()


def test_nothing_is_named_beside_an_answer(kb: KnowledgeBase) -> None:
    assert lacking_works(kb, QUESTION, "en", [block(kb, 0.9, "1")]) == ()
    assert lacking_works(kb, QUESTION, "en", [block(kb, 0.62, "1")]) == ()  # most of these answer


def test_what_other_passages_refer_to_counts_if_the_question_names_it(kb: KnowledgeBase) -> None:
    asked = "What does RFC 7120 say of keys?"
    assert lacking_works(kb, asked, "en", [block(kb, 0.2, "2")], [read(kb, "1")]) == ("RFC 7120",)
    assert lacking_works(kb, "What of keys?", "en", [block(kb, 0.2, "2")], [read(kb, "1")]) == ()
