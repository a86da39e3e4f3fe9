"""The words of a question that name the document of a place."""

from __future__ import annotations

import pytest

from rabbithole.steps.question.place_phrases import document_words, without_place


@pytest.mark.parametrize(
    ("query", "place", "named"),
    [
        ("Does section 5 of the Reed licence say what happens if I stop?", "section 5", "of the Reed licence"),
        ("What does section 4 of the Reed licence ask of me when I pass it on?", "section 4", "of the Reed licence"),
        ("Does section 2 of the RPL let me sell copies?", "section 2", "of the RPL"),
        (
            "Under section 3 of the rules of the Reed Club. May a member vote?",
            "section 3",
            "of the rules of the Reed Club",
        ),
        ("Under section 3 of the constitution of our club, who may vote?", "section 3", "of the constitution"),
        ("We release before 4.6 of our Reed program. What is its number?", "4.6", ""),
        ("What does section 1 of the Reed I specification say?", "section 1", "of the Reed I specification"),
        ("Which section 1 of the Reed licence I signed?", "section 1", "of the Reed licence"),
        ("What does section 2 of the Reed grant agreement require?", "section 2", "of the Reed grant agreement"),
        ("What does section 2 of the St. Reed rules v1.2 require?", "section 2", "of the St. Reed rules v1.2"),
        ("Was verlangt § 5 der Schilfordnung von mir?", "§ 5", "der Schilfordnung"),
        ("Darf ich nach § 5 der Satzung unseres Vereins wählen?", "§ 5", "der Satzung"),
        ("Gilt § 5 der Ordnung. Muss ich zahlen?", "§ 5", "der Ordnung"),
    ],
)
def test_the_name_ends_with_its_sentence_at_a_verb_or_a_pronoun(query: str, place: str, named: str) -> None:
    assert document_words(query, place) == named


def test_what_is_asked_about_a_place_stays() -> None:
    asked = "What does section 5 of the Reed licence say happens if I stop?"
    assert without_place(asked, "section 5") == "What does   say happens if I stop?"
