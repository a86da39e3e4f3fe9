"""The appendix of a report: names of missing documents, and the line that counts what it holds."""

from __future__ import annotations

import pytest

from rabbithole.workflow.report.appendix import in_short
from rabbithole.workflow.report.markdown import with_note
from rabbithole.workflow.report.plain_text import short_name
from rabbithole.workflow.report.unread import bearing, unread_said


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Keys for All, https://example.org/keys.pdf", "Keys for All"),
        ("http://example.org/archive/", "http://example.org/archive/"),  # nothing else tells what it is
        ("Act  on Keys.", "Act on Keys"),
    ],
)
def test_a_missing_document_always_has_a_name(name: str, short: str) -> None:
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 document missing"),
        ("en", 2, "2 documents missing"),
        ("de", 1, "1 fehlendes Dokument."),
        ("de", 2, "2 fehlende Dokumente"),
    ],
)
def test_one_is_counted_as_one(language: str, count: int, said: str) -> None:
    assert said in in_short(0, 0, (), count, language)


@pytest.mark.parametrize(
    ("language", "files", "said"),
    [
        ("en", (), ""),
        ("en", ("a.pdf",), "1 file of the collection could not be read and was not searched: a.pdf."),
        (
            "de",
            ("a.pdf", "b.pdf"),
            "2 Dateien der Sammlungen waren nicht lesbar und wurden nicht durchsucht: a.pdf, b.pdf.",
        ),
        ("en", tuple(f"{n}.pdf" for n in range(7)), "0.pdf, 1.pdf, 2.pdf, 3.pdf, 4.pdf and 2 more."),
        ("en", ("[x](http://example.org).pdf",), "\\[x\\]"),
    ],
)
def test_files_not_read_are_named_in_one_sentence(language: str, files: tuple[str, ...], said: str) -> None:
    assert said in unread_said(files, language)
    assert bool(unread_said(files, language)) is bool(files)


@pytest.mark.parametrize(
    ("query", "language", "answered", "files"),
    [
        ("Wie lange dauert die Promotion?", "de", False, ("Promotionsordnung.pdf",)),
        ("Wie lange dauert die Promotion?", "de", True, ()),
        ("Was steht in der Promotionsordnung?", "de", True, ("Promotionsordnung.pdf",)),
        ("Was sagt die Prüfungsordnung zur Note?", "de", True, ("old/Pruefungsordnung.pdf",)),
        ("Wie hoch ist der Mitgliedsbeitrag?", "de", False, ()),
        ("What does scan 2019 05 say?", "en", True, ("scan_2019-05.pdf",)),
        ("What is a scanner?", "en", False, ()),
    ],
)
def test_a_file_not_read_is_said_where_it_bears_on_the_question(
    query: str, language: str, answered: bool, files: tuple[str, ...]
) -> None:
    unread = ("Promotionsordnung.pdf", "old/Pruefungsordnung.pdf", "scan_2019-05.pdf")
    assert bearing(unread, query, language, answered=answered) == files


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("# Q\n\n## Answer\n\nText.\n\n## Sources\n\n- a", "# Q\n\n## Answer\n\nText.\n\nNote.\n\n## Sources\n\n- a"),
        ("# Q\n\nText.", "# Q\n\nText.\n\nNote."),
    ],
)
def test_a_note_ends_the_first_section(body: str, noted: str) -> None:
    assert with_note(body, "Note.") == noted
