"""Outlines of the layouts met in real collections, each made small: what must be found, and what must not."""

from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.outline.bookmarks import without_headings
from rabbithole.kb.ingest.outline.heading_alignment import Bookmark
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.mupdf import pymupdf

PLAIN, BOLD = "helv", "hebo"
Row = tuple[str, str, int, int]
WORDS = "und so geht der Satz mit vielen Worten weiter bis an das Ende dieser Zeile"


class Pages:
    """A PDF drawn word by word: ``at`` writes a line, ``text`` a paragraph of running text."""

    def __init__(self) -> None:
        self.document = pymupdf.open()
        self.y = 0.0

    def page(self, top: float = 90) -> "Pages":
        self.sheet = self.document.new_page(width=595, height=842)
        self.y = top
        return self

    def at(self, text: str, x: float = 72, size: float = 10, font: str = PLAIN, *, y: float | None = None) -> "Pages":
        self.sheet.insert_text((x, self.y if y is None else y), text, fontsize=size, fontname=font)
        return self

    def head(self, text: str, size: float = 10, x: float = 72, gap: float = 14) -> "Pages":
        self.y += gap
        self.at(text, x, size, BOLD)
        self.y += size + 10
        return self

    def text(self, first: str = "Ein Satz", lines: int = 3, x: float = 72, words: str = WORDS) -> "Pages":
        for number in range(lines):
            self.at(f"{first if number == 0 else ''} {words}".strip(), x)
            self.y += 12
        self.at("und hier endet er.", x)
        self.y += 20
        return self

    def read(self, path: Path, toc: Sequence[tuple[int, str, int]] = ()) -> ParsedDocument:
        if toc:
            self.document.set_toc([list(row) for row in toc])
        self.document.set_metadata({"title": "A small document"})
        self.document.save(path)
        return parse_pdf(path)


def outline(parsed: ParsedDocument) -> list[Row]:
    """Number, heading, page from 1 and level of the sections, without the one before the first heading."""
    return [
        (s.number, s.heading, s.page + 1, s.level)
        for n, s in enumerate(parsed.sections)
        if n or s.number or s.heading != parsed.title or parsed.text.startswith(f"{s.heading}\n")
    ]


def manual_with_margin() -> Pages:
    pages = Pages().page()
    for number, title, date in (("3.1", "Scope", "01-17-2023"), ("3.2", "Roles and", "01-20-2021")):
        top = pages.y
        for place, (line, font) in enumerate(((number, PLAIN), (f"({date})", PLAIN), (title, BOLD))):
            pages.at(line, 72, y=top + 12 * place, font=font)
        if title.endswith("and"):
            pages.at("Duties", 72, y=top + 36, font=BOLD)
        pages.text("(1) The system", 5, 200)
        pages.y += 20
    return pages


def test_headings_in_the_margin(tmp_path: Path) -> None:
    expected = [("3.1", "Scope", 1, 0), ("3.2", "Roles and Duties", 1, 0)]
    marks = [(1, "3.1  Scope", 1), (1, "3.2  Roles and Duties", 1)]
    with_marks = manual_with_margin().read(tmp_path / "marks.pdf", marks)
    plain = manual_with_margin().read(tmp_path / "plain.pdf")
    assert outline(with_marks) == outline(plain) == expected
    second = with_marks.sections[-1]
    assert with_marks.text[second.start :].startswith("3.2 (01-20-2021) Roles and Duties\n(1) The system")


def gazette() -> Pages:
    pages = Pages().page().head("Gesetz über Proben", 14)
    for part in range(1, 4):
        pages.head(f"§ {part}").text("(1) Die Probe", 30)
        pages.page()
    pages.at("Anlage 1", 500, font=BOLD)
    pages.at("(zu § 1 Absatz 1)", 470, y=pages.y + 12)
    pages.at("Werte der Proben", 230, 12, BOLD, y=pages.y + 60)
    pages.y += 100
    for _ in range(4):
        pages.text("Die Werte", 40).page()
    pages.head("Verordnung über Muster", 14).text("Auf Grund", 4)
    return pages


