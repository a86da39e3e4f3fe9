"""Enumerations of sections that end in a law: detection, and resolution against the documents' sections."""

from __future__ import annotations

import pytest
from library import SmallLibrary, small_document

from rabbithole.kb.models import Place, Reference, Resolution
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.detection.joining import join
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

KNOWN = KnownWorks([("AtG", "Atomgesetz"), ("MeldeV", "Meldeverordnung"), ("BauGB", "Baugesetzbuch")])
LIBRARY = SmallLibrary(
    [
        small_document(
            "atg.pdf",
            "Atomgesetz",
            {
                "§ 4": "§ 4 Beförderung\n(1) Wer Kernbrennstoffe befördert, bedarf der Genehmigung.",
                "§ 6": "§ 6 Genehmigung zur Aufbewahrung\n(1) Wer aufbewahrt, bedarf der Genehmigung.",
                "§ 7": "§ 7 Genehmigung von Anlagen\n(1) Errichtung.\n(2) Auflagen.\n(3) Stilllegung.",
                "§ 9": "§ 9 Bearbeitung\n(1) Wer bearbeitet, bedarf der Genehmigung.",
            },
        ),
        small_document(
            "meldev.pdf",
            "Meldeverordnung",
            {
                "§ 4": "§ 4 Bestellung\n(1) Die Bestellung ist anzuzeigen.",
                "§ 5": "§ 5 Freistellung\n(1) Die Behörde kann freistellen.",
                "§ 6": "§ 6 Meldepflicht\n(1) Wer es erfährt, meldet es.",
                "§ 7": "§ 7 Inhalt der Meldung\n(1) Die Meldung nennt den Ort.",
            },
        ),
    ]
)
RESOLVER = Resolver(LIBRARY, Registry(LIBRARY.documents(), known=KNOWN))


def references(text: str) -> tuple[Reference, ...]:
    return join(text, detect(text, language="de"))


def resolved(text: str, number: str, around: str = "§ 4", document: str = "C-meldev.pdf") -> Resolution:
    """The first mention of a section of that number in ``text``, said to stand in a section of a document."""
    reference = next(each for each in references(text) if each.path[:1] == (("§", number),))
    section = next(each for each in LIBRARY.outline(document) if each.number == around)
    return RESOLVER.resolve(reference, Place(document=document, section=section.id))


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("Genehmigung nach § 6, § 7 Absatz 1 oder einer Genehmigung nach § 9 des Atomgesetzes", 2),
        ("die §§ 6, 7 Absatz 1 bis 2, § 4 Absatz 1 und die §§ 8 und 9 des Atomgesetzes", 4),
        ("nach § 6 Absatz 1, nach § 7 oder nach § 9 des Atomgesetzes", 2),
        ("des § 6 Absatz 1 und des § 7 des Atomgesetzes", 1),
        ("nach § 6 anzuzeigen ist oder vorher nach § 9 des Atomgesetzes anzuzeigen war", 0),
        ("nach § 6. Die Genehmigung nach § 9 des Atomgesetzes", 0),
        ("nach § 6 dieser Verordnung oder nach § 9 des Atomgesetzes", 0),
        ("Genehmigung nach § 6; die Anzeige nach § 9 des Atomgesetzes", 0),
        ("§ 6, § 7 und § 9", 0),
    ],
)
def test_where_an_enumeration_goes_on_to_name_a_law(text: str, noted: int) -> None:
    found = [each for each in references(text) if each.enumeration]
    assert len(found) == noted
    assert all(each.document is None and each.enumeration.document == "Atomgesetzes" for each in found)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "number", "around", "file"),
    [
        # cited from within itself: the other law's
        ("einer Genehmigung nach § 6, § 7 Absatz 1 oder nach § 9 des Atomgesetzes", "7", "§ 6", "atg.pdf"),
        # its paragraph exists in the other law alone
        ("Anlagen nach § 7 Absatz 3 oder nach § 9 des Atomgesetzes", "7", "§ 4", "atg.pdf"),
        # the other law has no such section
        ("einer Freistellung nach § 5 oder nach § 9 des Atomgesetzes", "5", "§ 4", "meldev.pdf"),
        # both have it, the heading tells
        ("die Genehmigung nach § 7 oder nach § 9 des Atomgesetzes", "7", "§ 4", "atg.pdf"),
        ("die Meldung nach § 7 oder die Genehmigung nach § 9 des Atomgesetzes", "7", "§ 4", "meldev.pdf"),
        # joined by "und" alone
        ("die Vorschriften des § 7 und des § 9 des Atomgesetzes", "7", "§ 4", "atg.pdf"),
    ],
)
def test_the_law_meant(text: str, number: str, around: str, file: str) -> None:
    found = resolved(text, number, around)
    assert (found.status, found.file, found.number) == ("resolved", file, f"§ {number}")
    assert "may be meant" not in found.note


def test_where_nothing_tells_the_reader_is_told() -> None:
    found = resolved("die Unterlagen nach § 7 oder nach § 9 des Atomgesetzes", "7")
    assert found.file == "meldev.pdf"
    assert "Atomgesetz (AtG), which may be meant" in found.note


@pytest.mark.parametrize(
    ("text", "number", "name"),
    [
        ("die Vorschriften des § 7 und des § 34 des Baugesetzbuchs", "7", "Baugesetzbuch (BauGB)"),
        ("Bauleitpläne nach § 7 oder nach § 34 des Baugesetzbuchs", "7", "Baugesetzbuch (BauGB)"),
        ("die Pläne nach § 30 oder nach § 34 des Baugesetzbuchs", "30", "Baugesetzbuch (BauGB)"),
    ],
)
def test_a_law_not_held_is_missing_by_its_name(text: str, number: str, name: str) -> None:
    found = resolved(text, number)
    assert (found.status, found.name) == ("missing", name)


def test_a_section_of_the_document_itself_beside_a_law_not_held() -> None:
    found = resolved("die Meldung nach § 7 oder die Anzeige nach § 34 des Baugesetzbuchs", "7")
    assert (found.status, found.file) == ("resolved", "meldev.pdf")
