"""Files that hold several documents, each with sections that count anew: titles, names and references inside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Place, Reference, Resolution
from rabbithole.kb.references.names.file_parts import abbreviations, file_parts, part_names
from rabbithole.kb.store.records import IndexedDocument
from tests.kb_records import collected, knowledge_base, record

REED = "REED PUBLIC LICENSE Version 3, 1 May 2007"
LESSER = "REED LESSER PUBLIC LICENSE Version 2.1"
MOSS = "Moss License Version 2.0 http://moss.example/license"
CLAUSES = "\n".join(f"{number}. {'The work may be copied under this License. ' * 8}" for number in range(1, 6))
PARTS = {
    REED: [("", "Preamble", "Why."), ("1", "Terms", "See section 2."), ("2", "Copies", "As in section 3.1."),
           ("3", "End", "Section 4 is not here.")],
    LESSER: [("", "Preamble", "Why."), ("", "Conditions", CLAUSES)],
    MOSS: [("1", "Grants", "Section 2 says when."), ("2", "Ending", "2.1. First.\n2.2. Then."), ("3", "Law", "See."),
           ("3.1", "Courts", "Here."), ("4", "Rest", "The Reed Public License is another."), ("5", "More", "None.")],
    "Index": [],
}  # fmt: skip


def licences(title: str = REED) -> IndexedDocument:
    return collected("licences", title, PARTS)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with knowledge_base(Path(tmp_path_factory.mktemp("parts")) / "kb", licences()) as opened:
        yield opened


def resolved(kb: KnowledgeBase, text: str, within: str = "") -> Resolution:
    """Where a reference leads, from the section with this label if one is given."""
    section = next((one for one in kb.outline("licences") if one.label == within), None)
    at = Place(document="licences", section=section.id, offset=section.start) if section else None
    found = kb.detect(f"… {text}") or [
        Reference(start=0, end=len(text), text=text, kind="document_mention", target=text, document=text)
    ]
    return kb.resolve(found[0], at=at)


@pytest.mark.parametrize(
    ("numbers", "parts"),
    [
        ([["1", "2"], ["1", "2", "3"]], 2),
        ([["0", "1"], ["§ 1", "§ 2"]], 2),
        ([["1", "2"], []], 0),  # one numbered document and an unnumbered supplement
        ([["1", "2"], ["3", "4"]], 0),  # goes on counting
        ([["1", "2"], ["1"]], 0),  # no more than a single number
        ([[], []], 0),
    ],
)
def test_a_file_holds_several_documents_if_their_numbers_begin_anew(numbers: list[list[str]], parts: int) -> None:
    made = {f"Part {place}": [(number, "H", "T") for number in each] for place, each in enumerate(numbers)}
    assert len(file_parts(collected("x", "X", made).sections)) == parts


def test_chapters_with_numbers_are_parts_of_one_document() -> None:
    sections = collected(
        "x", "X", {"A": [("1", "a", ""), ("2", "b", "")], "B": [("1", "a", ""), ("2", "b", "")]}
    ).sections
    assert len(file_parts(sections)) == 2
    numbered = [one.model_copy(update={"number": "Chapter 1"}) if one.heading == "A" else one for one in sections]
    assert file_parts(numbered) == ()
    assert file_parts(()) == ()


def test_names_of_parts() -> None:
    names = {name for name, _ in part_names(file_parts(licences().sections))}
    assert {"Reed Lesser Public License", "Reed Lesser Public License 2.1", "Moss License", "Moss License 2.0"} <= names
    assert not {"Index", "Preamble"} & names
    assert abbreviations(LESSER) == ("RLPL", "LPL")


@pytest.mark.parametrize(
    ("label", "title", "shown", "alone"),
    [
        ("3 Law", "Moss License Version 2.0", "3 Law", "Moss License Version 2.0, 3 Law"),
        (MOSS, "Moss License Version 2.0", MOSS, MOSS),
        ("Conditions", LESSER, "Conditions", f"{LESSER}, Conditions"),
        ("2 Copies", REED, "2 Copies", f"{REED}, 2 Copies"),
        ("Index", REED, "Index", "Index"),
    ],
)
def test_a_citation_names_the_part(kb: KnowledgeBase, label: str, title: str, shown: str, alone: str) -> None:
    section = next(one for one in kb.outline("licences") if one.label == label)
    assert (kb.title_at("licences", section.start), kb.section_label(section.id)) == (title, shown)
    assert kb.section_label(section.id, alone=True) == alone


def test_a_title_is_not_repeated_before_its_own_section(kb: KnowledgeBase) -> None:
    preambles = [one for one in kb.outline("licences") if one.heading == "Preamble"]
    shown = [(kb.title_at("licences", one.start), kb.section_label(one.id)) for one in preambles]
    assert shown == [(REED, "Preamble"), (LESSER, "Preamble")]


def test_a_file_with_a_title_of_its_own_keeps_it(tmp_path: Path) -> None:
    with knowledge_base(tmp_path, licences("Licences of our programs")) as kb:
        section = next(one for one in kb.outline("licences") if one.label == "3 Law")
        assert kb.title_at("licences", section.start) == "Licences of our programs"
        labels = {kb.section_label(section.id), kb.section_label(section.id, alone=True)}
        assert labels == {"Moss License Version 2.0 > 3 Law"}


def test_a_page_alone_is_named_with_its_book(tmp_path: Path) -> None:
    page = record("keys", [("1", "Keys open doors.")], metadata={"book": "Manual of Locks"})
    with knowledge_base(tmp_path, page) as kb:
        (section,) = kb.outline("keys")
        assert kb.section_label(section.id) == "1"
        assert kb.section_label(section.id, alone=True) == "Manual of Locks, 1"


@pytest.mark.parametrize(
    ("text", "within", "place"),
    [
        ("section 2", "1 Terms", (REED, "2 Copies")),
        ("section 2", "1 Grants", ("Moss License Version 2.0", "2 Ending")),
        ("section 2.1", "1 Grants", ("Moss License Version 2.0", "2 Ending")),
        ("section 3.1", "2 Copies", None),  # of another document
        ("section 3", "Conditions", (LESSER, "Conditions")),  # a clause
        ("Moss License", "", ("Moss License Version 2.0", MOSS)),
        ("the Moss Licence 2.0", "", ("Moss License Version 2.0", MOSS)),
        ("section 3 of the Moss License", "", ("Moss License Version 2.0", "3 Law")),
        ("section 2 of the Reed Public License", "", (REED, "2 Copies")),
        ("section 2 of the Reed Public License", "4 Rest", (REED, "2 Copies")),
        ("section 5 of the Reed Public License", "", None),
        ("section 4 of the Reed Lesser Public License", "", (LESSER, "Conditions")),
    ],
)
def test_numbers_belong_to_the_part_and_its_name_is_found(
    kb: KnowledgeBase, text: str, within: str, place: tuple[str, str] | None
) -> None:
    found = resolved(kb, text, within)
    label = " ".join(part for part in (found.number, found.heading) if part)
    assert ((found.name, label) if found.status == "resolved" else None) == place


@pytest.mark.parametrize(
    ("mention", "status"),
    [
        ("Moss License 1.1", "missing"),
        ("Moss License, Version 1.1", "missing"),
        ("Moss License, Version 2.0", "resolved"),
        ("Moss License 2.0", "resolved"),
        ("Moss License. 3 copies", "resolved"),
    ],
)
def test_another_version_than_the_one_held_is_missing(tmp_path: Path, mention: str, status: str) -> None:
    citing = record("citing", [("1", f"It is under the {mention} of the club.")], language="en")
    with knowledge_base(tmp_path, licences(), citing) as kb:
        text = kb.text("citing")
        (reference,) = kb.detect(text)
        assert kb.resolve(reference, at=Place(document="citing", offset=reference.start)).status == status


def test_an_ordinary_document_is_as_before(tmp_path: Path) -> None:
    with knowledge_base(tmp_path, record("rules", [("1", "One."), ("2", "Two.")], language="en")) as kb:
        assert kb.title_at("rules", 0) == "RULES"