def test_a_bookmark_a_law_is_filled_up(tmp_path: Path) -> None:
    parsed = gazette().read(tmp_path / "a.pdf", [(1, "Gesetz über Proben", 1), (1, "Verordnung über Muster", 8)])
    assert outline(parsed) == [
        ("", "Gesetz über Proben", 1, 0),
        ("§ 1", "", 1, 1),
        ("§ 2", "", 2, 1),
        ("§ 3", "", 3, 1),
        ("Anlage 1", "(zu § 1 Absatz 1) Werte der Proben", 4, 1),
        ("", "Verordnung über Muster", 8, 0),
    ]
    assert parsed.outline_source == "bookmarks and typography"


def test_a_short_title_is_not_led_astray_by_the_same_word_in_the_text(tmp_path: Path) -> None:
    pages = Pages().page().head("2.1 Werkzeuge", 13).text("Es gibt", 2)
    pages.at("Git").text("ist eines", 2, 90)
    pages.head("2.2 Git", 13).text("Das Werkzeug", 2)
    pages.at("2.3 Pakete").head("2.3 Pakete", 13).text("Die Pakete", 2)
    parsed = pages.read(tmp_path / "a.pdf", [(1, "Werkzeuge", 1), (1, "Git", 1), (1, "Pakete", 1)])
    assert outline(parsed) == [("2.1", "Werkzeuge", 1, 0), ("2.2", "Git", 1, 0), ("2.3", "Pakete", 1, 0)]
    assert "ist eines" in parsed.text[parsed.sections[0].start : parsed.sections[0].own_end]


def test_bookmarks_in_another_order_than_the_text(tmp_path: Path) -> None:
    pages = Pages().page()
    for title in ("prepare", "read", "fit"):
        pages.head(title, 13).text("The function", 2)
    parsed = pages.read(tmp_path / "a.pdf", [(1, "read", 1), (1, "prepare", 1), (1, "fit", 1)])
    assert [row[1] for row in outline(parsed)] == ["prepare", "read", "fit"]


def test_a_bookmark_without_heading_does_not_take_the_running_text(tmp_path: Path) -> None:
    pages = Pages().page().head("§ 1 Zweck", 12).text("(1) Die Probe", 20)
    pages.page().at("geht weiter auf der zweiten Seite mit ihrem Text bis zum Ende der Zeile")
    parsed = (
        pages.page()
        .head("§ 3 Schluss", 12)
        .text("Der Text", 3)
        .read(tmp_path / "a.pdf", [(1, "§ 1 Zweck", 1), (1, "§ 2 Verloren", 2), (1, "§ 3 Schluss", 3)])
    )
    first, lost, _ = parsed.sections
    assert "geht weiter" in parsed.text[first.start : first.own_end]
    assert (lost.number, lost.page, lost.end - lost.start) == ("§ 2", 1, 0)


def test_chapters_take_the_number_printed_above_their_title(tmp_path: Path) -> None:
    pages = Pages()
    for number, title in enumerate(("Übersicht", "Werkzeuge"), 1):
        pages.page().at(f"Kapitel {number}", 400, 16, BOLD)
        pages.y += 40
        pages.head(title, 18).text("Der Text", 3).head(f"{number}.1 Anfang", 13).text("Der Text", 3)
    marks = [(1, "Übersicht", 1), (2, "Anfang", 1), (1, "Werkzeuge", 2), (2, "Anfang", 2)]
    assert outline(pages.read(tmp_path / "a.pdf", marks)) == [
        ("Kapitel 1", "Übersicht", 1, 0),
        ("1.1", "Anfang", 1, 1),
        ("Kapitel 2", "Werkzeuge", 2, 0),
        ("2.1", "Anfang", 2, 1),
    ]


def test_chapters_take_the_number_printed_in_words_above_their_title(tmp_path: Path) -> None:
    pages = Pages()
    titles = [("CHAPTER", "ONE", "Setup"), ("CHAPTER", "TWENTY-ONE", "Realms"), ("APPENDIX", "A", "Formats")]
    for label, number, title in titles:
        pages.page().at(label, 400, 12, BOLD)
        pages.y += 30
        pages.at(number, 400, 16, BOLD)
        pages.y += 40
        pages.head(title, 18).text("The text", 3)
    pages.page().at("THIRTEEN", 400, 16, BOLD)  # its label may be taken for a running line
    pages.y += 40
    pages.head("Links", 18).text("The text", 3).at("TWO", 400, 16, BOLD)
    pages.y += 40
    pages.head("Errors", 18).text("The text", 3)
    marks = [(1, "Setup", 1), (1, "Realms", 2), (1, "Formats", 3), (1, "Links", 4), (1, "Errors", 4)]
    assert [(number, heading) for number, heading, *_ in outline(pages.read(tmp_path / "a.pdf", marks))] == [
        ("Chapter 1", "Setup"),
        ("Chapter 21", "Realms"),
        ("Appendix A", "Formats"),
        ("Chapter 13", "Links"),
        ("", "Errors"),
    ]


