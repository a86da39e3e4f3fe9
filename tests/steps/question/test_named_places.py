"""A section of a document that a question describes by its kind: '§ 17 der Prüfungsordnung Informatik'."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.steps.question import NamedPlace, understand
from tests.kb_records import knowledge_base, record

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


def test_a_section_that_the_document_described_lacks_is_said_of_it(kb: KnowledgeBase) -> None:
    found = place(kb, "§ 99 der Prüfungsordnung Chemie")
    assert (found.status, found.document, found.nearest) == ("no_section", "chemistry", ("§ 1", "§ 17"))
