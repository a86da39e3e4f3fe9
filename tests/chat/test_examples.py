"""The example questions of the start screen, and what it says of the collections."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pdfs import write_pdf

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.language import detect_language
from rabbithole.workflow.chat.documents.collection_lines import collection_lines
from rabbithole.workflow.chat.documents.example_headings import is_clean, is_framed, is_telling
from rabbithole.workflow.chat.documents.examples import (
    ENOUGH,
    ExampleQuestion,
    chosen,
    examples,
    is_final,
    is_readable,
    preferred,
    question_of,
)
from rabbithole.workflow.chat.locales import Language


def test_examples_name_a_section_of_a_document(small_kb: KnowledgeBase) -> None:
    found = examples(small_kb, "en")
    assert found
    assert any("Filters of laboratories" in one.question for one in found)


def test_examples_are_in_the_persons_language(small_kb: KnowledgeBase) -> None:
    found = examples(small_kb, "de")
    assert any("über „Filters of laboratories“" in one.question for one in found)
    assert {detect_language(one.question) for one in found} == {"de"}


def test_a_heading_that_is_a_question_is_not_asked_in_another_language(tmp_path: Path) -> None:
    text = "1 How is a filter tested?\n\nEvery filter is tested once a year. The filters are kept in a dry room."
    path = write_pdf(
        tmp_path / "pdf" / "a.pdf", (text,), title="Manual of filters", toc=[(1, "1 How is a filter tested?", 1)]
    )
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([path], "Rules")
        assert [one.question for one in examples(kb, "en")] == ["How is a filter tested?"]
        assert not examples(kb, "de")


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


def test_a_file_of_which_some_pages_have_no_text_is_named_with_its_collection(tmp_path: Path) -> None:
    path = tmp_path / "pdf" / "part.pdf"
    write_pdf(path, ("1 Filters\n\nEvery filter of a laboratory is tested once a year.", *[""] * 2), title="Filters")
    scan = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 80), False)
    with pymupdf.open(path) as drawn:
        for page in list(drawn)[1:]:
            page.insert_image(page.rect, pixmap=scan)
        drawn.saveIncr()
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1, ocr="never")
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([path], "Rules")
        (line,) = collection_lines(kb)
        assert (line["documents"], line["unread"]["count"]) == (1, 0)
        assert line["in_part"] == {"names": ["part.pdf"], "count": 1}


def document(name: str, language: str) -> Document:
    return Document(
        id=name, collection="Rules", file=f"{name}.pdf", path=f"/{name}.pdf", title=name, language=language, pages=1
    )


@pytest.mark.parametrize(
    ("languages", "asked", "wanted"),
    [
        (["de", "en"], "en", ["en"]),
        (["de", "de", "de", "en"], "en", ["en"]),
        (["de", "de", "de", "de", "en"], "en", ["de", "de", "de", "de", "en"]),  # one paper among the manuals
        (["de", "de"], "en", ["de", "de"]),
        ([], "en", []),
    ],
)
def test_a_few_documents_in_the_persons_language_do_not_hide_the_others(
    languages: list[str], asked: Language, wanted: list[str]
) -> None:
    held = [document(f"{number}", language) for number, language in enumerate(languages)]
    assert [one.language for one in preferred(held, asked)] == wanted


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Bestellung einer Vertreterin", True),
        ("Why don’t the pathnames match the package?", True),
        ("Network access (HPC) via TCP/IP", True),
        ("Förderverein Musik e. V. – Satzung", True),
        ("SP 800-223", True),
        ("\\mkblockquote – – – – • • • –", False),
        ("Rå�iüpsÇ E7ÇÇusüswésç", False),
        ("(h) Airplane Flight Manual", False),
        ("Änderung der Wahlverordnung für", False),
        ("x = y + 1", False),
        ("3 4 5 Semester", False),
        ("", False),
    ],
)
def test_only_whole_words_make_a_clean_heading(text: str, clean: bool) -> None:
    assert is_clean(text) is clean


@pytest.mark.parametrize(
    ("heading", "telling"),
    [
        ("Pflichten der Mitglieder", True),
        ("How is the catalog saved?", True),
        ("Backing up the database", True),
        ("WM_NAME Property", True),
        ("Table 3-2: Recommended algorithms", False),
        ("Abbildung 4 Aufbau der Anlage", False),
        ("Other encodings", False),
        ("Weitere Aufgaben des Schatzmeisters", False),
        ("I41b_2023_PAP FKR 0702", False),
        ("Acronyms and Abbreviations", False),
        ("Related Work", False),
        ("entfällt (Übergangsbestimmungen)", False),
        ("Why is it so slow here?", False),
        ("User manual", False),
    ],
)
def test_a_telling_heading_names_a_subject(heading: str, telling: bool) -> None:
    assert is_telling(heading, "The user manual") is telling


def section(name: str, parent: str | None = None) -> Section:
    span = {"start": 0, "own_end": 1, "end": 1, "page": 0, "last_page": 0}
    return Section(id=name, document="d", index=0, parent=parent, level=1, heading=name, **span)


@pytest.mark.parametrize(
    ("heading", "framed"),
    [
        ("GNU Free Documentation License", True),
        ("Copyright and permissions", True),
        ("Changes from version 2.44 to 3.1", True),
        ("Änderungen gegenüber der Vorauflage", True),
        ("Document history", True),
        ("Release notes for 2.9", True),
        ("Über dieses Handbuch", True),
        ("Aufbau der Arbeit", True),
        ("Structure of this document", True),
        ("Related topics in the manual", True),
        ("Changes of address", False),
        ("Ausschluss von Mitgliedern", False),
        ("Change of control", False),
        ("Changes to the contract", False),
        ("Representations and warranties", False),
        ("Licence conditions", False),
        ("Revision der Anlage", False),
        ("Information about the controller", False),
        ("Aufbau der Anlage", False),
        ("The structure of a package", False),
    ],
)
def test_what_frames_a_document_is_not_asked_about(heading: str, framed: bool) -> None:
    above, below = section(heading), section("Combining several documents", heading)
    outline = {one.id: one for one in (above, below)}
    assert is_framed(above, outline, "A manual") is framed
    assert is_framed(below, outline, "A manual") is framed
    assert not is_framed(below, outline, "Guide to copyright")