def test_parts_take_their_number_from_the_line_above_the_title(tmp_path: Path) -> None:
    pages = Pages()
    for number, title in (("Teil I", "Ideen"), ("Teil II", "Anhang")):
        pages.page().at(number, 250, 18, BOLD)
        pages.y += 40
        pages.head(title, 20).text("Der Text", 3)
    marks = [(1, "I Ideen", 1), (1, "II Anhang", 2)]
    assert outline(pages.read(tmp_path / "a.pdf", marks)) == [("Teil I", "Ideen", 1, 0), ("Teil II", "Anhang", 2, 0)]


def test_parts_stand_under_the_article_that_enacts_them(tmp_path: Path) -> None:
    pages = Pages().page()
    titles = ["Artikel 1 Probengesetz", "Teil 1 Allgemeines", "§ 1 Zweck", "Artikel 2 Inkrafttreten"]
    for title in titles:
        pages.head(title, 12).text("Der Text", 2)
    expected = [
        ("Artikel 1", "Probengesetz", 1, 0),
        ("Teil 1", "Allgemeines", 1, 1),
        ("§ 1", "Zweck", 1, 2),
        ("Artikel 2", "Inkrafttreten", 1, 0),
    ]
    levels = (1, 1, 2, 1)
    assert outline(pages.read(tmp_path / "a.pdf", [(n, t, 1) for n, t in zip(levels, titles, strict=True)])) == expected
    again = Pages().page()
    for title in titles:
        again.head(title, 12).text("Der Text", 2)
    assert outline(again.read(tmp_path / "b.pdf")) == expected


def unnumbered() -> Pages:
    """A paper without numbers: titles over two lines, a framed note, a table's head, a run-in word in bold."""
    pages = Pages().page().head("Background", 12).text("The text", 4)
    pages.head("Explanation of a Change to the", gap=10)
    pages.y -= 8
    pages.at("Applicability", font=BOLD)
    pages.y += 20
    pages.text("The text", 3)
    pages.sheet.draw_rect(pymupdf.Rect(70, pages.y - 14, 400, pages.y + 60))
    pages.at("Note", font=BOLD)
    pages.y += 18
    pages.text("In a frame", 1, words="stands some text")
    pages.y += 20
    for x, word in ((72, "Question"), (250, "First answer"), (430, "Second answer")):
        pages.at(word, x, font=BOLD)
    pages.y += 20
    for x, word in ((72, "What is it"), (250, "A thing of some kind"), (430, "Another thing")):
        pages.at(word, x)
    pages.y += 30
    return pages.head("Conclusion", 12).text("The text", 3)


def test_titles_without_numbers(tmp_path: Path) -> None:
    assert [row[1] for row in outline(unnumbered().read(tmp_path / "a.pdf"))] == [
        "Background",
        "Explanation of a Change to the Applicability",
        "Conclusion",
    ]


def test_an_excerpt_of_a_manual_skips_numbers(tmp_path: Path) -> None:
    pages = Pages().page()
    titles = ["1.1 Basics", "1.3.1 Existing control", "2.1.6 Commands", "2.2 Separation", "3.6.6 Activating"]
    for title in titles:
        pages.head(title, 14).text("The text", 3)
    assert [f"{row[0]} {row[1]}" for row in outline(pages.read(tmp_path / "a.pdf"))] == titles


def test_titles_in_large_letters_may_begin_small(tmp_path: Path) -> None:
    pages = Pages().page()
    titles = ["1 Start", "2 /opt : added software", "2.1 Purpose", "3 libc", "4 /usr/share : data of"]
    for title in titles:
        pages.head(title, 14).text("The text", 3)
    pages.text("5 more of them are in the annex", 1).text("6/8 of all", 1)
    assert [f"{row[0]} {row[1]}" for row in outline(pages.read(tmp_path / "a.pdf"))] == titles


