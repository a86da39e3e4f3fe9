import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.ingest.document.pages_without_text import page_list
from rabbithole.kb.ingest.page.furniture import find_furniture
from rabbithole.kb.ingest.page.hyphenation import Hyphens
from rabbithole.kb.ingest.page.labels.page_labels import chosen_labels, decoded
from rabbithole.kb.ingest.page.lines import TextLine, clean
from rabbithole.kb.ingest.page.paragraphs import assemble
from rabbithole.kb.ingest.page.reading_order import in_reading_order


def line(text: str, y: float, x: float = 70, page: int = 0, width: float | None = None, **more: object) -> TextLine:
    right = x + (width or 5.0 * len(text))
    return TextLine(page, text, x, y - 10, right, y + 2, y, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("der Strahlen-", "schutz gilt", "der Strahlenschutz gilt"),
        ("Gamma-", "und Betastrahlung", "Gamma- und Betastrahlung"),
        ("Straßen-", "oder Schienenverkehr", "Straßen- oder Schienenverkehr"),
        ("die EU-", "Verordnung", "die EU-Verordnung"),
        ("STRAHLEN-", "SCHUTZ", "STRAHLENSCHUTZ"),
        ("DIN 25457-", "4 gilt", "DIN 25457-4 gilt"),
        ("soft\u00ad", "ware", "software"),
        ("ein Satz", "geht weiter", "ein Satz geht weiter"),
        ("http://example.org/", "path/a", "http://example.org/path/a"),
        ("(https://example.org/distrib/", "ftplist) an", "(https://example.org/distrib/ftplist) an"),
        ("siehe https://", "example.org und", "siehe https://example.org und"),
        ("http://example.org/a/", ". Und", "http://example.org/a/. Und"),
        ("http://example.org/a/", "Der Name", "http://example.org/a/ Der Name"),
        ("http://example.org/a/", "17 Eine Fußnote", "http://example.org/a/ 17 Eine Fußnote"),
        ("in /usr/local/bin/", "ab, die", "in /usr/local/bin/ ab, die"),
        ("unter /usr/local/src/foo/", "extrahieren. Dann", "unter /usr/local/src/foo/ extrahieren. Dann"),
        ("in /usr/share/doc/", "foo/README.gz steht", "in /usr/share/doc/foo/README.gz steht"),
        ("Betrieb/", "Wartung", "Betrieb/Wartung"),
        ("22/", "23 ist", "22/23 ist"),
        ("vorher –", "nachher", "vorher – nachher"),
    ],
)
def test_line_ends(before: str, after: str, joined: str) -> None:
    left, separator = Hyphens([]).join(before, after)
    assert left + separator + after == joined


def test_a_hyphen_seen_inside_lines_stays() -> None:
    assert Hyphens(["a well-known rule"]).join("a well-", "known rule") == ("a well-", "")
    assert Hyphens(["a relation"]).join("a re-", "lation") == ("a re", "")
    assert Hyphens([], keep_unknown=True).join("end-", "to") == ("end-", " ")
    assert Hyphens([], keep_unknown=True).join("hop-", "by-hop") == ("hop-", "")
    assert Hyphens([], keep_unknown=True).join("unvollstän-", "diges Wort", typewritten=False) == ("unvollstän", "")


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (["nach §17 MiLoG muss"], "in §22 Mi"),
        (["nach §17 MiLoG muss", "das Mi-LoG selbst"], "in §22 Mi-"),
        (["die Norm milog und MILOG"], "in §22 Mi-"),
        ([], "in §22 Mi-"),
    ],
)
def test_a_name_with_a_capital_within_is_joined_as_the_document_writes_it(lines: list[str], left: str) -> None:
    assert Hyphens(lines).join("in §22 Mi-", "LoG definierten") == (left, "")


@given(st.lists(st.text("abc -\u00adÄ9", min_size=1, max_size=12), min_size=2, max_size=5))
def test_joining_loses_only_hyphens(parts: list[str]) -> None:
    hyphens = Hyphens(parts)
    left, separator = hyphens.join(parts[0], parts[1])
    assert (left + separator).replace(" ", "").rstrip("-\u00ad") == parts[0].replace(" ", "").rstrip("-\u00ad")


def test_two_columns_are_read_one_after_the_other() -> None:
    words = "eine Zeile mit vielen Worten"
    left = [line(f"links {n} {words}", 100 + 12 * n, 70, width=200) for n in range(6)]
    right = [line(f"rechts {n} {words}", 104 + 12 * n, 300, width=200) for n in range(6)]
    title = line("Ein Titel über beide Spalten der Seite hinweg", 60, 100, width=350)
    ordered = [each.text.split(" ", 2)[:2] for each in in_reading_order([title, *right, *left])]
    assert ordered[0] == ["Ein", "Titel"]
    assert ordered[1:] == [["links", str(n)] for n in range(6)] + [["rechts", str(n)] for n in range(6)]


