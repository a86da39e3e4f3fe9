"""Mentions that belong together, read in a whole document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.models import PathElement, Reference
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.detection.joining import join
from rabbithole.kb.references.names.name_index import NameIndex

NAMES = NameIndex([("TR-12", "TR-12"), ("Laborverordnung", "Laborverordnung")])


def joined(text: str, *numbers: str) -> tuple[Reference, ...]:
    return join(text, detect(text, names=NAMES), numbers)


@pytest.mark.parametrize(
    ("text", "span", "document", "path"),
    [
        ("Dies wird nach [4], Section 5.3, überwacht.", "[4], Section 5.3", None, [("ref", "4"), ("section", "5.3")]),
        (
            "Siehe Kate-Handbuch, Abschnitt 5.3.",
            "Kate-Handbuch, Abschnitt 5.3",
            "Kate-Handbuch",
            [("Abschnitt", "5.3")],
        ),
        ("Siehe Kapitel 5 des Kate-Handbuchs.", "Kapitel 5 des Kate-Handbuchs", "Kate-Handbuchs", [("Kapitel", "5")]),
        (
            "Siehe Kapitel 5 im Kate-Handbuch, Seite 3.",
            "Kapitel 5 im Kate-Handbuch",
            "Kate-Handbuch",
            [("Kapitel", "5")],
        ),
        ("So auch [3], Abschnitt 3.3.", "[3], Abschnitt 3.3", None, [("ref", "3"), ("Abschnitt", "3.3")]),
        ("Siehe Abschnitt 3.2 von [2].", "Abschnitt 3.2 von [2]", None, [("ref", "2"), ("Abschnitt", "3.2")]),
        ("As shown before [3, Section 4].", "[3, Section 4]", None, [("ref", "3"), ("section", "4")]),
        ("It is judged by TR-12, Section 5.3.", "TR-12, Section 5.3", "TR-12", [("section", "5.3")]),
        (
            "Nach Nummer 4.3 der Laborverordnung.",
            "Nummer 4.3 der Laborverordnung",
            "Laborverordnung",
            [("section", "4.3")],
        ),
    ],
)
def test_a_work_and_a_place_in_it(text: str, span: str, document: str | None, path: list[PathElement]) -> None:
    (found,) = joined(text)
    assert (found.text, found.document, list(found.path)) == (span, document, path)
    assert text[found.start : found.end] == found.text


def test_the_same_paper_is_the_one_named_before() -> None:
    found = joined("Limits were set in [3, Section 4]; the tube is drawn in Section 2.2 of the same paper.")
    assert list(found[1].path) == [("ref", "3"), ("section", "2.2")]


def test_this_standard_is_left_to_the_resolver_with_the_work_named_before() -> None:
    first, second = joined("Nach Abschnitt 6.2 der DIN 4711-3:2019-06. Ersatz nach Anhang B dieser Norm.")
    assert first.document is not None
    assert (second.relative, second.antecedent) == (True, first.document)


def test_the_day_of_an_act_asks_for_that_edition() -> None:
    (found,) = joined("Es gilt § 6 der Laborverordnung vom 3. Mai 2012 fort.")
    assert found.edition == "2012-05-03"
    assert found.text == "§ 6 der Laborverordnung vom 3. Mai 2012"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Der Grad ist nach 7.1 zu bewerten.", ["7.1"]),
        ("It is corrected (see 6.3).", ["6.3"]),
        ("Dies dauert nach 7.1 Stunden an.", []),
        ("Version in 9.9 und später.", []),
    ],
)
def test_numbers_alone_count_where_the_document_has_that_section(text: str, numbers: list[str]) -> None:
    assert [found.text for found in joined(text, "7.1", "6.3")] == numbers


def test_a_place_that_names_its_own_document_stays_apart() -> None:
    found = joined("Vergleiche [4], § 5 dieser Verordnung.")
    assert [list(each.path) for each in found] == [[("ref", "4")], [("§", "5")]]


@given(st.text(alphabet="[]0123456789., §Abschnittvonder\n", max_size=200))
def test_any_text_keeps_its_spans(text: str) -> None:
    for found in join(text, detect(text), {"1.2"}):
        assert text[found.start : found.end] == found.text
