"""A question for a figure, and passages in which none of its kind stands."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.render import response_markdown
from rabbithole.steps.selection import question_part
from rabbithole.steps.selection.expected import figure_asked, states_figure


@pytest.mark.parametrize(
    ("question", "language", "figure"),
    [
        ("What does a library card cost?", "en", "money"),
        ("How much money do they pay?", "en", "money"),
        ("Wie hoch ist das Erfrischungsgeld?", "de", "money"),
        ("How much delay does the codec add?", "en", "amount"),
        ("Wie lange darf ich ein Buch behalten?", "de", "duration"),
        ("Wie oft darf ich ein Buch verlängern?", "de", "times"),
        ("When was the library built?", "en", "day"),
        ("When may a book be renewed?", "en", "date"),
        ("How many books may I borrow?", "en", "number"),
        ("What are the five kinds of books?", "en", None),
        ("Who runs the library?", "en", None),
    ],
)
def test_the_figure_a_question_asks_for(question, language, figure):
    assert figure_asked(question_part(question, language)) == figure


@pytest.mark.parametrize(
    ("figure", "text", "stated"),
    [
        ("money", "A card costs 5 euros.", True),
        ("money", "A card has 12 digits.", False),
        ("money", "The fee is set by the board in euros.", True),
        ("duration", "Books may be kept for four weeks.", True),
        ("duration", "1. Books may be kept.", False),
        ("day", "The house was built in 1912.", True),
        ("number", "Nobody knows.", False),
        ("times", "Books may be renewed at most three times.", True),
        ("times", "A book may be renewed once.", True),
        ("times", "It may be renewed a second time.", True),
        ("times", "Two attempts are permitted.", True),
        ("times", "Ein Buch kann höchstens zweimal verlängert werden.", True),
        ("times", "Es darf ein zweites Mal verlängert werden.", True),
        ("times", "Es darf 3-mal verlängert werden.", True),
        ("times", "Die einmalige Verlängerung ist zulässig.", True),
        ("times", "Shelves are checked every two years.", True),
        ("times", "Die Regale werden jährlich geprüft.", True),
        ("times", "Die Regale werden alle drei bis vier Monate geprüft.", True),
        ("times", "Shelves are checked at intervals of five days.", True),
        ("times", "| Shelves | 2 years |", True),
        ("times", "Books may be kept for four weeks.", False),
        ("times", "Im Jahr 2024 wurde normal verlängert.", False),
        ("duration", "Books may be renewed three times.", False),
    ],
)
def test_whether_a_text_states_it(figure, text, stated):
    assert states_figure(figure, text) is stated


def test_the_answer_says_that_no_sum_of_money_stands_in_it(tmp_path):
    text = (
        "A library card is issued to everybody who shows an identity card. The cost of a library card is waived in May."
    )
    with knowledge_base(tmp_path, record("Rules", [("1", text)])) as kb:
        response = respond(kb, understand(kb, "What does a library card cost?", "en"))
    assert response.status == "none"
    assert response.probability <= 0.05
    assert "Probably not answered: no sum of money is stated below." in response_markdown(response, "en")


def test_a_figure_in_a_passage_quoted_further_down_counts(tmp_path):
    sections = [
        (
            "1",
            "A library card is issued by the library. The cost of a library card is what the library asks for a card.",
        ),
        ("2", "For its card the library asks 5 euros."),
    ]
    with knowledge_base(tmp_path, record("Rules", sections)) as kb:
        response = respond(kb, understand(kb, "What does a library card cost?", "en"))
    assert any("5 euros" in one.text for one in response.passages)
    assert all(block.lacks is None for block in response.blocks)


def test_a_number_of_times_answers_how_often(tmp_path):
    text = (
        "Eine nicht bestandene Modulprüfung kann höchstens zweimal wiederholt werden. "
        "Für die Anmeldung zur Prüfung ist das Prüfungsamt zuständig."
    )
    with knowledge_base(tmp_path, record("Prüfungsordnung", [("§ 1", text)])) as kb:
        response = respond(kb, understand(kb, "Wie oft darf man eine nicht bestandene Modulprüfung wiederholen?", "de"))
    assert "zweimal" in response.passages[0].text
    assert "Wahrscheinlich nicht" not in response_markdown(response, "de")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("These are the years of life lost of a 50-year-old person.", False),
        ("A 50-year-old person loses 7.4 years of life.", True),
    ],
)
def test_a_figure_of_the_question_itself_states_nothing(text, stated):
    assert states_figure("duration", text, "How many years of life does a 50-year-old person lose?") is stated
