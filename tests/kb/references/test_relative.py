"""Relative references, resolved from the place they stand in."""

from __future__ import annotations

import pytest
from library import SmallLibrary, small_document

from rabbithole.kb.models import Place, Reference
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.graph.missing import missing_kind
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.interpretation import fits, read_relative, work_of
from rabbithole.kb.references.resolution.resolver import Resolver

ACT = small_document(
    "AtG.pdf",
    "Gesetz über die friedliche Verwendung der Kernenergie (Atomgesetz - AtG)",
    {
        "§ 1": "§ 1 Zweck\n(1) Zweck dieses Gesetzes ist der Schutz.",
        "§ 2": "§ 2 Begriffe\n(1) Erster Satz. Zweiter Satz.\n"
        "(2) Absatz 1 Satz 2 gilt.\n(3) Satz 1 gilt auch hier. Ende.",
        "§ 12": "§ 12 Ermächtigung\n(1) Die Regierung darf.",
    },
)
ORDINANCE = small_document(
    "AtVfV.pdf",
    "Verordnung über das Verfahren bei der Genehmigung von Anlagen (Atomrechtliche Verfahrensverordnung - AtVfV)",
    {
        "": "Auf Grund des § 12 des Atomgesetzes wird verordnet:",
        "§ 1": "§ 1 Anwendung\n(1) Diese Verordnung gilt für § 12 des Gesetzes.",
        "§ 2": "§ 2 Antrag\n(1) Der Antrag nach § 1 ist zu stellen.",
        "Anlage 1": "Anlage 1 Muster\nTabelle 1\nWerte",
    },
)
REPORT = small_document(
    "Bericht.pdf",
    "Sicherheitsbericht Nord",
    {
        "1": "1 Einleitung\nSiehe Abschnitt 2.1 und Tabelle 3.",
        "2": "2 Anlage\nText.",
        "2.1": "2.1 Gebäude\nTabelle 3 Maße\nhoch und breit",
    },
)
PART_40 = small_document(
    "40.pdf", "27 CFR Part 40", {"§ 40.1": "§ 40.1 Scope. (a) One. (b) Two.", "§ 40.2": "§ 40.2 Extent."}
)
PART_46 = small_document("46.pdf", "27 CFR Part 46", {"§ 46.2": "§ 46.2 Other rules."})
LIBRARY = SmallLibrary([ACT, ORDINANCE, REPORT, PART_40, PART_46])
KNOWN = KnownWorks([("AtG", "Atomgesetz"), ("AtVfV", "Atomrechtliche Verfahrensverordnung")])
RESOLVER = Resolver(LIBRARY, Registry(LIBRARY.documents(), known=KNOWN))


@pytest.mark.parametrize(
    ("source", "before", "mention", "file", "number", "beginning"),
    [
        (ACT, "§ 2", "Absatz 1 Satz 2 gilt", "AtG.pdf", "§ 2", "Zweiter Satz."),
        (ACT, "(3)", "Satz 1 gilt", "AtG.pdf", "§ 2", "Satz 1 gilt auch hier."),
        (ACT, "§ 1", "§ 12 Absatz 1", "AtG.pdf", "§ 12", "(1) Die Regierung"),
        (ACT, "§ 1", "§ 2 dieses Gesetzes", "AtG.pdf", "§ 2", "§ 2 Begriffe"),
        (ORDINANCE, "§ 2", "§ 1 Absatz 1", "AtVfV.pdf", "§ 1", "(1) Diese Verordnung"),
        (ORDINANCE, "§ 1", "§ 12 des Gesetzes", "AtG.pdf", "§ 12", "§ 12 Ermächtigung"),
        (ORDINANCE, "Auf ", "§ 2 Absatz 1", "AtG.pdf", "§ 2", "(1) Erster Satz."),
        (ORDINANCE, "§ 1", "Anlage 1 Tabelle 1", "AtVfV.pdf", "Anlage 1", "Tabelle 1"),
        (REPORT, "1 Ein", "siehe Abschnitt 2.1", "Bericht.pdf", "2.1", "2.1 Gebäude"),
        (REPORT, "1 Ein", "siehe Tabelle 3", "Bericht.pdf", "2.1", "Tabelle 3"),
        (REPORT, "1 Ein", "nach § 12 AtG und § 1", "AtG.pdf", "§ 1", "§ 1 Zweck"),
        (PART_40, "§ 40.2", "see § 40.1(b)", "40.pdf", "§ 40.1", "(b) Two."),
        (PART_40, "§ 40.2", "see § 46.2 of this chapter", "46.pdf", "§ 46.2", "§ 46.2 Other"),
        (PART_40, "§ 40.2", "see 27 CFR 46.2", "46.pdf", "§ 46.2", "§ 46.2 Other"),
    ],
)
def test_read_against_its_place(
    source: object, before: str, mention: str, file: str, number: str, beginning: str
) -> None:
    document = next(each for each in (ACT, ORDINANCE, REPORT, PART_40, PART_46) if each is source)
    found = detect(mention, language="de" if "§ 4" not in mention else "en")[-1]
    at = Place(document=document.document.id, offset=document.text.index(before) + 1)
    resolution = RESOLVER.resolve(found, at)
    assert (resolution.status, resolution.file, resolution.number) == ("resolved", file, number)
    assert LIBRARY.text(resolution.document or "", resolution.start or 0, resolution.end).startswith(beginning)


