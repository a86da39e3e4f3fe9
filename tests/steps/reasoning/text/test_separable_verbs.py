"""German verbs whose prefix is apart, and the forms of them that belong together."""

from __future__ import annotations

import itertools

import pytest

from rabbithole.steps.reasoning.text.separable_verbs import joined_verbs, other_forms, root
from rabbithole.steps.reasoning.text.terms import stems


@pytest.mark.parametrize(
    ("question", "joined"),
    [
        ("Wie trete ich aus dem Verein aus und bekomme ich Beiträge zurück?", ["austreten", "zurückbekommen"]),
        ("Bis wann gibt man die Arbeit ab?", ["abgeben"]),
        ("Welche Unterlagen reiche ich mit dem Antrag ein?", ["einreichen"]),
        ("Welche Angaben schreibt das Gesetz vor?", ["vorschreiben"]),
        ("Zahlt der Verein das Geld zurück?", ["zurückzahlen"]),
        ("Wie schnell läuft die Frist ab?", ["ablaufen"]),
        ("Was ändert der Beschluss ab?", ["abändern"]),
        ("Was muss ich mitbringen?", []),
        ("Was gilt ab Mai?", []),
        ("Wie hoch ist der Beitrag ab Mai?", []),
        ("Womit fange ich am besten?", []),
        ("", []),
    ],
)
def test_a_verb_is_joined_with_its_prefix_at_the_end_of_the_clause(question: str, joined: list[str]) -> None:
    assert list(joined_verbs(question).values()) == joined


@pytest.mark.parametrize(
    ("question", "forms"),
    [
        ("Wie trete ich aus?", ("austreten", "Austritt")),
        ("Wann ist die Arbeit abzugeben?", ("abgeben", "Abgabe")),
        ("Wann muss die Arbeit abgegeben werden?", ("abgeben", "Abgabe")),
        ("Muss der Antrag eingereicht werden?", ("einreichen",)),
        ("Wie wird der Austritt erklärt?", ("austreten",)),
        ("Wann wird Geld zurückgezahlt?", ("zurückzahlen", "Rückzahlung")),
        ("Wie lange ist die Frist?", ()),
        ("Wer ist angestellt, und wo liegt das Gebäude?", ("anstellen",)),
    ],
)
def test_a_query_gets_the_forms_a_text_may_have(question: str, forms: tuple[str, ...]) -> None:
    assert other_forms(question) == forms


@pytest.mark.parametrize(
    "forms",
    [
        "Austritt austreten ausgetreten auszutreten",
        "Abgabe abgeben abgegeben abzugeben",
        "Rückzahlung zurückzahlen zurückgezahlt",
        "Rücktritt zurücktreten zurückgetreten",
        "Einrichtung einrichten eingerichtet einzurichten",
        "Ausschluss ausschließen ausgeschlossen",
        "Annahme annehmen angenommen anzunehmen",
        "Einsicht einsehen eingesehen",
        "Abbruch abbrechen abgebrochen",
    ],
)
def test_all_forms_of_a_verb_have_one_root(forms: str) -> None:
    roots = {root(stem) for form in forms.split() for stem in stems(form, "de")}
    assert len(roots) == 1
    assert roots != {""}


def test_different_verbs_have_different_roots() -> None:
    verbs = (
        "abgeben angeben aufgeben abnehmen annehmen eintreten austreten einreichen ausreichen Zustand Anlage".split()
    )
    found = [root(stem) for verb in verbs for stem in stems(verb, "de")]
    assert all(one != other for one, other in itertools.combinations(found, 2))
    assert [root(stem) for stem in ("frist", "gesetz", "ab", "zug", "2014")] == [""] * 5
