"""Names to documents: exact, mistyped, part of a name; digits, editions and short abbreviations never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest
from library import small_document

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import Document
from rabbithole.kb.references.names.completion import names_in_opening, names_in_title, names_of_document
from rabbithole.kb.references.names.edition_choice import version_asked
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.name_keys import base_form, name_key, split_edition
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.names.registry_file import RegistryFile, complete_registry
from rabbithole.kb.references.names.spoken_names import spoken_names

KNOWN = KnownWorks(
    [
        ("StrlSchG", "Strahlenschutzgesetz"),
        ("StrlSchV", "Strahlenschutzverordnung"),
        ("AtG", "Atomgesetz"),
        ("AtEV", "Atomrechtliche Entsorgungsverordnung"),
        ("AtAV", "Atomrechtliche Abfallverbringungsverordnung"),
        ("DüngG", "Düngegesetz"),
        ("ROG", "Raumordnungsgesetz"),
        ("RoV", "Raumordnungsverordnung"),
        ("SGB IX", "Neuntes Buch Sozialgesetzbuch"),
        ("SGB XI", "Elftes Buch Sozialgesetzbuch"),
    ]
)


def held(*files: tuple[str, str]) -> Registry:
    documents = [small_document(file, title, {"1": "1 Text"}).document for file, title in files]
    return Registry(documents, known=KNOWN)


COLLECTION = held(
    (
        "StrlSchG.pdf",
        "Gesetz zum Schutz vor der schädlichen Wirkung ionisierender Strahlung (Strahlenschutzgesetz - StrlSchG)",
    ),
    ("AtEV.pdf", "Verordnung (Atomrechtliche Entsorgungsverordnung - AtEV)"),
    ("KTA 1401_2017-11.pdf", "Allgemeine Forderungen an die Qualitätssicherung"),
    ("KTA 1404_2013-11.pdf", "Dokumentation beim Bau und Betrieb von Kernkraftwerken"),
    ("ICRP Publication 103.pdf", "The 2007 Recommendations"),
    ("din25457-4.pdf", "DIN 25457-4:2013-04 Aktivitätsmessverfahren"),
    ("DIN EN ISO 7503-1.pdf", "DIN EN ISO 7503-1 Messung der Radioaktivität"),
    ("sb.pdf", "Sicherheitsbericht Zwischenlager Nord"),
    ("rfc2119.pdf", "Key words for use in RFCs to Indicate Requirement Levels"),
    ("rfc2026.pdf", "The Internet Standards Process"),
    ("gdpr.pdf", "Regulation (EU) 2016/679 of the European Parliament and of the Council (GDPR)"),
    ("prices.xml", "Commission Implementing Regulation (EU) No 1319/2031 of 15 December 2031 fixing prices"),
    ("zoll.xml", "Durchführungsverordnung (EU) 2031/2447 der Kommission vom 24. November 2031 über Zölle"),
    ("staff.xml", "Regulation (EEC, Euratom, ECSC) No 259/31 of the Council laying down the Staff Regulations"),
    ("sp800-53.pdf", "NIST SP 800-53 Rev. 5 Security and Privacy Controls"),
    ("part20.pdf", "10 CFR Part 20 Standards for Protection Against Radiation"),
    ("sgb9.pdf", "Neuntes Buch Sozialgesetzbuch (SGB IX)"),
)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("StrlSchG", "StrlSchG.pdf"),
        ("Strahlenschutzgesetz", "StrlSchG.pdf"),
        ("des Strahlenschutzgesetzes", "StrlSchG.pdf"),
        ("Strahlenschutz-Gesetzes", "StrlSchG.pdf"),
        ("Strahlenschuztgesetz", "StrlSchG.pdf"),
        ("atomrechtlichen Entsorgungsverordnung", "AtEV.pdf"),
        ("KTA 1401", "KTA 1401_2017-11.pdf"),
        ("KTA-Regel 1401", "KTA 1401_2017-11.pdf"),
        ("KTA1404", "KTA 1404_2013-11.pdf"),
        ("ICRP 103", "ICRP Publication 103.pdf"),
        ("ICRP-Veröffentlichung 103", "ICRP Publication 103.pdf"),
        ("DIN 25457-4", "din25457-4.pdf"),
        ("DIN 25457 Teil 4", "din25457-4.pdf"),
        ("DIN EN ISO 7503-1", "DIN EN ISO 7503-1.pdf"),
        ("ISO 7503-1", "DIN EN ISO 7503-1.pdf"),
        ("Sicherheitsbericht Zwischenlager", "sb.pdf"),
        ("Sicherheitsberichts Zwischenlager Nord", "sb.pdf"),
        ("RFC 2119", "rfc2119.pdf"),
        ("RFC-2119", "rfc2119.pdf"),
        ("RFC 2026", "rfc2026.pdf"),
        ("(EU) 2016/679", "gdpr.pdf"),
        ("Verordnung (EU) Nr. 2016/679", "gdpr.pdf"),
        ("GDPR", "gdpr.pdf"),
        ("Implementing Regulation (EU) No 1319/2031", "prices.xml"),
        ("Commission Implementing Regulation (EU) No 1319/2031", "prices.xml"),
        ("(EU) 1319/2031", "prices.xml"),
        ("Durchführungsverordnung (EU) 2031/2447", "zoll.xml"),
        ("(EU) 2031/2447", "zoll.xml"),
        ("Council Regulation (EEC, Euratom, ECSC) No 259/31", "staff.xml"),
        ("Implementing Regulation (EU) No 1320/2031", None),
        ("NIST SP 800-53", "sp800-53.pdf"),
        ("10 C.F.R. Part 20", "part20.pdf"),
        ("SGB IX", "sgb9.pdf"),
        ("Neunten Buches Sozialgesetzbuch", "sgb9.pdf"),
        # never another number, part, abbreviation or kind of law
        ("KTA 1403", None),
        ("KTA 140", None),
        ("ICRP 60", None),
        ("AtAV", None),
        ("AtV", None),
        ("StrlSchV", None),
        ("Strahlenschutzverordnung", None),
        ("Strahlenschutzverordung", None),
        ("DIN 25457", None),
        ("DIN 25457-5", None),
        ("DIN EN ISO 7503-2", None),
        ("RFC 2120", None),
        ("RFC 211", None),
        ("(EU) 2016/680", None),
        ("NIST SP 800-171", None),
        ("10 CFR Part 21", None),
        ("SGB XI", None),
        ("Düngegesetz", None),
        ("Raumordnungsgesetz", None),
        ("Bericht", None),
        ("Gesetz", None),
        ("Verordnung", None),
        ("Erstes Gesetz zur Änderung des Strahlenschutzgesetzes", None),
        ("", None),
        ("§§", None),
    ],
)
def test_lookup(name: str, file: str | None) -> None:
    assert [entry.document.file for entry in COLLECTION.lookup(name).entries] == ([file] if file else [])


@pytest.mark.parametrize(
    ("name", "edition", "file", "note"),
    [
        ("DIN 25457-4:2013-04", None, "din-2013.pdf", ""),
        ("DIN 25457-4", "2024-02", "din-2024.pdf", ""),
        ("DIN 25457-4 (04/2013)", None, "din-2013.pdf", ""),
        ("DIN 25457-4", None, "din-2024.pdf", "latest edition taken; also held: 2013-04"),
        ("DIN 25457-4:1999-01", None, None, "held: DIN 25457-4, edition 2013-04, 2024-02"),
        ("DIN 25457-4:2030-01", None, "din-2024.pdf", "edition 2030-01 is not held, but 2013-04, 2024-02"),
    ],
)
def test_editions(name: str, edition: str | None, file: str | None, note: str) -> None:
    registry = held(("din-2013.pdf", "DIN 25457-4:2013-04"), ("din-2024.pdf", "DIN 25457-4:2024-02"))
    found = registry.lookup(name, edition=edition)
    assert [entry.document.file for entry in found.entries] == ([file] if file else [])
    assert found.note == note


def test_law_without_edition_is_the_one_in_force() -> None:
    old = small_document("old.pdf", "Strahlenschutzgesetz", {"1": "x"}, metadata={"year": 1989}).document
    new = small_document("new.pdf", "Strahlenschutzgesetz", {"1": "x"}, metadata={"year": 2017}).document
    found = Registry([old, new], known=KNOWN).lookup("StrlSchG")
    assert [entry.document.file for entry in found.entries] == ["new.pdf"]
    assert "1989" in found.note


def test_reports_of_one_title_are_no_editions_of_each_other() -> None:
    first = small_document("a.pdf", "Sicherheitsbericht", {"1": "x"}, metadata={"year": 2010}).document
    second = small_document("b.pdf", "Sicherheitsbericht", {"1": "x"}, metadata={"year": 2015}).document
    assert len(Registry([first, second], known=KNOWN).lookup("Sicherheitsbericht").entries) == 2


def test_missing_by_proper_name() -> None:
    assert COLLECTION.lookup("Düngegesetzes").name == "Düngegesetz (DüngG)"
    assert COLLECTION.lookup("Röntgengesetzes").name == "Röntgengesetz"
    assert "DIN 25457-4" in COLLECTION.lookup("DIN 25457").note


def test_only_the_collections_asked_for() -> None:
    assert not COLLECTION.lookup("StrlSchG", collections=["other"]).entries


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Gesetz über die friedliche Verwendung (Atomgesetz)", ["Gesetz über die friedliche Verwendung", "Atomgesetz"]),
        ("Gesetz über X (Strahlenschutzgesetz - StrlSchG)", ["Gesetz über X", "Strahlenschutzgesetz", "StrlSchG"]),
        (
            "Grundgesetz für die Bundesrepublik Deutschland ( - GG)",
            ["Grundgesetz für die Bundesrepublik Deutschland", "GG"],
        ),
        (
            "Vierte Verordnung (Anlagenverordnung - 4. BImSchV)",
            ["Vierte Verordnung", "Anlagenverordnung", "4. BImSchV"],
        ),
        ("Bericht (Entwurf)", ["Bericht"]),
        ("", []),
    ],
)
def test_names_in_title(title: str, names: list[str]) -> None:
    assert list(names_in_title(title)) == names


def test_names_in_opening() -> None:
    law = "Verordnung zum\nSchutz vor Strahlung\n(Strahlenschutzverordnung - StrlSchV)\nAusfertigungsdatum: 2018"
    assert names_in_opening(law)[1:] == ("Strahlenschutzverordnung", "StrlSchV")
    assert names_in_opening("Network Working Group   J. Postel\nRequest for Comments:  792   ISI") == ("RFC 792",)
    assert names_in_opening("Ein Bericht über etwas.") == ()


def test_file_is_completed_and_what_people_wrote_stays(tmp_path: Path) -> None:
    path = tmp_path / "document_registry.json"
    path.write_text(
        '{"collections": {"C": {"documents": [{"filename": "sb.pdf", "synonyms": ["SB Nord"], "ignore": ["sb"]}]}}}',
        encoding="utf-8",
    )
    documents = [
        small_document(*each, {"1": "x"}).document for each in [("sb.pdf", "Sicherheitsbericht"), ("n.pdf", "Neu eins")]
    ]
    completed = complete_registry(documents, RegistryFile.load(path))
    completed.save(path)
    again = RegistryFile.load(path)
    assert again == completed
    assert complete_registry(documents, again) == again
    row = again.row("C", "sb.pdf")
    assert row is not None
    assert row.synonyms == ("SB Nord",)
    assert row.found == ("Sicherheitsbericht",)
    registry = Registry(documents, again, known=KNOWN)
    assert [entry.document.file for entry in registry.lookup("SB Nord").entries] == ["sb.pdf"]
    assert not registry.lookup("sb").entries


@pytest.mark.parametrize(
    "content", ["{", '{"colections": {}}', '{"collections": {"C": {"documents": [{"file": "x"}]}}}']
)
def test_broken_file_is_one_clear_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "document_registry.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match="document_registry"):
        RegistryFile.load(path)


def test_absent_file_is_an_empty_registry(tmp_path: Path) -> None:
    assert RegistryFile.load(tmp_path / "none.json") == RegistryFile()


@pytest.mark.parametrize(
    ("name", "base", "edition"),
    [
        ("DIN 25457-4:2013-04", "DIN 25457-4", "2013-04"),
        ("KTA 1401 (2017-11)", "KTA 1401", "2017-11"),
        ("KTA 1401_2017-11", "KTA 1401", "2017-11"),
        ("ISO/IEC 27001:2022", "ISO/IEC 27001", "2022"),
        ("StrlSchV 2018", "StrlSchV", "2018"),
        ("NIST SP 800-53 Rev. 5", "NIST SP 800-53", "rev 5"),
        ("RFC 2026", "RFC 2026", None),
        ("RFC 1981", "RFC 1981", None),
        ("KTA 1901", "KTA 1901", None),
        ("(EU) 2016/679", "(EU) 2016/679", None),
    ],
)
def test_split_edition(name: str, base: str, edition: str | None) -> None:
    assert split_edition(name) == (base, edition)


def test_keys_keep_digits_and_fold_letters() -> None:
    assert name_key("ﬁnanzgerichtsordnung") == name_key("Finanzgerichtsordnung")
    assert name_key("RFC0768") == name_key("RFC 768")
    assert name_key("KTA 1401") != name_key("KTA 1403")
    assert base_form("des Bürgerlichen Gesetzbuches") == "Bürgerlichen Gesetzbuch"


def test_names_of_a_standard_by_its_file() -> None:
    document = Document(
        id="x", collection="C", file="KTA 1401_2017-11.pdf", path="", title="Allgemeines zur Güte", pages=1
    )
    assert "KTA 1401:2017-11" in names_of_document(document)


@pytest.mark.parametrize(
    ("after", "when"),
    [
        (" in der bis zum 31. Dezember 2018\ngeltenden Fassung fort.", "bis zum 31. Dezember 2018"),
        (", in der Fassung vom 3. Mai 2001, ", "Fassung vom 3. Mai 2001"),
        (" in der Fassung der Bekanntmachung vom 15. Juli 1985 (BGBl.", "Fassung der Bekanntmachung vom 15. Juli 1985"),
        (" gilt bis zum 31. Dezember 2018.", ""),
        ("", ""),
    ],
)
def test_version_asked(after: str, when: str) -> None:
    assert version_asked(after) == when


@pytest.mark.parametrize(
    "title",
    [
        "Leitfaden zum Strahlenschutzgesetz (StrlSchG)",
        "Kommentar Strahlenschutzgesetz (StrlSchG)",
        "Das neue Recht (Strahlenschutzgesetz)",
    ],
)
def test_book_about_a_law_is_not_the_law(title: str) -> None:
    assert not held(("buch.pdf", title)).lookup("StrlSchG").entries
    assert not held(("buch.pdf", title)).lookup("Strahlenschutzgesetzes").entries


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Satzung des Clubs Nord e. V.", "Satzung des Clubs Nord"),
        ("Satzung des Clubs Nord e.V.", "Satzung des Clubs Nord"),
        ("Hausordnung der Nord gGmbH", "Hausordnung der Nord"),
        ("Travel policy of North Inc.", "Travel policy of North"),
        ("Kate -- Benutzerhandbuch", "Kate-Handbuch"),
        ("Das Handbuch zu Kate", "Kate-Handbuch"),
        ("Kate User Manual", "Kate manual"),
    ],
)
def test_names_that_people_say(title: str, name: str) -> None:
    assert spoken_names(title) == (name,)


@pytest.mark.parametrize(
    "title", ["Satzung des Clubs Nord", "Handbuch für Verwaltung und Recht", "Die AG und ihr Rat", "Satzung der AG"]
)
def test_titles_that_are_said_as_written(title: str) -> None:
    assert spoken_names(title) == ()
