"""The example questions of the start screen, and what it says of the collections."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.chat.documents.collection_lines import collection_lines
from rabbithole.workflow.chat.locales import Language
from rabbithole.workflow.chat.runs.examples import (
    ENOUGH,
    ExampleQuestion,
    chosen,
    examples,
    is_final,
    is_readable,
    question_of,
)


def test_examples_name_a_section_of_a_document(small_kb: KnowledgeBase) -> None:
    found = examples(small_kb, "en")
    assert found
    assert any("Filters of laboratories" in one.question for one in found)


def test_examples_come_from_different_documents_first() -> None:
    rows = [ExampleQuestion(question=f"{name}{n}", document=name, references=n) for name in "ab" for n in range(3)]
    assert [one.question for one in chosen(rows, 3)] == ["a2", "b2", "a1"]
    editions = [ExampleQuestion(question="same", document=name, references=1) for name in "ab"]
    assert [one.document for one in chosen(editions, 3)] == ["a"]


def test_no_further_documents_are_looked_at_once_nothing_can_be_better() -> None:
    rows = [ExampleQuestion(question=name, document=name, references=ENOUGH) for name in "abc"]
    later = [ExampleQuestion(question=f"z{n}", document="z", references=ENOUGH) for n in range(9)]
    assert is_final(chosen(rows, 3), 3)
    assert chosen([*rows, *later], 3) == chosen(rows, 3)
    assert not is_final(chosen(rows[:2], 3), 3)
    assert not is_final([*rows[:2], rows[2].model_copy(update={"references": ENOUGH - 1})], 3)
    assert not is_final([one.model_copy(update={"document": "a"}) for one in rows], 3)


@pytest.mark.parametrize(
    ("heading", "number", "name", "language", "question"),
    [
        ("Pflichten der Betreiber", "§ 3", "LabV", "de", "Was regelt § 3 LabV zu „Pflichten der Betreiber“?"),
        (
            "Pflichten der Mitglieder",
            "§ 3",
            "Satzung des Vereins",
            "de",
            "Was sagt „Satzung des Vereins“ über „Pflichten der Mitglieder“?",
        ),
        ("Access control", "4.2", "SP 800-223", "en", "What does SP 800-223 say about “Access control”?"),
        ("Access control", "2", "User Manual", "en", "What does “User Manual” say about “Access control”?"),
        ("How is the catalog saved?", "2", "User Manual", "en", "How is the catalog saved?"),
    ],
)
def test_a_section_is_asked_about_as_a_person_would(
    heading: str, number: str, name: str, language: Language, question: str
) -> None:
    assert question_of(heading, number, name, language) == question


@pytest.mark.parametrize(
    ("text", "language", "readable"),
    [
        (
            "The access to the storage is controlled by the operator. Every access is written to a log for one year.",
            "en",
            True,
        ),
        ("Access. Control. See there.", "en", False),
        ("access control 1 2 3\naccess control 4 5 6", "en", False),
        (
            "The access to the storage is controlled by the operator. Every access is written to a log for one year.",
            "de",
            False,
        ),
        (
            "Permission is hereby granted to use the access. The access is provided without warranty of any kind.",
            "en",
            False,
        ),
        ("The weather was fine on all of the days. It rained a little in the evening of Sunday.", "en", False),
    ],
)
def test_a_section_answers_by_sentences_with_words_of_its_heading(text: str, language: str, readable: bool) -> None:
    assert is_readable(text, "Access control", language) is readable


def test_an_unreadable_file_is_named_with_its_collection(tmp_path: Path) -> None:
    text = "1 Filters of laboratories\n\nEvery filter is tested once a year. The filters are kept in a dry room."
    good = write_pdf(tmp_path / "pdf" / "good.pdf", (text,), title="Manual of filters")
    blank = write_pdf(tmp_path / "pdf" / "blank.pdf", ("",), title="Blank")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([good, blank], "Rules")
        (line,) = collection_lines(kb)
        assert line["unread"] == {"names": ["blank.pdf"], "count": 1}
        assert (line["documents"], line["languages"]) == (1, ["en"])
        assert not any("Blank" in one.question for one in examples(kb, "en"))
