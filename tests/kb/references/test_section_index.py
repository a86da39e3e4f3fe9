"""Numbers of sections: spellings, kinds, order."""

from __future__ import annotations

import pytest
from library import small_document

from rabbithole.kb.references.grammar.number_keys import number_key
from rabbithole.kb.references.resolution.sections.list_items import find_item
from rabbithole.kb.references.resolution.sections.section_index import SectionIndex
from rabbithole.kb.references.resolution.sections.section_parts import (
    TextSpan,
    caption_inside_a_line,
    find_parts,
    sentences,
)

NUMBERS = [
    "Teil 2",
    "§ 1",
    "§ 27a",
    "Artikel 5",
    "4.2.3",
    "Appendix B",
    "B.1",
    "Anlage 4",
    "Zweiter Abschnitt",
    "Chapter IV",
]
INDEX = SectionIndex(small_document("x.pdf", "X", {number: f"{number} Heading" for number in NUMBERS}).sections)


@pytest.mark.parametrize(
    ("number", "key"),
    [
        ("§ 27", ("§", "27")),
        ("§ 27 a", ("§", "27a")),
        ("§§ 5", ("§", "5")),
        ("Art. 20a", ("art", "20a")),
        ("Artikel 5", ("art", "5")),
        ("4.2.3.", ("", "4.2.3")),
        ("Annex B", ("annex", "b")),
        ("Zweiter Abschnitt", ("abschnitt", "2")),
        ("Section 5.2", ("section", "5.2")),
        ("", ("", "")),
    ],
)
def test_number_key(number: str, key: tuple[str, str]) -> None:
    assert number_key(number) == key


@pytest.mark.parametrize(
    ("unit", "value", "found"),
    [
        ("§", "27a", "§ 27a"),
        ("Art", "5", "Artikel 5"),
        ("article", "5", "Artikel 5"),
        ("section", "4.2.3", "4.2.3"),
        ("Abschnitt", "4.2.3", "4.2.3"),
        ("Abschnitt", "2", "Zweiter Abschnitt"),
        ("appendix", "B.1", "B.1"),
        ("appendix", "B", "Appendix B"),
        ("Teil", "II", "Teil 2"),
        ("chapter", "4", "Chapter IV"),
        ("Anlage", "4", "Anlage 4"),
        ("Anlage", "IV", None),
        ("§", "27", None),
        ("§", "5", None),
        ("Anhang", "5", None),
        ("Anlage", "7", None),
    ],
)
def test_find(unit: str, value: str, found: str | None) -> None:
    assert [section.number for section in INDEX.find(unit, value)] == ([found] if found else [])


def test_a_part_of_a_standard_is_another_volume_not_its_section() -> None:
    standard = SectionIndex(small_document("x.pdf", "X", {"2": "Terms", "3": "Method", "3.1": "Setup"}).sections)
    assert standard.find("Teil", "2") == ()
    assert [section.number for section in standard.find("Abschnitt", "2")] == ["2"]
    parts = SectionIndex(small_document("x.pdf", "X", {"1": "Part One", "2": "Part Two"}).sections)
    assert [section.number for section in parts.find("part", "2")] == ["2"]


def test_neighbours_of_the_same_kind() -> None:
    first = INDEX.find("§", "1")[0]
    assert [section.number for section in INDEX.successors(first, 5)] == ["§ 27a"]
    last = INDEX.find("§", "27a")[0]
    assert INDEX.predecessor(last) == first
    assert INDEX.predecessor(first) is None


PARAGRAPH = (
    "§ 7 Antrag\n(1) Der Antrag ist nach § 3 Abs. 2 Nr. 1 zu stellen. Er muss enthalten:\n1. den Namen,\n"
    "2. die Art:\na) fest,\nb) lose\naa) trocken,\nbb) nass,\n3. den Ort.\n"
    "Die Behörde entscheidet bis zum 1. Januar. Satz 1 gilt.\n(1a) Neu.\n(2) Ende."
)


@pytest.mark.parametrize(
    ("path", "beginning", "missing"),
    [
        ([("Abs", "1")], "(1) Der Antrag", None),
        ([("Abs", "1a")], "(1a) Neu.", None),
        ([("Abs", "1"), ("Nr", "2")], "2. die Art:", None),
        ([("Abs", "1"), ("Nr", "2"), ("Buchst", "b")], "b) lose", None),
        ([("Abs", "1"), ("Nr", "2"), ("Buchst", "b"), ("DBuchst", "bb")], "bb) nass,", None),
        ([("Abs", "1"), ("Satz", "1")], "Der Antrag ist", None),
        ([("Abs", "1"), ("Satz", "2")], "Er muss enthalten:", None),
        ([("Abs", "1"), ("Satz", "3")], "Die Behörde entscheidet bis zum 1. Januar.", None),
        ([("Abs", "3")], "§ 7 Antrag", ("Abs", "3")),
        ([("Abs", "2"), ("Nr", "4")], "(2) Ende.", ("Nr", "4")),
    ],
)
def test_parts(path: list[tuple[str, str]], beginning: str, missing: tuple[str, str] | None) -> None:
    found = find_parts(PARAGRAPH, tuple(path), 100)
    assert PARAGRAPH[found.span.start - 100 : found.span.end - 100].startswith(beginning)
    assert found.missing == missing


