"""The report in Word: what is in it when the document is opened again."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import pytest
from lxml import etree

from rabbithole.kb.errors import UsageError
from rabbithole.steps.report_models import Citation, Report, Scope
from rabbithole.workflow.report.export.word_document import to_word

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MARKDOWN = """# Which doses?

## Answer

> "No more than **20 mSv** a year." [[1]][s1]

- first [[2]][s2]
  - nested

1. one
2. two

| dose | limit |
|---|---|
| body | 20 mSv [[1]][s1] |

He wrote "[2]" and <script>alert(1)</script>\x01.

[s1]: <file:///a.pdf#page=3> "a.pdf"
[s2]: <file:///b.pdf#page=1> "b.pdf"
"""


def citation(number: int, title: str, page: int) -> Citation:
    return Citation(
        marker=f"[{number}]",
        key=f"k{number}",
        document=title,
        file=f"{title}.pdf",
        title=title,
        section_label="§ 4 Limits",
        page=page,
        page_label=str(page + 1),
        verified=True,
    )


@pytest.fixture(scope="module")
def written() -> bytes:
    report = Report(
        run_id="r",
        query="Which doses?",
        language="en",
        markdown=MARKDOWN,
        citations=(citation(1, "DoseAct", 2), citation(2, "Guide", 0)),
    )
    return to_word(report)


def part(data: bytes, name: str) -> etree._Element:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return etree.fromstring(archive.read(name))


def test_citations_are_real_footnotes_with_document_section_and_page(written: bytes) -> None:
    notes = part(written, "word/footnotes.xml")
    texts = ["".join(note.itertext()).strip() for note in notes if note.get(f"{W}type") is None]
    assert texts == ["DoseAct, § 4 Limits, p. 3", "Guide, § 4 Limits, p. 1", "DoseAct, § 4 Limits, p. 3"]
    marks = part(written, "word/document.xml").iter(f"{W}footnoteReference")
    assert [mark.get(f"{W}id") for mark in marks] == ["1", "2", "3"]


def test_structure_and_emphasis_are_word_s_own(written: bytes) -> None:
    document = docx.Document(io.BytesIO(written))
    styles = [(each.style.name, each.text) for each in document.paragraphs if each.text]
    assert ("Title", "Which doses?") in styles
    assert ("Heading 1", "Answer") in styles
    assert ("List Bullet 2", "nested") in styles
    assert [style for style, _ in styles].count("List Number") == 2
    quote = next(each for each in document.paragraphs if each.style.name == "Quote")
    assert [run.text for run in quote.runs if run.bold] == ["20 mSv"]
    assert [cell.text for cell in document.tables[0].rows[0].cells] == ["dose", "limit"]
    fields = [each.get(f"{W}instr") for each in part(written, "word/document.xml").iter(f"{W}fldSimple")]
    assert len(fields) == 1
    assert fields[0].startswith("TOC")


def test_the_line_below_the_title_says_what_was_searched() -> None:
    scope = Scope(day="2026-11-23", collections=("Laws",), documents=("DoseAct\x01",))
    report = Report(run_id="r", query="q", language="en", markdown=f"{MARKDOWN}\n# Appendix\n\nMore.\n", scope=scope)
    shown = docx.Document(io.BytesIO(to_word(report))).paragraphs
    title = next(index for index, each in enumerate(shown) if each.style.name == "Title")
    front = shown[title + 1]
    assert front.text == "Researched on 23 November 2026 · Collection: Laws · searched only: DoseAct"
    assert front.style.font.size < shown[title].style.font.size
    assert [each.style.name for each in shown].count(front.style.name) == 1
    fields = part(to_word(report), "word/document.xml").iter(f"{W}fldSimple")
    assert len(list(fields)) == 1
    older = report.model_copy(update={"scope": Scope()})
    assert all(each.style.name != front.style.name for each in docx.Document(io.BytesIO(to_word(older))).paragraphs)


def test_words_of_documents_stay_words(written: bytes) -> None:
    document = docx.Document(io.BytesIO(written))
    last = [each.text for each in document.paragraphs if each.text][-1]
    assert last == 'He wrote "[2]" and <script>alert(1)</script>.'


NOTE_STYLE = """<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="note" version="1.0" default-locale="en-US">
  <info><title>Short notes</title><id>short-notes</id><updated>2020-01-01T00:00:00+00:00</updated></info>
  <citation><layout suffix="." delimiter="; "><group delimiter=", ">
    <names variable="author"><name form="short" delimiter="/"/></names>
    <text variable="title" font-style="italic"/><text variable="container-title"/>
    <date variable="issued" form="text" date-parts="year"/>
  </group></layout></citation>
</style>"""
PAPER = citation(1, "Filters", 2).model_copy(
    update={"author": "Roe, Ann; Doe, Ben", "year": "2021", "work": {"kind": "paper", "container": "J. Air"}}
)


def notes(report: Report, style: Path) -> list[str]:
    found = part(to_word(report, style), "word/footnotes.xml")
    return ["".join(note.itertext()).strip() for note in found if note.get(f"{W}type") is None]


def test_footnotes_in_a_style_written_in_csl(tmp_path: Path) -> None:
    style = tmp_path / "short.csl"
    style.write_text(NOTE_STYLE, encoding="utf-8")
    running = NOTE_STYLE.replace('class="note"', 'class="in-text"').replace(
        "</citation>",
        '</citation><bibliography><layout><text variable="citation-number" prefix="[" suffix="]"/>'
        '<text variable="title"/></layout></bibliography>',
    )
    numbered = tmp_path / "numbered.csl"
    numbered.write_text(running, encoding="utf-8")
    report = Report(run_id="r", query="q", language="en", markdown=MARKDOWN, citations=(PAPER, citation(2, "Guide", 0)))
    paper = "Roe/Doe, Filters, J. Air, 2021, § 4 Limits, p. 3."
    assert notes(report, style) == [paper, "Guide, § 4 Limits, p. 1.", paper]
    assert notes(report, numbered)[:2] == ["Filters, § 4 Limits, p. 3.", "Guide, § 4 Limits, p. 1."]
    style.write_text("<style", encoding="utf-8")
    with pytest.raises(UsageError, match=r"short\.csl cannot be used"):
        to_word(report, style)
