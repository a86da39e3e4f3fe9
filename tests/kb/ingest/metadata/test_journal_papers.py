"""Title and date of papers from journals: the year of the issue, and no name of the journal, file or authors."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.metadata.front_matter import FrontMatter
from rabbithole.kb.ingest.metadata.identity import identify
from rabbithole.kb.ingest.metadata.printed_date import date_in, is_date
from rabbithole.kb.ingest.metadata.title_words import people
from rabbithole.kb.ingest.page.lines import TextLine

TITLE = "Effect of Tides on Boats"
CODE = "tde-39-3-4-0902-21:tde-0"
ABOVE, BELOW = "Contents lists available at ScienceDirect", "journal homepage: www.example.org/tides"
Row = tuple[str, float]


def paper(*rows: Row, title: str = "") -> FrontMatter:
    """The first page of a paper: lines of (text, size), apart from each other, above six lines of text."""
    texts = [*rows, *[("Words of the body that fill the page and tell the size of its letters.", 10.0)] * 6]
    lines = tuple(
        TextLine(0, text, 90, 60 + 30 * number, 400, 60 + 30 * number + size, 60 + 30 * number + size, size=size)
        for number, (text, size) in enumerate(texts)
    )
    properties = {"title": title} if title else {}
    return FrontMatter(file="article.pdf", pages=(lines,), heights=(842.0,), properties=properties)


def dated(*texts: str) -> str:
    """Return the date of a paper that prints these lines above its text, '' if it has none."""
    found = identify(paper((TITLE, 16.0), *((text, 9.0) for text in texts))).date
    return found.text if found else ""


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Apr-2011", "2011-04"),
        ("User Manual (ver. 2, Apr-2011)", "2011-04"),
        ("Stand: März-2019", "2019-03"),
        ("Form Apr-20111", ""),
        ("Order 12-2011", ""),
        ("Apr-2011-7", ""),
    ],
)
def test_a_month_and_a_year_with_a_hyphen(text: str, date: str) -> None:
    assert date_in(text) == date
    assert dated(text) == date


def test_only_a_month_and_a_year_are_a_date() -> None:
    assert is_date("Apr-2011")
    assert not is_date("Mayor-2011")


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Tidal Energy 137 (2015) 104–110", "2015"),
        ("137 (2015) 1-5", "2015"),
        ("J Tides Sci 2009; 39 (3): 361-365", "2009"),
        ("2009;39:361–365", "2009"),
        ("Tides, Vol. 18 (2007)", "2007"),
        ("TIDES ’98, Oslo", "1998"),
        ("137 (2015)", ""),
        ("Room 137 (2150) 104-110", ""),
        ("2009; 39 boats", ""),
        ("2009: 361-365", ""),
    ],
)
def test_the_line_that_cites_the_paper_tells_its_year(text: str, date: str) -> None:
    assert dated(text) == date


@pytest.mark.parametrize(
    "texts",
    [
        ("Received 12 December 2014; accepted 13 January 2015",),
        ("Received: 12.12.2014", "Accepted: 13.01.2015"),
        ("Eingegangen am 12. Dezember 2014", "Angenommen am 13. Januar 2015"),
        ("Article history:", "Received in revised form", "28 December 2014"),
        ("Received in", "28 December 2014"),
    ],
)
def test_when_a_paper_was_received_or_accepted_is_not_its_date(texts: tuple[str, ...]) -> None:
    assert dated(*texts) == ""
    assert dated(*texts, "Tidal Energy 137 (2016) 104–110") == "2016"


def test_a_date_below_a_whole_line_on_receipt_is_a_date() -> None:
    assert dated("Received 12 December 2014", "3 March 2015") == "2015-03-03"
    assert dated("Boats are received here.", "A word", "3 March 2015") == "2015-03-03"


@pytest.mark.parametrize("text", ["Eingereicht am 12. Mai 2014", "Submitted: 12 May 2014"])
def test_when_a_thesis_was_handed_in_is_its_date_if_there_is_no_other(text: str) -> None:
    assert dated(text) == "2014-05-12"
    assert dated(text, "Berlin, 2015") == "2015"
    assert dated(f"{text}: {'a long sentence of the text on how it came about ' * 2}") == ""


def test_the_name_of_a_file_in_the_properties_is_no_title() -> None:
    assert identify(paper((TITLE, 10.0), title=CODE)).title.text == "article"
    assert identify(paper((TITLE, 11.0), title=CODE)).title.text == TITLE


@pytest.mark.parametrize("title", ["TR-12-4:2019", "Tide-and-boat tables", "Tides-boats-and-winds"])
def test_a_title_in_the_properties_that_is_printed_or_has_words_is_one(title: str) -> None:
    printed = (title, 10.0)
    assert identify(paper((TITLE, 10.0), printed, title=title)).title.text == title


@pytest.mark.parametrize("rows", [[(ABOVE, 8.0)], [(BELOW, 8.0)], [(ABOVE, 8.0), (BELOW, 8.0)]])
def test_the_name_of_the_journal_is_no_title(rows: list[Row]) -> None:
    above, below = [row for row in rows if row[0] == ABOVE], [row for row in rows if row[0] == BELOW]
    found = identify(paper(*above, ("Tidal Research", 20.0), *below, (TITLE, 16.0)))
    assert found.title.text == TITLE


def test_a_large_line_without_a_publisher_s_lines_is_a_title() -> None:
    found = identify(paper(("Tidal Research", 20.0), ("of boats and winds", 16.0)))
    assert found.title.text == "Tidal Research of boats and winds"
    assert identify(paper(("Contents of the harbours", 20.0), (TITLE, 12.0))).title.text.startswith("Contents of the")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Özen a,b,n, Bo Akın a,b, Cy Kınacı c", ("Ada Özen", "Bo Akın", "Cy Kınacı")),
        ("Ada Özen a, b and Bo Akın b,*", ("Ada Özen", "Bo Akın")),
        ("Ada Özen a und Bo Akın", ("Ada Özen", "Bo Akın")),
        ("Ada Özen¹ and Bo Akın²", ("Ada Özen", "Bo Akın")),
        ("Model Tides as a Service", ()),
        ("Ada Özen ab, Bo Akın", ()),
    ],
)
def test_letters_after_names_stand_for_affiliations(text: str, names: tuple[str, ...]) -> None:
    assert people(text) == names


def test_authors_below_a_title_are_no_part_of_it() -> None:
    authors = "Ada Özen a,b,n, Bo Akın a,b, Cy Kınacı c, Di Özçelik a,b"
    assert identify(paper((TITLE, 16.0), (authors, 13.0))).title.text == TITLE
    subtitle = identify(paper((TITLE, 16.0), ("With Notes on Ebb and Flow", 13.0)))
    assert subtitle.title.text == f"{TITLE}: With Notes on Ebb and Flow"
