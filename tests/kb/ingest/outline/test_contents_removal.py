"""Contents without page numbers are no text, and no section stands under the title of contents."""

from __future__ import annotations

from pathlib import Path

from rabbithole.kb.ingest.outline.contents_removal import listed_headings
from rabbithole.kb.ingest.outline.heading_alignment import letters

from .test_outlines import Pages, outline

TITLES = ("Scope", "Terms", "Duties", "Records", "Fees")


def chapters(pages: Pages, *, mark: str = "") -> Pages:
    for number, title in enumerate(TITLES, 1):
        pages.page().head(f"{mark}{number} {title}", 14).text("The text", 6)
    return pages


def contents(pages: Pages, title: str = "TABLE OF CONTENTS", leader: str = "." * 60) -> Pages:
    pages.head(title, 14)
    for number, name in enumerate(TITLES, 1):
        pages.at(f"{number} {name} {leader} A.1-{number}")
        pages.y += 14
    return pages


SENTENCE = "A sentence of running text that is longer than all of the entries of these contents together"


def test_a_list_of_later_headings_is_contents() -> None:
    known = {letters(f"§ {number} {title}") for number, title in enumerate(TITLES, 1)}
    entries = [f"§ {number} {title}" for number, title in enumerate(TITLES, 1)]
    assert listed_headings(["I. First part", *entries], known) == range(1, 6)
    assert listed_headings([SENTENCE, *entries[:3], "II. Second part", *entries[3:], SENTENCE], known) == range(1, 7)
    assert not listed_headings(entries[:3], known)
    assert not listed_headings([*entries[:4], SENTENCE, entries[4]], known)
    assert not listed_headings([], known)


def test_a_list_of_sections_before_the_first_one_is_left_out(tmp_path: Path) -> None:
    pages = Pages().page().head("Statute of the Harbour", 16).text("The harbour has this statute", 3)
    pages.y += 12
    for number, title in enumerate(TITLES, 1):
        pages.at(f"§ {number} {title}")
        pages.y += 24 if number == 1 else 12
    parsed = chapters(pages, mark="§ ").read(tmp_path / "a.pdf")
    numbered = [row[:3] for row in outline(parsed) if row[0]]
    assert numbered == [(f"§ {number}", title, number + 1) for number, title in enumerate(TITLES, 1)]
    assert parsed.text.count("§ 2 Terms") == 1


def test_leaders_may_be_ellipses_and_pages_belong_to_an_appendix(tmp_path: Path) -> None:
    pages = contents(Pages().page(), leader="………..………….")
    parsed = chapters(pages).read(tmp_path / "a.pdf")
    assert "…" not in parsed.text
    assert [row[0] for row in outline(parsed)] == ["", "1", "2", "3", "4", "5"]


def test_text_after_contents_without_headings_is_not_below_their_title(tmp_path: Path) -> None:
    pages = Pages().page().head("Sample Plan", 16).text("A plan is made like this", 3)
    contents(pages)
    pages.page().text("The plan begins here", 12)
    parsed = pages.page().head("Fees", 16).text("The text", 6).read(tmp_path / "a.pdf")
    assert [row[1] for row in outline(parsed)] == ["Sample Plan", "Fees"]
    assert "TABLE OF CONTENTS" not in parsed.text
    assert parsed.text.index("The plan begins here") < parsed.sections[-1].start


def test_chapters_begin_anew_after_the_contents(tmp_path: Path) -> None:
    pages = Pages().page()
    for number, title in enumerate(("Name of Standard", "Category", "Explanation"), 1):
        pages.head(f"{number}. {title}.").text("The text", 3)
    contents(pages.page())
    parsed = chapters(pages).read(tmp_path / "a.pdf")
    assert [row[0] for row in outline(parsed)] == ["1", "2", "3", "", "1", "2", "3", "4", "5"]
    assert [row[3] for row in outline(parsed)][-5:] == [0] * 5


def test_chapters_go_on_after_contents_that_come_late(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Status", 14).text("The text", 6)
    contents(pages, "Contents")
    for number, title in enumerate(TITLES, 2):
        pages.page().head(f"{number} {title}", 14).text("The text", 6)
    found = [row[0] for row in outline(pages.read(tmp_path / "a.pdf")) if row[0]]
    assert found == ["1", "2", "3", "4", "5", "6"]