def test_list_markers_stay_with_their_text() -> None:
    lines = [line(f"{n}.", 100 + 14 * n, 70) for n in range(1, 5)] + [
        line(f"der Punkt Nummer {n}", 100 + 14 * n, 90) for n in range(1, 5)
    ]
    assert [each.text for each in in_reading_order(lines)] == [f"{n}. der Punkt Nummer {n}" for n in range(1, 5)]


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("durch die Marker {} bzw.", "nan gekennzeichnet werden.", True),
        ("die Angaben nach Nr.", "3 des Anhangs gelten.", True),
        ("such as a lock, e.g.", "the file of a printer.", True),
        ("Der erste Absatz ist zu Ende.", "nan steht in der letzten Zeile.", False),
        ("Der Befehl endet usw.", "Der zweite Absatz beginnt.", False),
    ],
)
def test_an_abbreviation_at_the_end_of_a_page_ends_no_paragraph(before: str, after: str, joined: bool) -> None:
    lines = [line(before, 700, width=400), line(after, 60, page=1, width=400)]
    assert ("\n" not in assemble(lines, 2, set(), Hyphens([])).text) is joined


@pytest.mark.parametrize(
    ("label", "text"),
    [("<FEFF0037>", "7"), ("<FEFF00410020>12", "A 12"), ("iv", "iv"), ("<FEFF>3", "3"), ("<7>", "<7>")],
)
def test_page_labels_in_utf16_are_decoded(label: str, text: str) -> None:
    assert decoded(label) == text


def page_of(number: int, *body: str) -> list[TextLine]:
    texts = [line("StrlSchG", 40, page=number), line(f"Seite {number + 1} von 9", 40, 400, page=number)]
    return texts + [line(text, 90 + 14 * n, page=number) for n, text in enumerate(body)]


def test_running_headers_go_and_section_names_stay() -> None:
    pages = [page_of(n, f"Anlage {n}", f"Der Text der Seite {n} steht hier.", "Und noch einer.") for n in range(6)]
    furniture = find_furniture(pages, [842.0] * 6)
    assert furniture.body(pages)[3][0].text == "Anlage 3"
    assert furniture.edges(pages)[3] == ["StrlSchG", "Seite 4 von 9"]
    assert chosen_labels((), furniture.edges(pages)) == ["1", "2", "3", "4", "5", "6"]


def test_labels_as_printed() -> None:
    assert chosen_labels((), [[], ["217"], ["218"], [], ["220"]]) == ["216", "217", "218", "219", "220"]
    assert chosen_labels((), [["ii"], ["iii"], ["1"], ["2"], ["3"]]) == ["ii", "iii", "1", "2", "3"]
    assert chosen_labels((), [["1987"], ["RFC 12"], [], []]) == ["1", "2", "3", "4"]


def test_paragraphs_and_pages() -> None:
    lines = [
        line("(1) Der Strahlenschutz umfasst alle Maß-", 100, width=400),
        line("nahmen zum Schutz des Menschen und der", 112, width=395),
        line("Umwelt nach", 124, width=120),
        line("1. diesem Gesetz,", 138),
        line("2. einer Verordnung, die auf der Seite", 152, width=400),
        line("weitergeht.", 60, page=1),
        line("(2) Das Nähere regelt ein Gesetz.", 74, page=1),
    ]
    text = assemble(lines, 2, set(), Hyphens([each.text for each in lines]))
    assert text.text.splitlines() == [
        "(1) Der Strahlenschutz umfasst alle Maßnahmen zum Schutz des Menschen und der Umwelt nach",
        "1. diesem Gesetz,",
        "2. einer Verordnung, die auf der Seite weitergeht.",
        "(2) Das Nähere regelt ein Gesetz.",
    ]
    assert text.text[text.page_starts[1] :].startswith("weitergeht.")


def test_ligatures_and_invisible_characters() -> None:
    assert clean("Begriﬀ\u200b der Stoﬀe\x00") == "Begriff der Stoffe"


def test_pages_named() -> None:
    assert page_list([2]) == "page 3"
    assert page_list([0, 1, 2]) == "pages 1-3"
    assert page_list([0, 2, 3, 6]) == "pages 1, 3-4 and 7"


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("f¨ur die H¨aufigkeit", "für die Häufigkeit"),
        ("fu¨r, f¨ ur und fu¨ r", "für, für und für"),
        ("3. ¨Uberblick ¨ uber alles", "3. Überblick über alles"),
        ("neu¨ubersetzt, Men¨u, Menu¨ und", "neuübersetzt, Menü, Menü und"),
        ("d´ej`a, na¨ıve, hˆotel, ma˜nana", "déjà, naïve, hôtel, mañana"),
        ("Gar¸con, Garc¸on, ˇSkoda, Erd˝os", "Garçon, Garçon, Škoda, Erdős"),
        ("it´s http://host/˜nelson", "it´s http://host/˜nelson"),
        ("DIR=`cat a` and `echo`", "DIR=`cat a` and `echo`"),
        (r"\catcode`a=11", r"\catcode`a=11"),
    ],
)
def test_accents_of_old_fonts_are_composed(printed: str, read: str) -> None:
    assert clean(printed) == read


def test_hyphenation_in_the_cells_of_a_table() -> None:
    row = "| Vor- und Nachteile der multi- factor Prü- fung | Strahlen- schutz |"
    mended = "| Vor- und Nachteile der multi-factor Prüfung | Strahlenschutz |"
    assert Hyphens(["a multi-factor key"]).within(row) == mended


def test_a_word_divided_in_a_cell_stays_whole() -> None:
    cells = [
        line("10 pt", 100, 70),
        line("sets the size of the letters of the docu-", 100, 130),
        line("12 pt", 112, 70),
        line("ment; the first is usual", 112, 130),
    ]
    assert [each.text for each in in_reading_order(cells)] == [
        "10 pt 12 pt sets the size of the letters of the docu-",
        "ment; the first is usual",
    ]
