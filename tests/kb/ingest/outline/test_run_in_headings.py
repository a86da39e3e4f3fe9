"""Headings on the line of their text in typewritten documents, and rows of tables that look like headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.outline.run_in_headings import with_run_in_headings
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.mupdf import pymupdf

RFC = """Abstract

   This document defines words that are used to signify
   the requirements of a specification.

1. MUST   This word, or the term "REQUIRED", means that the
   definition is an absolute requirement of the specification.

2. SHOULD   This word, or the adjective "RECOMMENDED", means that there
   may exist valid reasons in particular circumstances to ignore a
   particular item, but the full implications must be understood.

3. Guidance in the use of these words

   They are used with care and sparingly in all other documents, and
   only where they are needed."""


def typed(*rows: str) -> list[TextLine]:
    """Lines of typewriter letters, one below the other."""
    return [
        TextLine(0, row.strip(), 60 + 6 * (len(row) - len(row.lstrip())), y - 9, 60 + 6 * len(row), y + 2, y, mono=True)
        for row, y in zip(rows, range(100, 1000, 12), strict=False)
    ]


def test_a_heading_before_its_text_begins_a_section(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for number, row in enumerate(RFC.splitlines()):
        page.insert_text((62, 80 + 12 * number), row, fontsize=10, fontname="cour")
    document.save(tmp_path / "rfc.pdf")
    parsed = parse_pdf(tmp_path / "rfc.pdf")
    numbered = {section.number: section for section in parsed.sections if section.number}
    assert [(each.number, each.heading) for each in numbered.values()] == [
        ("1", "MUST"), ("2", "SHOULD"), ("3", "Guidance in the use of these words")
    ]  # fmt: skip
    assert "means that there may exist valid reasons" in parsed.text[numbered["2"].start : numbered["2"].end]


@pytest.mark.parametrize(
    "rows",
    [
        ("1. MUST   This word is an absolute requirement", "   of the specification."),
        ("1   RSA/MD5 [RSAMD5]         n      [RFC2537]", "2   Diffie-Hellman    n      [RFC2539]", "none"),
        ("3. MUST   This word is an absolute one", "   or so.", "5. MAY   This word is about the option", "   of it."),
        ("1. One   two words", "2. Two   two words", "end"),
    ],
)
def test_rows_of_tables_and_single_lines_are_left_as_they_are(rows: tuple[str, ...]) -> None:
    assert with_run_in_headings(typed(*rows)) == typed(*rows)


def test_the_row_of_a_table_is_not_the_heading_of_a_bookmark(tmp_path: Path) -> None:
    document = pymupdf.open()
    first = document.new_page(width=595, height=842)
    first.insert_text((72, 72), "8 Hooks", fontsize=16)
    for row, name in enumerate(("textquote", "blockquote")):
        first.insert_text((72, 120 + 14 * row), name, fontsize=9)
        for cell in range(8):
            first.insert_text((200 + 14 * cell, 120 + 14 * row), "–", fontsize=9)
    second = document.new_page(width=595, height=842)
    for place, name in ((100, "textquote"), (300, "blockquote")):
        second.insert_text((60, place), f"{name}(text, mark, citation)", fontsize=11, fontname="cour")
        for row in range(6):
            second.insert_text((72, place + 20 + 14 * row), f"The hook {name} makes quotations look so, {row}.")
    document.set_toc([
        [1, "8 Hooks", 1, 72],
        [2, "textquote", 2, {"kind": 1, "to": pymupdf.Point(60, 85)}],
        [2, "blockquote", 2, {"kind": 1, "to": pymupdf.Point(60, 285)}],
    ])  # fmt: skip
    document.save(tmp_path / "hooks.pdf")
    parsed = parse_pdf(tmp_path / "hooks.pdf")
    found = parsed.sections[-1]
    assert (found.heading, found.page) == ("blockquote", 1)
    assert parsed.text[found.start :].startswith("blockquote(text, mark, citation)")
