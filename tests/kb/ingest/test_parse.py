from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.document.read_options import ReadOptions
from rabbithole.kb.ingest.document.record import link_references
from rabbithole.kb.ingest.metadata.sidecar import Sidecars, typed
from rabbithole.kb.mupdf import pymupdf

LAW = [
    "Gesetz zum Schutz der Proben\n\nInhaltsübersicht\n§ 1 Zweck\n§ 2 Begriffe der\nProben\nAnlage 1 Werte",
    "§ 1 Zweck\n(1) Dieses Gesetz schützt Proben.\n(2) Es gilt auch für Gamma- und Betastrahlen.",
    "§ 2 Begriffe der\nProben\n1. Probe ist ein Ding.\nAnlage 1 Werte\nDie Werte stehen hier.",
]
TOC = [(1, "Inhaltsübersicht", 1), (1, "§ 1 Zweck", 2), (1, "§ 2 Begriffe derProben", 3), (1, "Anlage 1 Werte", 3)]


def test_bookmarks_lead_to_their_lines(tmp_path: Path) -> None:
    parsed = parse_pdf(write_pdf(tmp_path / "law.pdf", LAW, toc=TOC, title="Probenschutzgesetz"))
    rows = [(s.number, s.heading, s.page, s.last_page) for s in parsed.sections]
    assert rows == [
        ("", "Gesetz zum Schutz der Proben", 0, 0),
        ("", "Inhaltsübersicht", 0, 0),
        ("§ 1", "Zweck", 1, 1),
        ("§ 2", "Begriffe der Proben", 2, 2),
        ("Anlage 1", "Werte", 2, 2),
    ]
    first = parsed.sections[2]
    assert parsed.text[first.start : first.end].startswith("§ 1 Zweck\n(1) Dieses Gesetz schützt Proben.\n(2) Es gilt")
    assert parsed.outline_source == "bookmarks"
    assert parsed.text.count("§ 1 Zweck") == 1, "the printed table of contents is left out"


def test_numbering_without_bookmarks(tmp_path: Path) -> None:
    pages = [
        "1. Introduction\n\nThis text says that 2 things are so.\nIt goes on in a second line of text.\n\n"
        "1.1. Scope\n\nThe scope is small.\n\n1. a list item, not a heading\n2. another list item\n\n2. Methods",
        "Text of the methods.\n\n2.1. Data\n\nThe data are here.\n\nReferences\n\n[1] A. Author, A title, 2001.",
    ]
    parsed = parse_pdf(write_pdf(tmp_path / "paper.pdf", pages))
    assert [(s.number, s.heading, s.level) for s in parsed.sections] == [
        ("1", "Introduction", 0),
        ("1.1", "Scope", 1),
        ("2", "Methods", 0),
        ("2.1", "Data", 1),
        ("", "References", 0),
    ]
    assert [entry.label for entry in parsed.bibliography] == ["1"]


def test_sections_cover_the_text(tmp_path: Path) -> None:
    parsed = parse_pdf(write_pdf(tmp_path / "law.pdf", LAW, toc=TOC))
    ends = [section.own_end for section in parsed.sections]
    assert parsed.sections[0].start == 0
    assert [section.start for section in parsed.sections[1:]] == ends[:-1]
    assert ends[-1] == len(parsed.text)


