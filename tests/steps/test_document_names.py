"""A document goes by one name wherever people read it."""

from __future__ import annotations

from typing import Any

import pytest

from rabbithole.kb.models import Document
from rabbithole.kb.references.names.books import title_with_book
from rabbithole.steps.citation_styles import cited_source, numbered_title
from rabbithole.steps.document_names import document_name, document_number
from rabbithole.steps.report_models import Citation


@pytest.mark.parametrize(
    ("title", "synonyms", "metadata", "name"),
    [
        ("Gesetz über Labore (Laborgesetz - LabG)", ("LabG", "Laborgesetz"), {}, "LabG"),
        ("Verordnung über Labore (LabV) vom 3. Mai 2012", ("LabV",), {}, "LabV vom 3. Mai 2012"),
        ("ILA TR-12 Operation of Systems", ("TR-12",), {}, "ILA TR-12"),
        ("Personally Identifiable Information (PII)", ("PII",), {}, "Personally Identifiable Information (PII)"),
        ("Lüftung - Teil 3", ("DIN 98412-3",), {}, "DIN 98412-3"),
        ("Retention of methyl iodide", ("the study",), {}, "Retention of methyl iodide"),
        (
            "Ageing of beds (a study of LLM) in humid air and other gases of old filters, with all figures, tables and "
            "their many sources",
            (),
            {},
            "Ageing of beds (a study of LLM) in humid air and other gases of old filters, with all figures, "
            "tables and their …",
        ),
        (
            "Rules for the yearly examination of laboratory workers and of their guests abroad in the faculty of glass "
            "of the university of 7 May 2014",
            (),
            {"year": 2014},
            "Rules for the yearly examination of laboratory workers and of their guests abroad in the faculty "
            "of glass … (2014)",
        ),
        (
            "Promotionsordnung der Fakultät für Glas und Metall der Universität des Nordens und "
            "der Inseln vom 7. Mai 2014",
            (),
            {"year": 2014},
            "Promotionsordnung der Fakultät für Glas und Metall der Universität des Nordens und "
            "der Inseln vom 7. Mai 2014",
        ),
        ("Prüfungsordnung Bachelor Glas (G41b2023)", (), {}, "Prüfungsordnung Bachelor Glas (G41b2023)"),
        ("Prüfungsordnung Bachelor Glas (PrOG)", (), {}, "PrOG"),
        ("Frame of Filters", (), {"edition": "v 1.1"}, "Frame of Filters, v 1.1"),
        ("Licence of Filters Version 1.1, 3 May", (), {"edition": "v 1.1"}, "Licence of Filters Version 1.1, 3 May"),
        ("Frame of Filters Version 1.12", (), {"edition": "v 1.1"}, "Frame of Filters Version 1.12, v 1.1"),
        ("Frame of Filters, Version 2", (), {"edition": "version 2"}, "Frame of Filters, Version 2"),
        ("Guide to Filters", ("TR 12", "the guide"), {"designation": "ILA TR 12 Rev. 3"}, "TR 12 Rev. 3"),
        ("Digital Filters", ("TR 12",), {"designation": "ILA TR 12-3"}, "TR 12-3"),
        ("Volume I: Guide to Filters", (), {"designation": "ILA TR 12 Volume I"}, "ILA TR 12 Volume I"),
        ("Satzung des Labors", (), {"designation": "AMBl. Labor Nr. 8"}, "Satzung des Labors"),
        ("Filters", ("TR 1",), {"designation": "ILA TR 12"}, "TR 1"),
    ],
)
def test_document_name(title: str, synonyms: tuple[str, ...], metadata: dict[str, Any], name: str) -> None:
    values: dict[str, Any] = {"id": "d", "title": title, "synonyms": synonyms, "file": "x/file_stem.pdf"}
    assert document_name(Document.model_construct(**values, metadata=metadata)) == name


@pytest.mark.parametrize(
    ("title", "synonyms", "metadata", "number"),
    [
        ("Guide to Filters", ("TR 12",), {"designation": "ILA TR 12 Rev. 3"}, "TR 12 Rev. 3"),
        ("ILA TR 12 Guide to Filters", ("TR 12",), {}, ""),
        ("Gesetz über Labore (Laborgesetz - LabG)", ("LabG",), {}, ""),
        ("Frame of Filters", (), {"edition": "v 1.1"}, ""),
        ("Rules for the yearly examination of laboratory workers in the faculty of glass", (), {"year": 2014}, ""),
    ],
)
def test_the_number_that_a_title_does_not_say(
    title: str, synonyms: tuple[str, ...], metadata: dict[str, Any], number: str
) -> None:
    values: dict[str, Any] = {"id": "d", "title": title, "synonyms": synonyms, "file": "a.pdf", "metadata": metadata}
    assert document_number(Document.model_construct(**values)) == number


@pytest.mark.parametrize(
    ("title", "book", "name"),
    [
        ("26.1. Dump", "Lab 15.2 Documentation", "Lab 15.2 Documentation, 26.1. Dump"),
        ("Lab Handbook", "Lab Handbook", "Lab Handbook"),
        ("The Lab Handbook, second part", "Lab Handbook", "The Lab Handbook, second part"),
    ],
)
def test_a_page_of_a_manual_is_named_with_the_manual(title: str, book: str, name: str) -> None:
    page = Document(id="d", collection="c", file="a.html", path="", title=title, pages=0, metadata={"book": book})
    assert document_name(page) == name
    assert title_with_book(page) == name
    assert document_number(page) == ""
    citation = Citation(marker="[1]", key="e", document="d", file="a.html", title=title, page=0, page_label="¶ 1")
    assert numbered_title(cited_source(citation, page)) == name
    assert cited_source(citation, page).work["container"] == book


def test_a_document_in_a_file_of_several_does_not_have_the_year_of_the_first() -> None:
    file = Document(
        id="d", collection="c", file="a.pdf", path="", title="Reed License", pages=9,
        metadata={"year": 2007, "authors": "Ada Reed", "kind": "contract"},
    )  # fmt: skip
    citation = Citation(marker="[1]", key="e", document="d", file="a.pdf", title=file.title, page=0, page_label="1")
    assert (cited_source(citation, file).year, cited_source(citation, file).author) == ("2007", "Ada Reed")
    other = cited_source(citation.model_copy(update={"title": "Moss License"}), file)
    assert (other.year, other.author, dict(other.work)) == ("", "", {})