def test_english_paragraphs() -> None:
    text = (
        "§ 20.1201 Limits.\n(a) The licensee shall control:\n(1) An annual limit:\n"
        "(i) The dose;\n(ii) The sum.\n(2) Lens.\n(b) Next."
    )
    found = find_parts(text, (("paragraph", "a"), ("paragraph", "1"), ("paragraph", "ii")))
    assert text[found.span.start : found.span.end] == "(ii) The sum."
    found = find_parts(text, (("paragraph", "a"),))
    assert text[found.span.start : found.span.end].endswith("(2) Lens.")


def test_sentences_end_where_sentences_end() -> None:
    text = "(1) Es gilt z. B. § 3 Abs. 2. Der 2. Teil bleibt, s. Anlage 1. Neu? Ja."
    assert [text[span.start : span.end] for span in sentences(text, TextSpan(0, len(text)))] == [
        "Es gilt z. B. § 3 Abs. 2.",
        "Der 2. Teil bleibt, s. Anlage 1.",
        "Neu?",
        "Ja.",
    ]


def test_rows_of_an_annex() -> None:
    text = "Anlage 1 Liste\nNr. | Vorhaben |\n18.4 | Bau von Parkplätzen |\n18.4.1 | groß | X |\n18.5 | Industriezone |"
    found = find_parts(text, (("Nr", "18.4"),))
    assert text[found.span.start : found.span.end] == "18.4 | Bau von Parkplätzen |\n18.4.1 | groß | X |"


def test_sentence_glued_to_the_one_before() -> None:
    text = "(1) Es gilt:\n1. das Erste,\n2. das Zweite.Durch Verordnung wird es geregelt."
    spans = sentences(text, TextSpan(0, len(text)))
    assert [text[span.start : span.end].split()[0] for span in spans] == ["Es", "Durch"]


COUNTED = {
    "1": "1 Scope\nIt says 7. more.",
    "2": "2 Terms\nItems:\n3. an item of a list that is a whole sentence.\n",
    "2.1": "2.1 Words\n3 Method\nThe method.\n",
    "4.0": "4.0 Report\n",
}


def test_a_lost_heading_is_looked_for_where_it_would_stand() -> None:
    index = SectionIndex(small_document("x.pdf", "X", COUNTED).sections)
    starts = {section.number: section.start for section in index.sections}
    assert index.room("3") == (starts["2.1"], starts["4.0"])
    assert index.room("1.5") == (starts["1"], starts["2"])
    assert index.room("A.1") is None
    assert [section.number for section in index.find("section", "4")] == ["4.0"]
    few = SectionIndex(small_document("x.pdf", "X", {"1": "1 Scope"}).sections)
    assert few.room("3") is None


def test_annexes_are_told_apart_by_letters_or_by_figures() -> None:
    lettered = SectionIndex(small_document("x.pdf", "X", {"Appendix A": "A", "Appendix B": "B"}).sections)
    assert lettered.annexes_like("C")
    assert not lettered.annexes_like("III")
    assert not lettered.annexes_like("3")
    assert SectionIndex(small_document("x.pdf", "X", {"1": "1 Scope"}).sections).annexes_like("III")


def test_an_annex_is_no_numbered_line() -> None:
    index = SectionIndex(small_document("x.pdf", "X", {"4": "Semester", "A": "Tables"}).sections)
    assert index.find("Anlage", "4") == ()
    assert [section.number for section in index.find("appendix", "A")] == ["A"]


@pytest.mark.parametrize(
    ("numbers", "unit", "value", "found"),
    [
        (["Kapitel 1", "Anhang", "B"], "Kapitel", "B", "B"),  # a letter after "Kapitel" is that of an appendix
        (["Kapitel 1", "Anhang", "B"], "Anhang", "B", "B"),  # the heading "Anhang" has no letter of its own
        (["Kapitel 1", "Anhang", "B"], "Kapitel", "D", None),
        (["Kapitel 1", "Anhang B"], "Kapitel", "B", "Anhang B"),
        (["Kapitel 1", "Anhang I"], "Kapitel", "I", "Kapitel 1"),
        (["Kapitel 1", "Anhang B", "C"], "Anhang", "C", None),
    ],
)
def test_an_appendix_may_be_called_a_chapter(numbers: list[str], unit: str, value: str, found: str | None) -> None:
    index = SectionIndex(small_document("x.pdf", "X", {number: number for number in numbers}).sections)
    assert [section.number for section in index.find(unit, value)] == ([found] if found else [])