def test_page_labels_of_the_file(tmp_path: Path) -> None:
    labels = [
        {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
        {"startpage": 1, "prefix": "A-", "style": "D", "firstpagenum": 5},
    ]
    parsed = parse_pdf(write_pdf(tmp_path / "a.pdf", ["Erste Seite hier", "Zweite Seite hier"], labels=labels))
    assert parsed.page_labels == ("i", "A-5")


def test_links_keep_their_target(tmp_path: Path) -> None:
    path = tmp_path / "links.pdf"
    document = pymupdf.open()
    for text in ("Please see chapter two for more", "Chapter two is here"):
        document.new_page().insert_text((72, 100), text, fontsize=11)
    place = document[0].search_for("chapter two")[0]
    document[0].insert_link({"kind": pymupdf.LINK_GOTO, "from": place, "page": 1, "to": pymupdf.Point(72, 90)})
    document.save(path)
    parsed = parse_pdf(path)
    (link,) = link_references(parsed)
    assert (link.method, link.page, link.text) == ("link", 1, "chapter two")
    assert parsed.text[link.start : link.end] == link.text


def test_two_columns_with_a_heading(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((120, 60), "A Title over both columns of the page", fontsize=18)
    for n in range(12):
        page.insert_text((60, 100 + 13 * n), f"left line {n} with some more words in", fontsize=10)
        page.insert_text((310, 106 + 13 * n), f"right line {n} with some more words in", fontsize=10)
    document.save(tmp_path / "two.pdf")
    text = parse_pdf(tmp_path / "two.pdf").text
    assert text.index("left line 11") < text.index("right line 0")


def test_three_columns_above_a_table(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for x, name in ((42, "left"), (215, "middle"), (388, "right")):
        for n in range(30 if name == "left" else 22):
            page.insert_text((x, 60 + 12 * n), f"{name} line {n:02} with words to read", fontsize=10)
    page.insert_text((215, 340), "The outages of all services and how long they took, in hours", fontsize=10)
    for n in range(5):
        page.insert_text((220, 360 + 12 * n), f"outage {n} of a service", fontsize=9)
        page.insert_text((500, 360 + 12 * n), f"{n} hours", fontsize=9)
    document.save(tmp_path / "three.pdf")
    text = parse_pdf(tmp_path / "three.pdf").text
    assert text.index("left line 29") < text.index("middle line 00")
    assert text.index("middle line 21") < text.index("right line 00") < text.index("right line 21")
    assert "outage 4 of a service 4 hours" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "is empty"), (b"x", "is not a PDF"), (b"%PDF-1.4\n" + b"garbage " * 40, "damaged")],
)
def test_files_that_are_no_pdfs(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.pdf"
    path.write_bytes(content)
    with pytest.raises(IngestError, match=said):
        parse_pdf(path)


def test_passwords(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    with pymupdf.open(write_pdf(tmp_path / "open.pdf", ["Ein Text mit Worten"])) as document:
        document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="geheim", owner_pw="chef")
        document.save(tmp_path / "empty.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="", owner_pw="chef")
    with pytest.raises(IngestError, match="needs a password"):
        parse_pdf(path)
    with pytest.raises(IngestError, match="password is wrong"):
        parse_pdf(path, ReadOptions(passwords=("falsch",)))
    assert "Ein Text" in parse_pdf(path, ReadOptions(passwords=("falsch", "geheim"))).text
    assert "Ein Text" in parse_pdf(tmp_path / "empty.pdf").text


def test_what_hung_before_is_read_simply(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", ["Eine Seite mit Text", "Noch eine Seite mit Text"])
    parsed = parse_pdf(path, ReadOptions(avoid=frozenset({("text", 0), ("links", 1), ("structure", 0)})))
    assert "Eine Seite mit Text" in parsed.text
    assert len(parsed.warnings) == 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("12", 12),
        ("1.5", 1.5),
        ("1,5", 1.5),
        ("007", "007"),
        ("ja", True),
        ("false", False),
        ("3.5.2020", "2020-05-03"),
        ("31.2.2020", "31.2.2020"),
        ("2020-05-03", "2020-05-03"),
        ("KTA 1404", "KTA 1404"),
        (" ", None),
    ],
)
def test_typed_values(value: str, expected: object) -> None:
    assert typed(value) == expected


def test_sidecars(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "metadata.csv").write_text(
        "file;party;year;password\na.pdf;ACME;2019;geheim\nsub/b.pdf;Foo;;\n", encoding="utf-8"
    )
    (tmp_path / "sub" / "b.json").write_text('{"year": 2021, "title": "B", "synonyms": ["BB"]}', encoding="utf-8")
    sidecars = Sidecars()
    first = sidecars.of(tmp_path / "a.pdf", tmp_path)
    assert dict(first.values) == {"party": "ACME", "year": 2019}
    assert first.password is not None
    assert first.password.get_secret_value() == "geheim"
    second = sidecars.of(tmp_path / "sub" / "b.pdf", tmp_path)
    assert (dict(second.values), second.title, second.synonyms) == ({"party": "Foo", "year": 2021}, "B", ("BB",))
    (tmp_path / "c.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(IngestError, match="one JSON object"):
        sidecars.of(tmp_path / "c.pdf", tmp_path)


@pytest.mark.parametrize(("folio", "rules", "filled", "drawn"), [
    ("viii", 1, 0, False), ("", 1, 0, False), ("viii", 0, 1, True), ("", 1, 1, True), ("", 0, 0, False),
])  # fmt: skip
def test_a_blank_page_with_a_number_below_a_rule_needs_no_ocr(
    tmp_path: Path, folio: str, rules: int, filled: int, drawn: bool
) -> None:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 100), "The first page has text that can be read.")
        page = document.new_page()
        page.insert_text((300, 750), folio)
        for number in range(rules):
            page.draw_line((72, 730 + number), (500, 730 + number))
        for _ in range(filled):
            page.draw_rect((72, 100, 300, 140), fill=(0, 0, 0))
        document.save(tmp_path / "a.pdf")
    assert (parse_pdf(tmp_path / "a.pdf").drawn_pages == (1,)) is drawn
