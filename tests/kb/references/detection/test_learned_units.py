"""Units learned from a document's usage: words before numbers that are its section numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.models import Section
from rabbithole.kb.references.detection.document_references import references_of
from rabbithole.kb.references.detection.learned_units import usage
from rabbithole.kb.references.names.name_index import NameIndex

NAMES = NameIndex([("GEN", "General Rulebook")])


def outline(*numbers: str) -> tuple[Section, ...]:
    return tuple(
        Section(
            id=f"d:s{index}",
            document="d",
            index=index,
            level=1,
            number=number,
            start=index,
            own_end=index + 1,
            end=index + 1,
            page=0,
            last_page=0,
        )
        for index, number in enumerate(numbers)
    )


def found(text: str, *numbers: str) -> list[tuple[str, str | None]]:
    references = references_of(text, outline(*numbers), names=NAMES, language="en")
    return [(one.text, one.document) for one in references]


def test_a_word_seen_before_the_documents_own_numbers_is_learned() -> None:
    text = "As Provviso 1.1 says. Under Provviso 1.2 and Provviso 2.1 it ends. By Provviso 9.9 it began."
    assert usage(text, outline("1.1", "1.2", "2.1"), lambda word: False).learned == {"provviso"}
    assert [words for words, _ in found(text, "1.1", "1.2", "2.1")] == [
        "Provviso 1.1",
        "Provviso 1.2",
        "Provviso 2.1",
        "Provviso 9.9",
    ]


def test_a_word_before_other_numbers_is_not_learned() -> None:
    text = "Table 1.1 and Table 1.2 and Table 2.1. Siemens 1.1, Siemens 5.5, Siemens 6.6, Siemens 1.2, Siemens 2.1."
    assert usage(text, outline("1.1", "1.2", "2.1"), lambda word: False).learned == frozenset()


def test_versions_that_look_like_sections_are_not_learned() -> None:
    text = "New in Tool 1.1, as in Tool 1.1 and Tool 1.2; Tool 1.2 and Tool 2.1 are old, Tool 2.1.3 and Tool 1.1.4 new."
    assert usage(text, outline("1.1", "1.2", "2.1"), lambda word: False).learned == frozenset()


def test_the_name_of_a_document_is_no_unit() -> None:
    text = "See GEN 1.1, GEN 1.2 and GEN 2.1 for more."
    assert "GEN" not in usage(text, outline("1.1", "1.2", "2.1"), lambda word: word == "GEN").words


def test_a_division_counts_where_the_document_has_it() -> None:
    assert found("The powers in Part 4 are wide.", "Part 4") == [("Part 4", None)]
    assert found("The powers in Part 4 are wide.", "1.1") == []


def test_the_document_may_stand_before_the_unit() -> None:
    assert found("He is reminded of GEN Rule 5.5.1 and of GEN section 203.", "1") == [
        ("GEN Rule 5.5.1", "GEN"),
        ("GEN section 203", "GEN"),
    ]


@given(st.text(alphabet="ARul e1.23,()–\u200e\n", max_size=80))
def test_any_text_is_read_without_error_and_spans_are_its_own(text: str) -> None:
    for one in references_of(text, outline("1.1", "Rule 2", "1.2"), names=NAMES, language=None):
        assert text[one.start : one.end] == one.text


def test_a_section_the_document_lacks_knows_the_act_it_cites() -> None:
    text = "It is made under GEN section 92(2). Section 95(1) of GEN defines it. Section 94(3) prohibits disclosure."
    references = references_of(text, outline("1", "2"), names=NAMES, language="en")
    assert [(one.text, one.document, one.antecedent) for one in references][-1] == ("Section 94(3)", None, "GEN")


def test_dotted_numbers_behind_an_abbreviation_are_that_documents() -> None:
    assert found("He complies with GEN 3.3.31 and 3.3.32 at all times.", "1") == [
        ("GEN 3.3.31 and 3.3.32", "GEN"),
        ("GEN 3.3.31 and 3.3.32", "GEN"),
    ]


def test_an_abbreviation_before_a_section_is_its_document_where_the_text_spells_it_out() -> None:
    names = NameIndex([("Filesystem Hierarchy Standard", "FHS 3.0")])
    told = "Comply with the Filesystem Hierarchy Standard (FHS), and with Structured Queries (SQL). "
    text = told + "As listed in FHS, section 4.9. In SQL, section 4.2 is kept."
    references = references_of(text, outline("4.2", "4.9"), names=names, language="en")
    sections = [(one.text, one.document) for one in references if one.path]
    assert sections == [("FHS, section 4.9", "FHS"), ("section 4.2", None)]
    bare = references_of(text.removeprefix(told), outline("4.2", "4.9"), names=names, language="en")
    assert [one.document for one in bare] == [None, None]