@pytest.mark.parametrize(("words", "number"), [("vorstehenden", "§ 1"), ("nachfolgenden", "§ 12")])
def test_neighbouring_section(words: str, number: str) -> None:
    text = f"der {words} Paragraph"
    reference = Reference(start=0, end=len(text), text=text, kind="section", target=text, relative=True)
    at = Place(document=ACT.document.id, section=ACT.sections[1].id)
    assert RESOLVER.resolve(reference, at).number == number


@pytest.mark.parametrize(
    ("before", "words", "beginning"),
    [
        ("(3)", "der vorstehende Absatz gilt", "(2) Absatz 1"),
        ("(2)", "der nachfolgende Absatz gilt", "(3) Satz 1"),
        ("(1)", "der vorstehende Absatz gilt", None),
        ("(3)", "der vorstehende Satz gilt", None),
    ],
)
def test_neighbouring_paragraph_of_the_same_section(before: str, words: str, beginning: str | None) -> None:
    reference = detect(words, language="de")[0]
    at = Place(document=ACT.document.id, offset=ACT.text.index(before, ACT.sections[1].start) + 4)
    found = RESOLVER.resolve(reference, at)
    assert (found.status, found.document is None) == (("resolved", False) if beginning else ("missing", True))
    if beginning:
        assert ACT.text.startswith(beginning, found.start)
    else:
        assert missing_kind(reference, found) is None


def test_preceding_provisions_are_no_place() -> None:
    assert detect("Die vorstehenden Bestimmungen gelten auch hier.", language="de") == []


def test_nothing_stands_before_the_first_section() -> None:
    reference = detect("der vorstehende Paragraph gilt", language="de")[0]
    found = RESOLVER.resolve(reference, Place(document=ACT.document.id, section=ACT.sections[0].id))
    assert (found.status, missing_kind(reference, found)) == ("missing", None)


def test_no_place_and_no_name_is_missing() -> None:
    reference = detect("Absatz 3 Satz 1 gilt", language="de")[0]
    assert RESOLVER.resolve(reference).status == "missing"


def test_paragraph_that_is_not_there_is_missing_by_name() -> None:
    reference = detect("nach Absatz 9 gilt", language="de")[0]
    found = RESOLVER.resolve(reference, Place(document=ACT.document.id, section=ACT.sections[1].id))
    assert (found.status, found.name) == ("missing", "AtG § 2 Abs 9")


def test_a_part_of_a_section_without_such_parts_means_something_else() -> None:
    reference = detect("mit Buchstabe k beginnt", language="de")[0]
    found = RESOLVER.resolve(reference, Place(document=REPORT.document.id, section=REPORT.sections[1].id))
    assert (found.status, found.document) == ("missing", None)


@pytest.mark.parametrize(
    ("text", "antecedent", "own", "base"),
    [
        ("§ 3 des Gesetzes", "Atomgesetz", "act", "antecedent"),
        ("§ 3 des Gesetzes", "StrlSchV", "act", "own"),
        ("§ 3 des Gesetzes", None, "ordinance", "enabling"),
        ("§ 3 des Gesetzes", None, "other", "unknown"),
        ("§ 3 dieses Gesetzes", "Atomgesetz", "act", "own"),
        ("§ 3 dieser Verordnung", "Atomgesetz", "ordinance", "own"),
        ("section 5 of the Act", "Atomic Energy Act", "other", "antecedent"),
        ("§ 3", "Atomgesetz", "act", "own_or_antecedent"),
    ],
)
def test_decision(text: str, antecedent: str | None, own: str, base: str) -> None:
    reference = Reference(
        start=0, end=len(text), text=text, kind="legal_section", target=text, path=(("§", "3"),), antecedent=antecedent
    )
    assert read_relative(reference, own).base == base  # type: ignore[arg-type]


def test_kinds_of_works() -> None:
    assert work_of(["Verordnung über das Verfahren nach dem Atomgesetz"]) == "ordinance"
    assert work_of(["StrlSchG"]) == "act"
    assert work_of(["Sicherheitsbericht"]) == "other"
    assert not fits("act", "Röntgenverordnung")
    assert not fits("act", None)
