"""Places a question names, whether it has a matter, and whose documents it means."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.question import understand

LAW = [
    "§ 1 Zweck\n\nDieses Gesetz regelt die Haltung von Bienen und den Schutz der Völker im ganzen Land.",
    "§ 2 Anzeige\n\nWer Bienen hält, zeigt dies der Behörde innerhalb von zwei Wochen an und nennt den Standort.",
]
NORTH = ["Satzung des Imkervereins Nordheim\n\n§ 1 Beitrag\n\nDer Beitrag beträgt 20 Euro im Jahr und ist fällig."]
SOUTH = ["Satzung des Imkervereins Südheim\n\n§ 1 Beitrag\n\nDer Beitrag beträgt 30 Euro im Jahr und ist fällig."]


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    toc = [(1, "§ 1 Zweck", 1), (1, "§ 2 Anzeige", 2)]
    write_pdf(folder / "pdf" / "BienG.pdf", LAW, toc=toc, title="Bienengesetz (BienG)")
    write_pdf(folder / "pdf" / "nord.pdf", NORTH, toc=[(1, "§ 1 Beitrag", 1)], title="Imkerverein Nordheim")
    write_pdf(folder / "pdf" / "sued.pdf", SOUTH, toc=[(1, "§ 1 Beitrag", 1)], title="Imkerverein Südheim")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "pdf"], "C")
        yield opened


def place(kb, question):
    (found,) = understand(kb, question, "de").places
    return found


def test_a_section_named_is_held(kb):
    found = place(kb, "Was regelt § 2 BienG?")
    assert found.opens
    assert kb.section_by_id(found.section).number == "§ 2"


def test_a_section_that_is_not_there_is_said_with_the_nearest(kb):
    found = place(kb, "Was regelt § 9 BienG?")
    assert found.status == "no_section"
    assert found.nearest == ("§ 1", "§ 2")


def test_a_law_that_is_not_held_is_said(kb):
    found = place(kb, "Was regelt § 43 IfSG?")
    assert found.status == "not_held"
    assert "IfSG" in found.name


def test_a_section_of_whoever_is_meant_by_the_other_words(kb):
    found = place(kb, "Was sagt § 1 der Satzung in Südheim?")
    assert found.status == "held"
    assert kb.document(found.document).file == "sued.pdf"


@pytest.mark.parametrize(
    ("named", "status"),
    [
        ("section 1 of the Vorbis I specification", "not_held"),
        ("section 1 of the Opus manual", "not_held"),
        ("section 1 of the Weft manual", "held"),
        ("section 1 of the manual", "held"),
        ("section 1", "held"),
    ],
)
def test_a_section_of_a_document_with_another_name_is_not_held(tmp_path, named, status):
    manual = record("The Weft Codec Manual", [("1", "The encoder can use the model of Vorbis.")])
    with knowledge_base(tmp_path, manual) as kb:
        (found,) = understand(kb, f"What does {named} say?", "en").places
    assert found.status == status
    if status == "not_held":
        assert found.name == named.removeprefix("section 1 of the ")


def test_a_document_is_not_missing_under_another_spelling_or_as_a_part(tmp_path):
    manual = record("weft", [("1", "One."), ("2", "Two.")])
    manual = manual.model_copy(update={"document": manual.document.model_copy(update={"title": "The Weft License"})})
    parts = record("papers", [("", "The Reed Public License"), ("1", "One.")])
    headed = tuple(one.model_copy(update={"heading": parts.text[one.start : one.end]}) for one in parts.sections)
    with knowledge_base(tmp_path, manual, parts.model_copy(update={"sections": headed})) as kb:
        (weft,) = understand(kb, "Does section 2 of the Weft licence let me stop?", "en").places
        assert (weft.status, weft.document) == ("held", "weft")
        for named in ("Reed licence say happens", "Reed Public Licence ask of me"):
            places = understand(kb, f"What does section 1 of the {named}?", "en").places
            assert all(one.status != "not_held" for one in places)
        (lacking,) = understand(kb, "What does section 1 of the Moss licence ask of me?", "en").places
        assert (lacking.status, lacking.name) == ("not_held", "Moss licence")


@pytest.mark.parametrize("question", ["Danke", "asdf", "😀", "Vielen Dank!", "???", "qwertz"])
def test_some_questions_have_no_matter(kb, question):
    assert not understand(kb, question, "de").matter


@pytest.mark.parametrize("question", ["Beitrag", "Was ist zu zahlen?", "Wer hält Bienen?"])
def test_others_have(kb, question):
    assert understand(kb, question, "de").matter


def test_a_name_says_whose_documents_are_meant(kb):
    understood = understand(kb, "Was kostet der Verein in Nordheim?", "de")
    assert [kb.document(one).file for one in understood.preferred] == ["nord.pdf"]
    assert understood.names


@pytest.mark.parametrize(("name", "file"), [("OWN", "a.md"), ("OWNT", "a.md"), ("FWS", "b.md"), ("FKS", "")])
def test_an_abbreviation_by_initials_names_a_document(tmp_path, name, file):
    for stem, title in (("a", "Satzung von Offene Werkstatt Nord Talheim"), ("b", "Satzung von Freie Werkstatt Süd")):
        (tmp_path / f"{stem}.md").write_text(f"# {title}\n\n## 1 Beitrag\n\nDer Beitrag ist 20 Euro.\n", "utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as opened:
        opened.ingest([tmp_path], "C")
        meant = understand(opened, f"Was kostet die Mitgliedschaft in der {name} im Jahr?", "de").preferred
        assert [opened.document(one).file for one in meant] == [file] * bool(file)


def test_a_file_called_by_a_noun_is_not_asked_for_by_it(tmp_path):
    """In German every noun has a capital: 'Schlüssel' is the matter, 'Torhaus' in a title says which house."""
    for file, title, thing in (
        ("schluessel", "Ordnung für das Torhaus", "Schlüssel"), ("b", "Ordnung für das Seehaus", "Zimmer"),
        ("c", "Ordnung für das Gästehaus", "Parkplatz"),
    ):  # fmt: skip
        (tmp_path / f"{file}.md").write_text(f"# {title}\n\n## 1 Preis\n\nEin {thing} kostet 18 Euro.\n", "utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as opened:
        opened.ingest([tmp_path], "C")
        assert not understand(opened, "Was kostet ein Schlüssel?", "de").preferred
        (meant,) = understand(opened, "Was kostet ein Zimmer im Torhaus?", "de").preferred
        assert opened.document(meant).file == "schluessel.md"


def test_a_word_of_all_titles_meant_is_no_matter_though_a_heading_has_it(tmp_path):
    texts = {
        "satzung": "# Förderverein Quarzberg – Satzung\n\n## 4 Ende\n\nDer Austritt ist zum Ende des Jahres möglich.\n",
        "marke": "# Förderverein Quarzberg – Marke\n\n## 1 Die Marke Quarzberg\n\nDie Marke darf niemand nutzen.\n",
        "haus": "# Hausordnung Seehaus\n\n## 1 Ruhe\n\nDie Ruhe beginnt um 22 Uhr.\n",
        "kueche": "# Küchenordnung Seehaus\n\n## 1 Herd\n\nDer Herd ist abzuschalten.\n",
    }
    for stem, text in texts.items():
        (tmp_path / f"{stem}.md").write_text(text, "utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as opened:
        opened.ingest([tmp_path], "C")
        understood = understand(opened, "Wie trete ich aus dem Förderverein Quarzberg aus?", "de")
        assert {opened.document(one).file for one in understood.preferred} == {"satzung.md", "marke.md"}
        assert understood.names == ("forderverein", "quarzberg")


def test_a_question_in_another_language_than_the_documents(kb):
    assert understand(kb, "What is the fee?", "en").foreign == "de"
    assert not understand(kb, "Was kostet es?", "de").foreign


def test_titles_the_person_chose_are_the_scope(kb):
    titles = {one.file: one.title for one in kb.documents()}
    chosen = f"{titles['nord.pdf']}; {titles['sued.pdf']}"
    understood = understand(kb, "Was kostet es?", "de", (), (chosen,))
    assert {kb.document(one).file for one in understood.documents} == {"nord.pdf", "sued.pdf"}


def test_a_title_that_was_chosen_is_no_matter_and_what_was_said_beside_it_is(kb):
    title = next(one.title for one in kb.documents() if one.file == "nord.pdf")
    understood = understand(kb, "Was kostet der Verein in Nordheim?", "de", (), (title, "only for children"))
    assert understood.said == ("only for children",)
    assert understood.names
    assert not understood.preferred


def manual_page(number: str, heading: str, book: str) -> str:
    head = f'<title>{number} {heading}</title><link rel="home" href="index.html" title="{book}">'
    return f"<html><head>{head}</head><body><h2>{number} {heading}</h2><p>On {heading} of bees.</p></body></html>"


@pytest.fixture(scope="module")
def manuals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manuals")
    for book in ("Hive 15.2 Documentation", "Honey FAQ"):
        for number, heading in (("25.1.", "Frames"), ("25.2.", "Queens")):
            file = folder / "pages" / book.split()[0] / f"{heading}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(manual_page(number, heading, book), encoding="utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "pages"], "C")
        yield opened


def test_a_section_of_a_manual_whose_pages_are_files_is_held(manuals):
    (found,) = understand(manuals, "What does section 25.2 of the Hive documentation describe?", "en").places
    assert (found.status, manuals.document(found.document).file) == ("held", "Hive/Queens.html")
    assert found.name == "Hive 15.2 Documentation, 25.2. Queens"


def test_a_section_that_no_page_of_the_manual_has_is_said_of_the_manual(manuals):
    (found,) = understand(manuals, "What does section 99.1 of the Hive documentation describe?", "en").places
    assert (found.status, found.name) == ("no_section", "Hive 15.2 Documentation")


def test_a_manual_named_is_the_scope_and_its_name_no_matter(manuals):
    understood = understand(manuals, "What does the Hive documentation say about queens?", "en")
    assert {manuals.document(one).file for one in understood.preferred} == {"Hive/Queens.html", "Hive/Frames.html"}
    assert "hive" in understood.names
    assert "queen" not in understood.names