def test_numbered_headings_at_the_top_of_pages_are_no_running_lines(tmp_path: Path) -> None:
    pages = Pages()
    for number in range(1, 6):
        pages.page(40).at("Probengesetz", 72, 8).at(f"Seite {number} von 5", 450, 8)
        pages.y = 70
        pages.head(f"§ {number}", 11).text("(1) Die Probe", 4)
    assert [row[0] for row in outline(pages.read(tmp_path / "a.pdf"))] == [f"§ {number}" for number in range(1, 6)]


def table_beside_text(pages: Pages) -> Pages:
    for number in range(6):
        pages.page(60)
        for x, word in ((310, "Top-1"), (360, "Top-20"), (410, "Top-100")):
            pages.at(word, x, font=BOLD)
        for line in range(20):
            word = "abcdef"[number] * 3 + "wxyz"[line % 4] * line
            pages.at(f"{word} links steht sie mit ein paar Worten", 60, y=60 + 12 * line)
            if line:
                pages.at(f"{line}1.2   {line}3.4   {line}5.6  und noch mehr", 310, y=60 + 12 * line)
    return pages


def test_a_tables_head_that_comes_again_takes_no_text_with_it(tmp_path: Path) -> None:
    text = table_beside_text(Pages()).read(tmp_path / "a.pdf").text
    assert all(f"{letter * 3} links steht sie" in text for letter in "abcdef")


def test_a_printed_table_of_contents_is_no_text(tmp_path: Path) -> None:
    pages = Pages().page().head("Contents", 14)
    for number, title in enumerate(("Scope", "Terms", "Duties", "Records"), 1):
        pages.at(f"{number} {title} {'.' * 60} {number + 1}")
        pages.y += 14
    for number, title in enumerate(("Scope", "Terms", "Duties", "Records"), 1):
        pages.page().head(f"{number} {title}", 14).text("The text", 4)
    parsed = pages.read(tmp_path / "a.pdf")
    assert [row[:3] for row in outline(parsed)][-4:] == [
        ("1", "Scope", 2),
        ("2", "Terms", 3),
        ("3", "Duties", 4),
        ("4", "Records", 5),
    ]
    assert "....." not in parsed.text


