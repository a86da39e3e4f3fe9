"""Words of a question in texts: forms, derivations, compounds."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.text.terms import stems
from rabbithole.steps.selection.matching import Matcher, kinship


@pytest.mark.parametrize(
    ("one", "other", "language", "related"),
    [
        ("wiederholt", "Wiederholung", "de", True),
        ("Bußgeld", "Bußgeldvorschriften", "de", True),
        ("failure", "failed", "en", True),
        ("erteilt", "Erteilung", "de", True),
        ("Austritt", "ausgetreten", "de", True),
        ("abzugeben", "Abgabe", "de", True),
        ("Abgabe", "Angabe", "de", False),
        ("retention", "retain", "en", False),
        ("minimum", "minister", "en", False),
        ("process", "profess", "en", False),
    ],
)
def test_kinship(one: str, other: str, language: str, related: bool) -> None:
    (first,), (second,) = stems(one, language), stems(other, language)
    assert (kinship(first, second) > 0) is related
    assert kinship(first, second) == kinship(second, first)


@pytest.mark.parametrize(
    ("compound", "text", "strength"),
    [
        ("Immissionsschutzbeauftragter", "Bestellung eines Betriebsbeauftragten für Immissionsschutz", 0.9),
        ("Prüfungsanmeldung", "Die Anmeldung zur Prüfung beginnt im Mai", 0.9),
        ("Kündigungsfrist", "Die Frist für eine Kündigung", 0.9),
        ("Mitgliederversammlung", "die Versammlung aller Mitglieder", 0.9),
        ("Prüfungsanmeldung", "Die Prüfung beginnt im Mai", 0.6),
        ("Prüfungsanmeldung", "Wer geprüft wird, beginnt im Mai", 0.0),
        ("Wohnungsübergabe", "Abgabe der Wohnung", 0.6),
    ],
)
def test_a_compound_is_expressed_by_its_parts(compound: str, text: str, strength: float) -> None:
    (term,) = stems(compound, "de")
    assert Matcher({term: 1.0}).strengths(stems(text, "de")).get(term, 0.0) == strength


def test_rare_terms_weigh_more() -> None:
    matcher = Matcher({"fee": 1.0, "member": 0.2})
    assert matcher.coverage(matcher.strengths(["fee"])) > matcher.coverage(matcher.strengths(["member"]))
    assert matcher.coverage(matcher.strengths(["fee"]), matcher.strengths(["member"])) == pytest.approx(1.0)


def test_short_texts_with_the_term_rank_before_long_ones() -> None:
    matcher = Matcher({"fee": 1.0})
    assert matcher.bm25(["fee", "due"], 10) > matcher.bm25(["fee", *["word"] * 40], 10) > 0


def test_terms_far_apart_do_not_stand_together() -> None:
    matcher = Matcher({"fee": 1.0, "member": 1.0})
    assert matcher.together(["fee", "member"], [("fee", "member")]) == 1.0
    assert matcher.together(["fee", *["word"] * 9, "member"], [("fee", "member")]) == 0.0


def test_a_question_without_terms_is_covered_by_nothing() -> None:
    assert Matcher({}).coverage({"fee": 1.0}) == 0.0