def test_a_section_is_a_chapter_where_only_chapters_are_numbered() -> None:
    chapters = {"Chapter 1": "Chapter 1 Fonts", "": "Names", "Chapter 2": "Chapter 2 Axes"}
    index = SectionIndex(small_document("x.pdf", "X", chapters).sections)
    assert [section.number for section in index.find("section", "2")] == ["Chapter 2"]
    more = SectionIndex(small_document("x.pdf", "X", chapters | {"1.1": "1.1 Sizes"}).sections)
    assert more.find("section", "2") == ()


def test_an_appendix_is_found_by_the_words_of_its_numbered_heading() -> None:
    texts = {"25": "25 Ende", "26": "26 Anhang A - Die Lizenz", "Anhang C": "Anhang C Anhang E"}
    index = SectionIndex(small_document("x.pdf", "X", texts).sections)
    assert [section.number for section in index.find("Anhang", "A")] == ["26"]
    assert index.find("Anhang", "E") == ()  # it is numbered C


NESTED = "1. First.\n2. Second:\n1. One.\n2. Two:\na) so\nb) or so\n3. Third.\n4. Last. 5. Inside a line.\n6. End."


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ("1", "1. First."),
        ("2.2", "2. Two:\na) so\nb) or so"),
        ("2.1", "1. One."),
        ("2.2.b", "b) or so"),
        ("2.3", "3. Third."),
        ("2.4", "4. Last. 5. Inside a line."),
        ("2.6", "6. End."),
        ("3", "3. Third."),  # no other item can be meant
        ("7", None),
        ("1.1", None),
    ],
)
def test_items_of_nested_lists(numbers: str, text: str | None) -> None:
    found = find_item(NESTED, numbers.split("."))
    assert (NESTED[slice(*found)] if found else None) == text


def test_a_list_goes_on_after_the_one_inside_its_item() -> None:
    text = "1. First:\n1. One.\n2. Two.\n3. Three.\n2. Second."
    found = find_item(text, ["2"])
    assert found is not None
    assert text[slice(*found)] == "2. Second."
    assert find_item("6. Conveying\nb) later\n", ["b"]) is None  # no list begins with its second item


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("3.3", "3. Nested three."),  # "4." may go on both lists, and first goes on the inner one
        ("3.4", "4. Four."),
        ("5", "5. Five.\n1. Of five."),
        ("5.1", "1. Of five."),
        ("6", "6. Six."),
        ("7", None),
    ],
)
def test_an_item_behind_an_inner_list_of_as_many_items_is_found(number: str, text: str | None) -> None:
    nested = "1. One.\n2. Two.\n3. Three:\n1. Nested one.\n2. Nested two.\n3. Nested three.\n"
    nested += "4. Four.\n5. Five.\n1. Of five.\n6. Six."
    found = find_item(nested, number.split("."))
    assert (nested[slice(*found)] if found else None) == text


FIGURES = (
    "Figure 3 shows the parts.\nFigure 3(c) is left out.\nFIGURE 3. The parts\nTable 1 Values\n1 2\nTable 2 lists them."
)


@pytest.mark.parametrize(
    ("unit", "value", "beginning"),
    [
        ("figure", "3", "FIGURE 3. The parts"),
        ("table", "1", "Table 1 Values"),
        ("table", "2", None),  # a sentence about it is not the table
    ],
)
def test_captions_are_told_from_sentences(unit: str, value: str, beginning: str | None) -> None:
    found = find_parts(FIGURES, ((unit, value),))
    assert (FIGURES[found.span.start :].startswith(beginning) if beginning else found.missing) == (
        True if beginning else (unit, value)
    )


@pytest.mark.parametrize(
    ("unit", "value", "possible"),
    [("control", "1", False), ("rule", "3", True), ("section", "4971a", False), ("section", "2.1", True)],
)
def test_a_number_that_the_document_cannot_have(unit: str, value: str, possible: bool) -> None:
    sections = small_document("y.pdf", "Y", {number: number for number in ("1.1", "1.2", "2.3", "Rule 1")}).sections
    assert SectionIndex(sections).can_have(unit, value) is possible


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("It copies Figure 3: The editor the value.\nFigure 4: Next", "Figure 3: The editor the value."),
        ("the num-Figure 3: i8051 parts ber", "Figure 3: i8051 parts ber"),
        ("of 9 TABLE 1: x Figure 3:\nCGRAM Figure 4: Next", "Figure 3:\nCGRAM"),
        ("character constant FIGURE 3.\nnext", "FIGURE 3.\nnext"),
        ("a constant as in FIGURE 3.\nnext", None),
        ("the constant Figure 3.\nnext", None),
        ("as shown in Figure 3: The editor", None),
        ("(siehe Figure 3: The editor)", None),
        ("It copies Figure 3: and more", None),
        ("It copies Figure 31: The editor", None),
    ],
)
def test_captions_inside_a_line(text: str, caption: str | None) -> None:
    found = caption_inside_a_line(text, "figure", "3")
    assert (text[found.start : found.end] if found else None) == caption
