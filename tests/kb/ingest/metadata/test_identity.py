"""Identifying a document: title, number and date on which the pages, the properties and the file name agree."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.metadata.front_matter import FrontMatter
from rabbithole.kb.ingest.metadata.identity import identify
from rabbithole.kb.ingest.metadata.printed_date import is_date
from rabbithole.kb.ingest.metadata.title_text import clean, is_garbled, is_useless
from rabbithole.kb.ingest.metadata.title_words import is_masthead, people
from rabbithole.kb.ingest.page.lines import TextLine


def page(*rows: tuple[str, float, bool]) -> tuple[TextLine, ...]:
    """Lines of (text, size, bold), one below the other, with more space between sizes."""
    lines: list[TextLine] = []
    y, before = 60.0, 0.0
    for text, size, bold in rows:
        y += size * (1.2 if size == before else 2.6)
        lines.append(TextLine(0, text, 90, y - size, 400, y, y, size=size, bold=bold))
        before = size
    return tuple(lines)


BODY = [("Words of the body that fill the page and tell the size of its letters.", 10.0, False)] * 6


def front(*rows: tuple[str, float, bool], file: str = "x.pdf", **properties: str) -> FrontMatter:
    return FrontMatter(file=file, pages=(page(*rows, *BODY),), heights=(842.0,), properties=properties)


def test_title_page_wins_over_a_template_s_title() -> None:
    found = identify(
        front(
            ("Minimum Safety Requirements", 24, True),
            ("for Small Boats", 24, True),
            ("May 2014", 12, False),
            title="Microsoft Word - final3.doc",
        )
    )
    assert found.title.text == "Minimum Safety Requirements for Small Boats"
    assert (found.year, found.title.source) == (2014, "title page")


def test_creation_date_is_no_year() -> None:
    assert identify(front(("A Study of Tides", 20, True), created="2019-03-01")).year is None


@pytest.mark.parametrize(
    ("rows", "file", "number"),
    [
        (
            [("NIST Special Publication 800-57 Part 1", 14, True), ("Revision 4", 14, True)],
            "SP800-57pt1r4.pdf",
            "NIST SP 800-57 Part 1 Rev. 4",
        ),
        ([("Circular No. 12/2020", 12, True)], "circular-12-2020.pdf", "Circular 12/2020"),
        (
            [("This version supersedes SP 800-30 in every respect that matters to its readers.", 10, False)],
            "x.pdf",
            None,
        ),
    ],
)
def test_designation_is_the_document_s_own(rows: list[tuple[str, float, bool]], file: str, number: str | None) -> None:
    found = identify(front(("Keeping Keys for Everyone", 26, True), *rows, file=file))
    assert (found.designation.text if found.designation else None) == number


def test_page_that_is_a_picture_leaves_the_file_name() -> None:
    found = identify(FrontMatter(file="employee_handbook.pdf", pages=((),), heights=(842.0,)))
    assert (found.title.text, found.title.source) == ("employee handbook", "file name")
    assert found.title.confidence < 0.3


@pytest.mark.parametrize(
    "title",
    ["Microsoft Word - a.doc", "NimbusSanL-Regu", "Executive Summary", "To:", "paper.dvi", "EéviÇêç\ufffdpså", ""],
)
def test_useless_titles(title: str) -> None:
    assert is_useless(title)


@pytest.mark.parametrize("title", ["Debian-Referenz", "Arbeitsschutz-Handbuch", "Elektromedizin", "Handelsregister"])
def test_titles_of_one_word(title: str) -> None:
    assert not is_useless(title)


def test_a_page_whose_letters_cannot_be_read_leaves_the_file_name() -> None:
    rows = (("EEUêërwëü", 20, True), ("Rå\ufffdtëéuçâåréëéut\ufffdå rsé Råâüâêwâéçê êrsåWéwÉsåçwê", 10, False))
    matter = FrontMatter(file="Pruefungsordnung.pdf", pages=(page(*rows),), heights=(842.0,))
    assert identify(matter).title.text == "Pruefungsordnung"


def test_people_are_not_titles() -> None:
    assert people("Jeffrey Dean and Sanjay Ghemawat") == ("Jeffrey Dean", "Sanjay Ghemawat")
    assert not people("Enrollment and Identity Proofing")
    assert is_date("24. September 2021")
    assert not is_date("In September 2021 it rained.")
    assert is_garbled("Rå\ufffdtëéuçâåréëéut\ufffdå rsé Råâüâêwâéçê êrsåWéwÉsåçwê")


@pytest.mark.parametrize(
    ("lines", "title", "date"),
    [
        (
            ["DECISION (EU) 2031/454 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL", "of 17 February 2031",
             "on the use of",
             "Directive 2009/1/EC – a case", "THE EUROPEAN PARLIAMENT AND THE COUNCIL OF THE EUROPEAN UNION,"],
            "Decision (EU) 2031/454 of the European Parliament and of the Council of 17 February 2031 on the use of "
            "Directive 2009/1/EC – a case", "2031-02-17",
        ),
        (
            ["VERORDNUNG (EU) 2031/679 DES EUROPÄISCHEN PARLAMENTS UND DES RATES", "vom 27. April 2031",
             "zum Schutz der Luft (Luftverordnung)", "(Text von Bedeutung für den EWR)", "gestützt auf den Vertrag"],
            "Verordnung (EU) 2031/679 des Europäischen Parlaments und des Rates vom 27. April 2031 zum Schutz der Luft "
            "(Luftverordnung)", "2031-04-27",
        ),
        (
            ["►B COUNCIL DIRECTIVE 2013/59/EURATOM", "of 5 December 2013", "on safety", "Having regard to the Treaty"],
            "Council Directive 2013/59/EURATOM of 5 December 2013 on safety", "2013-12-05",
        ),
    ],
)  # fmt: skip
def test_an_act_of_the_union_is_named_as_the_official_journal_does(lines: list[str], title: str, date: str) -> None:
    found = identify(
        front(("Official Journal", 10, False), ("4.3.2031", 10, False), *((one, 10, False) for one in lines))
    )
    assert (found.title.text, found.date and found.date.text) == (title, date)


def test_a_line_of_the_text_that_names_an_act_is_no_title() -> None:
    rows = [("Annual Report", 24, True), ("as laid down in", 10, False), ("Directive 2009/128/EC", 10, False)]
    assert identify(front(*rows, ("of the Council, which entered into force", 10, False))).title.text == "Annual Report"


@pytest.mark.parametrize(
    ("words", "masthead"),
    [
        ("Copyright Act", False),
        ("Machine-readable debian/copyright file", False),
        ("Copyright (c) 2021 The Keepers", True),
        ("Copyright 2021 by the Keepers", True),
        ("© The Keepers", True),
    ],
)
def test_a_notice_of_copyright_is_no_title_and_an_act_on_it_is(words: str, masthead: bool) -> None:
    assert is_masthead(words) is masthead


def test_a_title_in_the_properties_that_is_printed_as_a_line_leads() -> None:
    rows = (
        ("6.5 Tools: keys, locks", 18, True),
        ("6.5.1 keys and their bits", 16, True),
        ("Keys are kept.", 10, False),
    )
    matter = FrontMatter(
        file="tools.html", pages=(page(*rows),), heights=(842.0,), properties={"title": "6.5 Tools: keys, locks"}
    )
    assert identify(matter).title.text == "6.5 Tools: keys, locks"


@pytest.mark.parametrize(
    ("file", "title", "expected"),
    [
        ("classes.html", "9. Classes and keys — Manual 3.11 documentation", "9. Classes and keys"),
        ("classes.html", "Other words — Manual 3.11 documentation", "Other words — Manual 3.11 documentation"),
    ],
)
def test_the_name_of_a_site_is_no_part_of_the_title(file: str, title: str, expected: str) -> None:
    rows = (("9. Classes and keys", 22, True), ("Keys are kept in a safe place.", 10, False))
    matter = FrontMatter(file=file, pages=(page(*rows),), heights=(842.0,), properties={"title": title})
    assert identify(matter).title.text == expected


@pytest.mark.parametrize(
    ("notices", "year"),
    [
        (["Copyright © 2004–2010 A. Author"], 2010),
        (["Copyright c⃝1999-2022 by the authors. All rights reserved."], 2022),
        (["Copyright © 1998-2002 Ann Author", "Copyright © 2005-2015 Ben Writer", "Copyright © 2010 Cy Editor"], 2015),
        (["8 April 2018", "Copyright © 2019 A. Author"], 2018),
    ],
)
def test_the_last_year_of_copyright_is_the_edition_s(notices: list[str], year: int) -> None:
    rows = [("A Guide to Tides", 24, True), *((notice, 10.0, False) for notice in notices)]
    assert identify(front(*rows)).year == year


def test_a_date_with_its_label_is_no_part_of_the_title() -> None:
    found = identify(front(("Handbuch der Gezeiten", 24, True), ("Publikationsdatum: 31.01.2024", 17, True)))
    assert found.title.text == "Handbuch der Gezeiten"
    assert found.date is not None
    assert found.date.text == "2024-01-31"


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("ISSN: 1234-1721                              November 2022", "2022-11"),
        ("ISSN: 1234-1721 November 2022", "2022-11"),
        ("Tides on IPv6 August 1996", "1996-08"),
        ("Tides in UTF-8 November 2003", "2003-11"),
        ("TGP: 9                                        October 1996", "1996-10"),
        ("9 October 1996", "1996-10-09"),
        ("North, 9. Oktober 1996", "1996-10-09"),
    ],
)
def test_a_number_that_belongs_to_something_else_is_no_day(line: str, date: str) -> None:
    found = identify(front(("A Guide to Tides", 24, True), (line, 10, False)))
    assert found.date is not None
    assert found.date.text == date


def test_a_chapters_header_is_no_title_and_the_name_of_a_program_on_a_cover_is() -> None:
    cover = page(("tide-tools", 13, False), ("2.0.0", 11, False), ("Generated by Doxygen 1.9.1", 11, False))
    pages = (cover, page(*BODY))
    headers = {"Generated by Doxygen": 300, "tides.h File Reference": 12}
    matter = FrontMatter(file="manual.pdf", pages=pages, heights=(842.0, 842.0), headers=headers)
    assert identify(matter).title.text == "tide-tools"
    bare = FrontMatter(file="manual.pdf", pages=pages[1:], heights=(842.0,), headers=headers)
    assert identify(bare).title.text != "tides.h File Reference"


def test_the_subject_that_heads_the_pages_is_the_title_of_a_transmitted_manual() -> None:
    rows = [("MANUAL TRANSMITTAL", 16.0, True), ("2.3.59", 12.0, True), *BODY]
    matter = FrontMatter(
        file="x.pdf",
        pages=(page(*rows),),
        heights=(842.0,),
        headers={"Command Codes for Tides": 160, "Internal Manual": 330},
        properties={"title": "2.3.59 (Rev 12/22)", "subject": "Command Codes for Tides"},
    )
    assert identify(matter).title.text == "Command Codes for Tides"


def test_who_holds_the_rights_is_no_part_of_the_title() -> None:
    found = identify(front(("Free Tides Licence", 20, True), ("(c) Ministry of Tides", 12, False)))
    assert found.title.text == "Free Tides Licence"


@pytest.mark.parametrize(
    ("printed", "title"),
    [
        ("Erfüllung der Do- kumentationspflichten", "Erfüllung der Dokumentationspflichten"),
        ("Ein- und Ausgabe", "Ein- und Ausgabe"),
        ("Input- or output", "Input- or output"),
        ("Strahlen- Schutz", "Strahlen- Schutz"),
        ("A - b", "A - b"),
    ],
)
def test_words_of_a_title_that_a_line_break_divided_are_whole(printed: str, title: str) -> None:
    assert clean(printed) == title