def test_a_heading_over_two_lines_loses_its_hyphen(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Verwaisen und Wiederein-", 13, gap=10)
    pages.y -= 6
    pages.at("führen von Paketen", 72, 13, BOLD)
    pages.y += 24
    pages.text("Der Text", 3).head("2 Ende", 13).text("Der Text", 2)
    parsed = pages.read(tmp_path / "a.pdf")
    assert outline(parsed)[0][:2] == ("1", "Verwaisen und Wiedereinführen von Paketen")


def test_names_of_joined_files_are_no_headings() -> None:
    rows = [(1, "Angebot_2024.PDF", 0), (2, "Leistung", 0), (3, "Umfang", 1), (1, "scan 12.tiff", 3), (1, "Preise", 4)]
    kept = without_headings([Bookmark(level, title, page) for level, title, page in rows])
    assert [(mark.level, mark.title) for mark in kept] == [(1, "Leistung"), (2, "Umfang"), (1, "Preise")]
    named = [Bookmark(1, "Die Datei config.xml", 0), Bookmark(2, "debian/control", 1)]
    assert without_headings(named) == named


def test_blank_bookmarks_and_numbers_without_their_words_are_no_headings() -> None:
    rows = [
        (1, "1. ", 0),
        (1, "1. Introduction", 1),
        (2, "1.1 Scope", 1),
        (1, " ", 2),
        (2, "Glossary", 2),
        (1, "2.", 3),
    ]
    kept = without_headings([Bookmark(level, title, page) for level, title, page in rows])
    assert [(mark.level, mark.title) for mark in kept] == [
        (1, "1. Introduction"),
        (2, "1.1 Scope"),
        (1, "Glossary"),
        (1, "2."),
    ]


def test_an_annex_says_over_two_plain_lines_what_it_belongs_to(tmp_path: Path) -> None:
    pages = Pages().page().head("§ 1 Geltung", 13).text("Der Text", 12)
    pages.page().at("Anlage 1 zur Studien- und Prüfungsordnung für den Bachelorstudiengang")
    pages.y += 12
    pages.at("Informatik und Wirtschaft")
    pages.y += 30
    pages.head("Studienplan", 13).text("Der Text", 6)
    parsed = pages.read(tmp_path / "a.pdf")
    assert (
        "Anlage 1",
        "zur Studien- und Prüfungsordnung für den Bachelorstudiengang Informatik und Wirtschaft",
        2,
    ) in [row[:3] for row in outline(parsed)]


def test_a_bold_item_with_the_number_of_the_next_chapter_is_no_chapter(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Purpose").text().head("2 Proofing").text().head("2.1 Addresses").text()
    pages.head("2. If the code is handed over:").text("a. It is valid").head("3. If the code is sent:").text(
        "a. It is valid"
    )
    pages.head("2.2 Biometrics").text().head("2.3 Controls").text().head("3 Records").text()
    found = [(number, heading) for number, heading, _, _ in outline(pages.read(tmp_path / "a.pdf"))]
    assert [number for number, _ in found if number] == ["1", "2", "2.1", "2.2", "2.3", "3"]
    assert ("3", "Records") in found


def test_the_first_chapter_after_the_contents_has_its_number(tmp_path: Path) -> None:
    """ "Kapitel 1" on a line of its own ends in a number as the entries of the contents do."""
    pages = Pages().page().head("Inhaltsverzeichnis", 16)
    for title, page in (("1 Anfang", 2), ("1.1 Erster Schritt", 2), ("2 Fortgang", 3), ("2.1 Zweiter Schritt", 3)):
        pages.at(f"{title} {'. ' * 30} {page}")
        pages.y += 14
    for number, title in enumerate(("Anfang", "Fortgang"), 1):
        pages.page(150).at(f"Kapitel {number}", 400, 16, BOLD)
        pages.y += 40
        pages.head(title, 18).text("Der Text", 6).head(f"{number}.1 Ein Schritt", 13).text("Der Text", 6)
    marks = [(1, "Anfang", 2), (2, "Ein Schritt", 2), (1, "Fortgang", 3), (2, "Ein Schritt", 3)]
    rows = outline(pages.read(tmp_path / "a.pdf", marks))
    assert ("Kapitel 1", "Anfang", 2, 0) in rows
    assert ("Kapitel 2", "Fortgang", 3, 0) in rows


def test_a_list_with_a_few_leaders_is_no_contents(tmp_path: Path) -> None:
    pages = Pages().page().head("Changes", 14)
    for version in range(1, 7):
        pages.at(f"v1.{version} General: the file was written again and its")
        pages.at("options are read by the class before the package", y=pages.y + 12)
        pages.at(f"that uses them . . . . . . . . . {version}", y=pages.y + 24)
        pages.y += 36
    text = pages.read(tmp_path / "a.pdf").text
    assert text.count("the file was written again") == 6


def test_contents_without_title_or_leaders_are_left_out(tmp_path: Path) -> None:
    titles = ["Über das Buch", "Erste Schritte", "Die Werkzeuge", "Der Bau", "Die Pflege", "Fehler melden", "Die Namen"]
    pages = Pages().page()
    for place, title in enumerate(titles):
        pages.at(f"{title} {place + 2}")
        pages.y += 16
    marks = []
    for place, title in enumerate(titles):
        pages.page().head(title, 16).text("Der Text", 5)
        marks.append((1, title, place + 2))
    parsed = pages.read(tmp_path / "a.pdf", marks)
    assert parsed.text.startswith("Über das Buch\nDer Text")
    assert [row[1] for row in outline(parsed)] == titles


def test_a_section_stands_below_its_chapter_whatever_title_is_between(tmp_path: Path) -> None:
    pages = (
        Pages().page().head("1 Tides", 14).text("The text", 5).head("A Word in Large Letters", 18).text("The text", 5)
    )
    pages.head("1.1 Ebb", 12).text("The text", 5).page().head("2 Ships", 14).text("The text", 5)
    rows = [(row[0], row[3]) for row in outline(pages.read(tmp_path / "a.pdf")) if row[0]]
    assert rows == [("1", 0), ("1.1", 1), ("2", 0)]


def test_a_word_of_a_drawing_among_the_bookmarks_is_no_heading(tmp_path: Path) -> None:
    pages = Pages()
    for title in ("Tides", "Ships", "Harbours"):
        pages.page().head(title, 16).text("The text", 6)
    marks = [(1, "Tides", 1), (1, "Ships", 2), (1, "Guard", 1), (1, "Harbours", 3), (1, "Not printed", 3)]
    rows = [row[1] for row in outline(pages.read(tmp_path / "a.pdf", marks))]
    assert rows == ["Tides", "Ships", "Harbours", "Not printed"]


def test_a_heading_repeated_in_sections_stands_below_them(tmp_path: Path) -> None:
    pages = Pages().page()
    for chapter in ("1 Devices", "2 People"):
        pages.head(chapter, 12).text("A chapter")
        for section in ("1 Keys", "2 Cards"):
            pages.head(f"{chapter[0]}.{section}", 11).text("A section")
            pages.head("Typical Usage", 12).text("Usage")
        pages.page()
    found = outline(pages.read(tmp_path / "repeated.pdf"))
    assert [(number or heading, level) for number, heading, _, level in found] == [
        ("1", 0),
        ("1.1", 1),
        ("Typical Usage", 2),
        ("1.2", 1),
        ("Typical Usage", 2),
        ("2", 0),
        ("2.1", 1),
        ("Typical Usage", 2),
        ("2.2", 1),
        ("Typical Usage", 2),
    ]


def test_items_of_a_list_are_no_chapters_where_these_are_larger(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Commands of the style", 14).text("The command takes four parameters")
    for number, item in enumerate(("Name of the series", "First problem", "Last problem", "Address of the editor"), 1):
        pages.head(f"{number}. {item}", 10)
    pages.text("These are all").page().head("2 Small helpers", 14).text("Helpers")
    pages.head("3 The driver file", 14).text("Drivers")
    found = outline(pages.read(tmp_path / "style.pdf"))
    assert [number for number, _, _, _ in found] == ["1", "2", "3"]


def test_a_document_inside_an_appendix_has_its_own_numbers(tmp_path: Path) -> None:
    pages = Pages()
    for chapter in ("1 Devices", "2 People", "A Rules"):
        pages.page().head(chapter, 16).text("A chapter", 6)
    pages.head("A.1 Names", 14).text("A section", 6).page().head("B Memo", 16)
    for title in ("Abstract", "1. Scope", "1.1. Keys", "2. Cards"):
        pages.y += 14
        pages.at(title, 60, font="cour")
        pages.y += 24
        for _ in range(5):
            pages.at("The words of a memo that is set in typewriter letters", font="cour")
            pages.y += 12
    pages.page().head("C Licence", 16).text("A licence", 6).head("1 Copies", 16).text("A rule", 6)
    found = outline(pages.read(tmp_path / "memo.pdf"))
    assert [(number or heading, level) for number, heading, _, level in found] == [
        ("1", 0), ("2", 0), ("A", 0), ("A.1", 1),
        ("B", 0), ("Abstract", 1), ("1", 1), ("1.1", 2), ("2", 1),
        ("C", 0), ("1", 1),
    ]  # fmt: skip


def test_items_after_an_abstract_begin_no_document(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Devices", 16).text("A chapter", 6).head("Abstract").text("In short", 6)
    for item in ("1. Take the card.", "2. Open the door."):
        pages.at(item, 90)
        pages.y += 24
    pages.head("2 People", 16).text("A chapter", 6)
    found = outline(pages.read(tmp_path / "items.pdf"))
    assert [number or heading for number, heading, *_ in found] == ["1", "Abstract", "2"]


def test_captions_among_bookmarks_divide_no_section(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Devices", 16).text("A chapter", 6)
    pages.at("Figure 1. A device").text("goes on", 3).page().head("2 People", 16).text("A chapter", 6)
    toc = [(1, "1 Devices", 1), (2, "Figure 1. A device", 1), (3, "Keys", 1), (1, "2 People", 2), (1, "Table 2", 2)]
    found = outline(pages.read(tmp_path / "captions.pdf", toc))
    assert [number or heading for number, heading, *_ in found] == ["1", "Keys", "2"]


def test_bookmarks_that_all_are_captions_stay() -> None:
    marks = [Bookmark(1, f"Figure {number}. A device", number) for number in range(3)]
    assert without_headings(marks) == marks
