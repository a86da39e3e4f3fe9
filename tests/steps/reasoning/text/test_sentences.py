"""Sentences keep their characters and end where sentences end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.steps.reasoning.text.sentences import LONGEST, left_open, sentence_at, sentences, sentences_after

ONE_SENTENCE = (
    "Nach § 31 Abs. 1 Satz 1 Nr. 3 i. V. m. § 5 gilt das.",
    "Am 1. Januar 2019 trat die 26. BImSchV in Kraft.",
    "Die Behörde kann z. B. Auflagen erteilen, d. h. Bedingungen setzen.",
    "J. Smith et al. described it in Fig. 3 and Sec. 4.2 of the report.",
    "Vgl. BGBl. I S. 1966 und Art. 3 Buchst. a der Verordnung.",
    "Sie ist aufzubewahren, bis die Person das 75. Lebensjahr vollendet hat.",
    "Der Wert beträgt ca. 3.5 mSv bzw. max. 20 mSv pro Jahr.",
    "Es gilt das Gesetz vom 3. Mai 2001 (GVBl. S. 260) in der Fassung von 2003.",
    "The word (from Greek. Compare the note.) is old.",  # no sentence ends within a short pair of brackets
    "Die Prüfungen des 1. – 3. Fachsemesters und des 5. und 6. Moduls sind schriftlich.",
    "Gemeldet wird bis zum Ende von Quartal 2 oder 3. Semester 4 ist frei.",
    "Spätestens im Laufe von 4. Semestern und 2. Quartalen endet es.",
)
SEVERAL = (
    ("Siehe § 5. Die Behörde entscheidet.", ["Siehe § 5.", "Die Behörde entscheidet."]),
    ("Das gilt. § 6 bleibt unberührt.", ["Das gilt.", "§ 6 bleibt unberührt."]),
    ("Is it so? Yes! It is.", ["Is it so?", "Yes!", "It is."]),
    ("im Kalenderjahr.Für die Haut gilt anderes.", ["im Kalenderjahr.", "Für die Haut gilt anderes."]),
    ("(1) Erster Absatz gilt.\n(2) Zweiter Absatz gilt.", ["(1) Erster Absatz gilt.", "(2) Zweiter Absatz gilt."]),
    ("§ 4 Dosisgrenzen\nDie Dosis ist begrenzt.", ["§ 4 Dosisgrenzen", "Die Dosis ist begrenzt."]),
    (
        "Das gilt (wie schon im vorigen Abschnitt für alle Mitglieder gesagt. Es gilt aber nicht für die Gäste). Ende.",
        [
            "Das gilt (wie schon im vorigen Abschnitt für alle Mitglieder gesagt.",
            "Es gilt aber nicht für die Gäste).",
            "Ende.",
        ],
    ),
    (
        "4. gestrichen\n5. kann die Regeln ändern. Das gilt.",
        ["4. gestrichen", "5. kann die Regeln ändern.", "Das gilt."],
    ),
    ("1. the name,\n2. the date or\n3. the place.", ["1. the name,\n2. the date or\n3. the place."]),
    ("Er zahlt (bar). Sie zahlt nicht.", ["Er zahlt (bar).", "Sie zahlt nicht."]),
    ("Er zahlt (bar. Sie zahlt nicht.", ["Er zahlt (bar.", "Sie zahlt nicht."]),  # never closed
    ("Es gibt 12. Das genügt.", ["Es gibt 12.", "Das genügt."]),
    ("4.2 Requirements\nThe plan shall be kept.", ["4.2 Requirements", "The plan shall be kept."]),
)


@pytest.mark.parametrize("text", ONE_SENTENCE)
def test_abbreviations_and_ordinals_end_no_sentence(text: str) -> None:
    assert [item.text for item in sentences(text)] == [text]


@pytest.mark.parametrize(("text", "expected"), SEVERAL)
def test_sentences_end(text: str, expected: list[str]) -> None:
    assert [item.text for item in sentences(text)] == expected


def test_an_enumeration_stays_with_its_lead_in() -> None:
    text = "Der Grenzwert beträgt\n1. für die Augenlinse 20 mSv,\n2. für die Haut 500 mSv."
    assert [item.text for item in sentences(text)] == [text]


def test_items_of_a_long_enumeration_stand_alone() -> None:
    items = [f"{number}. {'eine sehr lange Bedingung ' * 8}erfüllt ist," for number in range(1, 6)]
    text = "Die Genehmigung wird erteilt, wenn\n" + "\n".join(items)
    found = [item.text for item in sentences(text)]
    assert len(text) > LONGEST
    assert found[0] == "Die Genehmigung wird erteilt, wenn"
    assert [item[:2] for item in found[1:]] == ["1.", "2.", "3.", "4.", "5."]


@given(st.text(alphabet=st.sampled_from("aA bB.§1(\n)ä,?!–:“„ "), max_size=200))
def test_sentences_are_verbatim_ordered_and_miss_no_word(text: str) -> None:
    found = sentences(text)
    assert all(text[item.start : item.end] == item.text for item in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    covered = "".join(item.text for item in found)
    assert sorted(c for c in covered if c.isalnum()) == sorted(c for c in text if c.isalnum())


def test_offsets_count_from_the_beginning_of_the_text() -> None:
    text = "Überschrift. Danach steht ein Satz. Und noch einer."
    for item in sentences_after(text, 12):
        assert text[item.start : item.end] == item.text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Erster Satz. Zu prüfen ist, ob die", "Zu prüfen ist, ob die"),
        ("Erster Satz.\n1. Angaben, die", "1. Angaben, die"),
        ("Erster Satz. Zweiter Satz.", None),
        ("Die Unterlagen sind:", None),
        ("", None),
    ],
)
def test_where_an_open_sentence_begins(text: str, rest: str | None) -> None:
    at = left_open(text)
    assert (None if at is None else text[at:]) == rest


def test_the_sentence_around_an_offset() -> None:
    text = "Erster Satz hier. Zweiter Satz nach § 5 dort. Dritter."
    assert sentence_at(text, text.index("§ 5")) == "Zweiter Satz nach § 5 dort."
    assert sentence_at("", 3) == ""
