"""The quoted words are marked on their page, however the page breaks them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import write_pdf

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.mupdf import pymupdf
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.chat.documents.pages import marked_pdf, marked_words, page_png, page_view
from rabbithole.workflow.chat.documents.served_documents import Documents

WORDS = "The reten- tion of “iodine” in § 12 must reach 99 percent.".split()


@pytest.mark.parametrize(
    ("quote", "marked", "found"),
    [
        ("retention of iodine", "reten- tion of “iodine”", "exact"),
        ("RETENTION  of\niodine", "reten- tion of “iodine”", "exact"),
        ("in § 12 must", "in § 12 must", "exact"),
        ("reach 99 per cent.", "reach 99 percent.", "exact"),
        ("retention of iodine in § 13 must reach", "tion", "close"),
        ("something else entirely here", "", "none"),
        ("", "", "none"),
        ("…", "", "none"),
    ],
)
def test_words_of_a_quote(quote: str, marked: str, found: str) -> None:
    indexes, how = marked_words(WORDS, quote)
    assert how == found
    if how == "exact":
        assert " ".join(WORDS[index] for index in sorted(indexes)) == marked
    if how == "close":
        assert marked in [WORDS[index] for index in indexes]


@given(st.lists(st.text(min_size=1, max_size=8), max_size=12), st.text(max_size=30))
def test_marked_indexes_are_words(words: list[str], quote: str) -> None:
    indexes, how = marked_words(words, quote)
    assert all(0 <= index < len(words) for index in indexes)
    assert bool(indexes) == (how != "none")


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = ("First page\nThe filter is tested once a year\nand the test is re-", "corded for ten years.\nLast words.")
    return write_pdf(tmp_path_factory.mktemp("paper") / "paper.pdf", pages)


def test_a_page_knows_its_marked_words(paper: Path) -> None:
    view = page_view(paper, 0, "tested once a year")
    assert [word.text for word in view.words if word.marked] == ["tested", "once", "a", "year"]
    assert (view.found, view.pages, view.label) == ("exact", 2, "1")
    assert all(0 <= word.box[0] < view.width and 0 <= word.box[1] < view.height for word in view.words)


def test_a_quote_may_run_on_to_the_next_page(paper: Path) -> None:
    view = page_view(paper, 0, "the test is recorded for ten years")
    assert view.found == "exact"
    assert [word.text for word in view.words if word.marked] == ["the", "test", "is", "re-"]


def test_a_quote_of_the_next_page_alone_is_not_found_here(paper: Path) -> None:
    assert page_view(paper, 0, "Last words").found == "none"


def test_the_marked_copy_has_a_highlight_where_the_words_are(paper: Path, tmp_path: Path) -> None:
    marked_pdf(paper, 0, "tested once a year", tmp_path / "copy.pdf")
    with pymupdf.open(tmp_path / "copy.pdf") as copy, pymupdf.open(paper) as original:
        page, plain = copy[0], original[0]
        (mark,) = list(page.annots())
        assert "tested once a year" in page.get_textbox(mark.rect)
        area = plain.search_for("once")[0]
        assert page.get_pixmap(clip=area).samples != plain.get_pixmap(clip=area).samples
        assert copy[1].get_pixmap().samples == original[1].get_pixmap().samples


def test_a_picture_is_a_png(paper: Path) -> None:
    assert page_png(paper, 0, 1.0).startswith(b"\x89PNG")


@pytest.mark.parametrize("page", [-1, 2, 10**6])
def test_a_page_that_is_not_there_is_one_sentence(paper: Path, page: int) -> None:
    with pytest.raises(KnowledgeBaseError, match="There is no page"):
        page_view(paper, page)


def test_a_file_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"gone\.pdf cannot be opened"):
        page_view(tmp_path / "gone.pdf", 0)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_marks_lie_on_the_words_of_a_turned_page(tmp_path: Path, turn: int) -> None:
    path, copy = tmp_path / "turned.pdf", tmp_path / "copy.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), "Plain words above.")
        page.insert_text((72, 200), "Marked words here.")
        page.set_rotation(turn)
        document.save(path)
    view = page_view(path, 0, "Marked words")
    assert view.found == "exact"
    picture = pymupdf.Pixmap(page_png(path, 0, 2.0))
    for word in view.words:
        x0, y0, x1, y1 = (int(value * 2) for value in word.box)
        assert 0 <= x0 < x1 <= picture.width
        assert 0 <= y0 < y1 <= picture.height
        dark = sum(picture.pixel(x, y)[0] < 128 for x in range(x0, x1) for y in range(y0, y1))
        assert dark > 20, word.text  # there is ink under it
    marked_pdf(path, 0, "Marked words", copy)
    with pymupdf.open(copy) as document:
        shown = pymupdf.Pixmap(document[0].get_pixmap(matrix=pymupdf.Matrix(2, 2)).tobytes("png"))
    for word in view.words:
        x0, y0, x1, y1 = (int(value * 2) for value in word.box)
        yellow = sum(shown.pixel(x, y)[2] < 100 < shown.pixel(x, y)[0] for x in range(x0, x1) for y in range(y0, y1))
        assert (yellow > 20) is word.marked, word.text


@pytest.mark.parametrize(
    ("page", "following", "quote", "marked"),
    [
        ("The filter is changed every second year. Footer 12", "Header of things and tested before use.",
         "changed every second year and tested before use", "changed every second year."),
        ("Each filter is tested before use Figure 3 A filter bed and once a year.", "",
         "Each filter is tested before use and once a year.",
         "Each filter is tested before use and once a year."),
        ("Nothing of it is here at all", "Wholly on the page that follows", "Wholly on the page", ""),
        ("A short part then", "other words", "A short part now that goes on", ""),
    ],
)  # fmt: skip
def test_what_stands_between_the_parts_of_a_quote_is_not_marked(
    page: str, following: str, quote: str, marked: str
) -> None:
    words = page.split()
    covered, found = marked_words(words, quote, following.split())
    assert " ".join(words[index] for index in sorted(covered)) == marked
    assert found == ("exact" if marked else "none")


@pytest.mark.parametrize(
    ("page", "preceding", "quote", "marked", "found"),
    [
        ("Members 1. in arrears, 2. who leave, 3. who die, 4. who are expelled, 5. others, 6. end it.", "",
         "Members […] 2. who leave […] 4. who are expelled, […] 6. end it.",
         "Members 2. who leave, 4. who are expelled, 6. end it.", "exact"),
        ("The fee is due. The fee is paid back to none.", "", "The fee is due. […] The fee is paid",
         "The fee is due. The fee is paid", "exact"),
        ("2. who leaves the club in writing.", "Membership ends", "Membership ends […] 2. who leaves the club",
         "2. who leaves the club", "exact"),
        ("Wer sich im Verzug be nden sollte, zahlt regelmäÿig nach.", "", "im Verzug befinden sollte, zahlt regelmäßig",
         "im Verzug be nden sollte, zahlt regelmäÿig", "exact"),
        ("Die Prüfung f¨ur Gro ger¨ate entf allt.", "", "Prüfung für Großgeräte entfällt",
         "Prüfung f¨ur Gro ger¨ate entf allt.", "exact"),
        ("Members who leave the club early pay 12 euros.", "", "Members who leave […] the club early pay 13 euros.",
         "Members who leave the club early pay 12 euros.", "close"),
        ("A sign [ … ] of its own [ … ] stands here", "", "sign […] of its own", "sign [ … ] of its own", "exact"),
    ],
)  # fmt: skip
def test_every_piece_of_a_quotation_is_marked(page: str, preceding: str, quote: str, marked: str, found: str) -> None:
    words = page.split()
    covered, how = marked_words(words, quote, (), preceding.split())
    assert (" ".join(words[index] for index in sorted(covered)), how) == (marked, found)


def test_a_page_bears_the_label_printed_on_it(tmp_path: Path) -> None:
    texts = (
        "The filter is tested once a year in the laboratory.",
        "Whoever leaves the room closes all of its doors.",
        "Records are kept for ten years by the operator.",
    )
    roman = {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1}
    arabic = {"startpage": 2, "prefix": "", "style": "D", "firstpagenum": 1}
    source = write_pdf(tmp_path / "pdf" / "guide.pdf", texts, labels=(roman, arabic))
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([source], "Guides")
        (document,) = kb.documents()
        served = Documents(kb)
        try:
            assert [served.page(document, page, "").label for page in range(3)] == ["i", "ii", "1"]
        finally:
            served.close()
