"""A section of a document that a question describes by its kind: '§ 17 der Prüfungsordnung Informatik'."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.steps.question import NamedPlace, understand
from tests.kb_records import collected, knowledge_base, record

SCHOOL = "Hochschule für Technik und Wirtschaft Talheim"


def rules(name: str, title: str, opening: str) -> IndexedDocument:
    sections = [("", opening), *((f"§ {number}", f"Regel {number}\nDie Arbeit ist abzulegen.") for number in (1, 17))]
    made = record(name, sections)
    return made.model_copy(update={"document": made.document.model_copy(update={"title": title})})


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    held = (
        rules("school", "Prüfungsordnung für den Studiengang Informatik", SCHOOL),
        rules("academy", "Prüfungsordnung für den Studiengang Informatik (Bachelor)", "Akademie Nordheim"),
        rules("chemistry", "Prüfungsordnung für den Studiengang Chemie", SCHOOL),
        rules("club", "Satzung des Vereins", "Imkerverein Südheim"),
    )
    with knowledge_base(Path(tmp_path_factory.mktemp("places")) / "kb", *held) as opened:
        yield opened


def place(kb: KnowledgeBase, named: str) -> NamedPlace:
    (found,) = understand(kb, f"Was regelt {named}?", "de").places
    return found


@pytest.mark.parametrize(
    ("named", "document"),
    [
        ("§ 17 der Prüfungsordnung Chemie", "chemistry"),
        ("§ 17 der Prüfungsordnung Informatik der HTW", "school"),  # the initials decide between equal titles
        ("§ 17 der Prüfungsordnung Informatik in Talheim", "school"),
        ("§ 17 der Prüfungsordnung Informatik in Nordheim", "academy"),
        ("§ 17 der Prüfungsordnung in Nordheim", "academy"),
        ("§ 1 der Satzung", "club"),
    ],
)
def test_a_document_described_by_its_kind_is_found(kb: KnowledgeBase, named: str, document: str) -> None:
    found = place(kb, named)
    assert (found.status, found.document) == ("held", document)
    assert kb.section_by_id(found.section or "").number == named[:4].strip()


@pytest.mark.parametrize("named", ["§ 17 der Prüfungsordnung", "§ 17 der Prüfungsordnung Informatik"])
def test_documents_described_equally_well_are_ambiguous(kb: KnowledgeBase, named: str) -> None:
    found = place(kb, named)
    assert (found.status, found.document) == ("ambiguous", None)
    assert len(found.nearest) > 1


@pytest.mark.parametrize("kind", ["Fahrordnung", "Gebührenordnung"])
def test_a_kind_that_no_title_has_is_not_held(kb: KnowledgeBase, kind: str) -> None:
    found = place(kb, f"§ 17 der {kind}")
    assert (found.status, found.name) == ("not_held", kind)


@pytest.fixture(scope="module")
def licences(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    numbered = [(str(number), f"Rule {number}", "Text.") for number in range(1, 6)]
    parts = {
        "REED PUBLIC LICENSE Version 3": numbered,
        "REED LESSER PUBLIC LICENSE Version 2.1": numbered[:4],
        "Moss License Version 2.0": [*numbered[:2], ("3", "Rule 3", "3.1. First.\n3.2. Then."), numbered[3]],
    }
    papers = collected("papers", "REED PUBLIC LICENSE Version 3", parts)
    other = record("manual", [(str(number), f"Step {number}") for number in range(1, 6)], language="en")
    with knowledge_base(Path(tmp_path_factory.mktemp("licences")) / "kb", papers, other) as opened:
        yield opened


@pytest.mark.parametrize(
    ("named", "status", "name"),
    [
        ("section 3 of the Moss licence", "held", "Moss License Version 2.0"),
        ("section 3.1 of the Moss licence", "held", "Moss License Version 2.0"),
        ("section 3 of the Moss License", "held", "Moss License Version 2.0"),
        ("section 3 of the Lesser RPL", "held", "REED LESSER PUBLIC LICENSE Version 2.1"),
        ("section 3 of the LPL", "held", "REED LESSER PUBLIC LICENSE Version 2.1"),
        ("section 3 of the RPL", "held", "REED PUBLIC LICENSE Version 3"),
        ("section 9 of the Moss licence", "no_section", "Moss License Version 2.0"),
        ("section 2 of the Fern licence", "not_held", "Fern licence"),
    ],
)
def test_a_document_in_a_file_of_several_is_found_by_its_name(
    licences: KnowledgeBase, named: str, status: str, name: str
) -> None:
    (found,) = understand(licences, f"What does {named} say happens?", "en").places
    assert (found.status, found.name) == (status, name)
    if status == "held":
        assert licences.title_at("papers", found.start or 0) == name
        assert licences.text("papers", found.start or 0).startswith("3")
    if status == "no_section":
        assert found.nearest == ("2", "3", "4")


def test_numbers_near_the_one_asked_for_are_named_once(tmp_path: Path) -> None:
    twice = record("reedmoss", [("1", "One."), ("1", "One again."), ("2", "Two."), ("2", "Two again.")], language="en")
    named = twice.document.model_copy(update={"title": "The Reed Moss Manual"})
    with knowledge_base(tmp_path, twice.model_copy(update={"document": named})) as kb:
        (found,) = understand(kb, "What does section 9 of the Reed Moss manual say?", "en").places
        assert (found.status, found.nearest) == ("no_section", ("1", "2"))


def test_a_section_that_the_document_described_lacks_is_said_of_it(kb: KnowledgeBase) -> None:
    found = place(kb, "§ 99 der Prüfungsordnung Chemie")
    assert (found.status, found.document, found.nearest) == ("no_section", "chemistry", ("§ 1", "§ 17"))


@pytest.mark.parametrize("name", ["Vereine²", "GOsa²", "Nord³"])
def test_a_raised_number_belongs_to_a_name(kb: KnowledgeBase, name: str) -> None:
    assert understand(kb, f"Was ist in {name} enthalten?", "de").places == ()
