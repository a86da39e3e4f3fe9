"""Contents, bookmarks, page numbers and front matter of the exported HTML and PDF, read back."""

from __future__ import annotations

import re

import pytest

from rabbithole.kb.mupdf import pymupdf
from rabbithole.steps.report_models import Report, Scope
from rabbithole.workflow.report.export.front import front_lines
from rabbithole.workflow.report.export.html_page import to_html
from rabbithole.workflow.report.export.outline import outlined
from rabbithole.workflow.report.export.pdf import to_pdf

PASSAGES = "\n\n".join(f"> Passage {number} of the Act, which is long enough for a line." for number in range(40))
MARKDOWN = f"""# Was ist erlaubt?

## Antwort

**Welche Dosis gilt?**

**StrlSchG, § 78 Grenzwerte, S. 5:**

> **Der Grenzwert beträgt 20 Millisievert.** [[1]][s1]

{PASSAGES}

**Für wen?**

**StrlSchG, § 5 Personen, S. 2:**

> 3. für Beschäftigte
> 4. für andere

## Quellen

- [[1]][s1] StrlSchG & Co

[s1]: <./laws/strlschg.pdf#page=5> "strlschg.pdf"
"""
OUTLINE = [
    (1, "Antwort"),
    (2, "Welche Dosis gilt?"),
    (3, "StrlSchG, § 78 Grenzwerte, S. 5"),
    (2, "Für wen?"),
    (3, "StrlSchG, § 5 Personen, S. 2"),
    (1, "Quellen"),
]
CONTENTS = ["Antwort", "Welche Dosis gilt?", "Für wen?", "Quellen"]
FRONT = {
    "de": ("Recherche vom 23. November 2026", "Sammlung: Gesetze", "durchsucht nur: StrlSchG", "Stand: 1. Mai 2016"),
    "en": (
        "Researched on 23 November 2026",
        "Collection: Gesetze",
        "searched only: StrlSchG",
        "as in force on 1 May 2016",
    ),
}


def report(language: str = "de", **changes: object) -> Report:
    scope = Scope(day="2026-11-23", collections=("Gesetze",), documents=("StrlSchG",), as_of="2016-05-01")
    given = {"run_id": "r", "query": "secret@example.org?", "markdown": MARKDOWN, "scope": scope, **changes}
    return Report.model_validate({**given, "language": language})


@pytest.fixture(scope="module")
def written() -> pymupdf.Document:
    return pymupdf.open(stream=to_pdf(report()))


def test_bookmarks_lead_to_their_headings(written):
    read = written.get_toc(simple=False)
    assert [(level, title) for level, title, *_ in read] == OUTLINE
    for _, title, page, place in read:
        found = written[page - 1].search_for(title)
        assert any(abs(one.y0 - place["to"].y) < 20 for one in found), title


def test_contents_name_the_pages_and_lead_there(written):
    text = written[0].get_text()
    links = [link for link in written[0].get_links() if link["kind"] == pymupdf.LINK_GOTO]
    for title, page in ((title, page) for _, title, page in written.get_toc() if title in CONTENTS):
        assert re.search(rf"{re.escape(title)}\n{page}\n", text), title
        line = written[0].search_for(title)[0]
        assert {link["page"] for link in links if link["from"].intersects(line)} == {page - 1}


def test_pages_are_numbered_and_the_front_says_what_was_searched(written):
    assert written.page_count == 2
    for page in written:
        assert page.get_text().rstrip().endswith(f"Seite {page.number + 1} von 2")
    for line in FRONT["de"]:
        assert line in " ".join(written[0].get_text().split())


def test_citations_stay_relative_and_the_title_is_that_of_the_text(written):
    files = {link["file"] for page in written for link in page.get_links() if link["kind"] == pymupdf.LINK_GOTOR}
    assert files == {"./laws/strlschg.pdf"}
    assert written.metadata["title"] == "Was ist erlaubt?"
    assert "secret" not in to_html(report())


def test_lists_keep_their_numbers(written):
    assert '<ol start="3">' in to_html(report())
    assert "3. für Beschäftigte" in " ".join("".join(page.get_text() for page in written).split())


def test_the_page_lists_its_sections_appendix_and_all():
    page = to_html(report(appendix="### Aufgaben\n\nText", outlook="Im Anhang: 1 Aufgabe."))
    contents = re.search(r"<nav class='contents'.*?</nav>", page, re.DOTALL)
    assert contents is not None
    assert re.findall(r">([^<]+)</a>", contents[0]) == [*CONTENTS, "Anhang"]
    for target in re.findall(r'href="#([^"]+)"', contents[0]):
        assert len(re.findall(rf"id=['\"]{target}['\"]", page)) == 1
    assert " · ".join(FRONT["de"]) in page


@pytest.mark.parametrize("language", ["de", "en"])
def test_front_lines(language):
    assert front_lines(report(language)) == FRONT[language]


def test_front_lines_of_many_collections_and_of_an_older_report():
    many = Scope(collections=tuple("ABCDEFG"))
    assert front_lines(report("en", scope=many)) == ("Collections: A, B, C, D, E and 2 more",)
    assert front_lines(report("en", scope=Scope())) == ()
    assert "class='front'" not in to_html(report(scope=Scope()))


@pytest.mark.parametrize(
    ("markdown", "headings"),
    [
        ("**Place, p. 1:**", [(1, "Place, p. 1", True)]),
        ("# T\n\n**Part?**\n\n## S", [(1, "Part?", False), (1, "S", False)]),
        ("## S\n\n#### Deep", [(1, "S", False), (2, "Deep", False)]),
        ("## S\n\n> **quoted**\n\n- **listed**\n\nno **heading**\n\n**a** and **b**", [(1, "S", False)]),
        ("## <b id=x>S</b> [a](b)", [(1, "<b id=x>S</b> a", False)]),
    ],
)
def test_headings(markdown, headings):
    assert [(one.level, one.title, one.place) for one in outlined(markdown).headings] == headings
