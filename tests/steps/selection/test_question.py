"""What kind of answer a question asks for, and whether a sentence holds one."""

from __future__ import annotations

import pytest

from rabbithole.steps.selection import question_part
from rabbithole.steps.selection.expected import (
    announces,
    holds,
    may_answer,
    new_figures,
    new_names,
    only_asks,
    states_purpose,
)
from rabbithole.steps.selection.models import AnswerType
from rabbithole.steps.selection.question import answer_type, is_negated


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("How long should logs be kept?", "en", "duration"),
        ("Wie lange dauert das Pflichtpraktikum?", "de", "duration"),
        ("Wie oft darf die Prüfung wiederholt werden?", "de", "times"),
        ("How many times may it be renewed?", "en", "times"),
        ("How frequently is the log read?", "en", "times"),
        ("How quickly must it be reported?", "en", "duration"),
        ("What did a soldier earn?", "en", "amount"),
        ("Was verdient ein Beisitzer?", "de", "amount"),
        ("How much does membership cost?", "en", "amount"),
        ("Wie hoch ist die Gebühr?", "de", "amount"),
        ("How many copies are required?", "en", "number"),
        ("Wie viele Leistungspunkte sind nötig?", "de", "number"),
        ("When was the bridge built?", "en", "date"),
        ("Wer bestellt den Prüfer?", "de", "person"),
        ("Who must be notified?", "en", "person"),
        ("Where does the board meet?", "en", "place"),
        ("What does multihomed mean?", "en", "definition"),
        ("Darf ein Gast abstimmen?", "de", "yes_no"),
        ("May users share accounts?", "en", "yes_no"),
        ("Was kostet es, dem Verein beizutreten?", "de", "amount"),
        ("Was muss ich für das laufende Jahr bezahlen?", "de", "amount"),
        ("Was regelt die Satzung?", "de", "open"),
        ("Was the fee paid?", "en", "yes_no"),
        ("Which share of the tuples is assumed?", "en", "number"),
        ("Welche Aufgaben hat der Vorstand?", "de", "list"),
        ("Welche besonderen Pflichten haben Gäste?", "de", "list"),
        ("Which zones does a centre have?", "en", "list"),
        ("Welche Farbe hat das Schild?", "de", "open"),
        ("Which process does it use?", "en", "open"),
        ("What basis does it have?", "en", "open"),
        ("How small must the pieces be?", "en", "number"),
        ("Wie dick darf das Heft sein?", "de", "number"),
        ("Bis wann soll der Neubau stehen?", "de", "date"),
        ("By when must I register?", "en", "date"),
        ("Was passiert, wenn ich die Frist versäume?", "de", "procedure"),
        ("Welche Kosten trägt der Verein?", "de", "list"),
        ("What is the size of a chunk?", "en", "number"),
        ("What is the default request timeout in the client?", "en", "number"),
        ("Raft election timeout value", "en", "number"),
        ("Was ist der Abstand zwischen zwei Bäumen?", "de", "number"),
        ("What is a size class?", "en", "definition"),
        ("Widerrufsfrist Lebensversicherung", "de", "duration"),
        ("Wer setzt eine Widerrufsfrist?", "de", "person"),
        ("When must it be returned?", "en", "date"),
        ("The key must be returned when?", "en", "date"),
        ("Which node decides when several claim to lead?", "en", "open"),
        ("Where are the keys kept?", "en", "place"),
        ("Which tools work on a network where nobody is trusted?", "en", "open"),
    ],
)
def test_the_type_of_answer(text: str, language: str, expected: AnswerType) -> None:
    assert answer_type(text, language) == expected


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("duration", "Die Bearbeitungszeit beträgt acht Wochen.", True),
        ("duration", "The thesis is written in German.", False),
        ("duration", "It is reported within one hour.", True),
        ("duration", "Applications take a few weeks, complex ones up to a month.", True),
        ("duration", "Das dauert mehrere Werktage.", True),
        ("duration", "Nach fünf Ausbildungsjahren wird man Meister.", True),
        ("duration", "Many applications are refused.", False),
        ("amount", "Die Aufnahmegebühr beträgt EUR 10,00.", True),
        ("amount", "Fees are set by the board.", False),
        ("number", "Two copies are handed in.", True),
        ("date", "It was built in 1870.", True),
        ("date", "Der Antrag ist binnen drei Monaten zu stellen.", True),
        ("number", "Wählbar ist, wer das vierzigste Lebensjahr vollendet hat.", True),
        ("person", "Wer einen Schlüssel hat, schließt ab.", True),
        ("person", "Die Ausbringung erfolgt im Frühjahr.", False),
        ("person", "The authorizing official signs.", True),
        ("yes_no", "Guests may not vote.", True),
        ("open", "Anything.", True),
    ],
)
def test_what_a_sentence_holds(kind: AnswerType, text: str, expected: bool) -> None:
    assert holds(kind, text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nicht bestandene Prüfung", True),
        ("users who don't sign", True),
        ("bestandene Prüfung", False),
        ("note", False),
    ],
)
def test_negation(text: str, expected: bool) -> None:
    assert is_negated(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The following subsections discuss threats to the four zones.", True),
        ("Das Verfahren wird in Abschnitt 4.2 näher beschrieben.", True),
        ("The four zones are access, management, computing and storage.", False),
        ("Dieser Antrag ist schriftlich zu stellen.", False),
        ("Table 2 summarizes our ranked list of obstacles.", True),
        ("Section 2.1 lists many types of firewalls.", True),
        ("Tabelle 3 nennt die Fristen.", True),
        ("Table 3 shows that compression halves the time.", False),
        ("Die Anlage gibt Wärme ab.", False),
    ],
)
def test_what_only_announces(text: str, expected: bool) -> None:
    assert announces(text) is expected


def test_figures_and_names_of_the_question_are_not_new() -> None:
    assert new_figures("What holds since 2019?", "Since 2019 the fee is 20 Euro.") == 1
    assert new_names("Who leads the Board?", "It is Maria Berger of the Board.") == 2


def test_the_rest_of_a_question_is_context() -> None:
    part = question_part("when is it due?", "en", whole="How much is the membership fee and when is it due?")
    assert {term.stem for term in part.terms}.isdisjoint(term.stem for term in part.context)
    assert "membership" in {term.stem for term in part.context}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The fee is 40 euros.", True),
        ("1. The fee is 40 euros.", True),
        ("1. the chair\n2. two members", False),
        ("| 1. | | as chair |\n| 2. | | as member |", False),
        ("| 1. | 35 | as chair |", True),
        ("(3) The board decides.", False),
        ("The fee follows rule-9 and form X12.", False),
    ],
)
def test_numbers_of_items_and_rows_are_no_figures(text: str, expected: bool) -> None:
    assert may_answer(question_part("How much is the attendance fee?", "en"), text) is expected


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("When was the club founded?", "The club was founded in 1974.", True),
        ("When was the club founded?", "The club was founded before the war, when bees were rare.", False),
        ("Wann erschien die erste Fassung?", "Die erste Fassung ist 2.9.1 und läuft, wenn sie da ist.", False),
        ("Wann erschien die erste Fassung?", "Die erste Fassung erschien am 3. Mai.", True),
        ("What does it cost to join?", "Whoever joins reads rules 3 and 4.", False),
        ("What does it cost to join?", "| Joining | 15 | a year |", True),
        ("Was kostet ein Schlüssel?", "Für 2 Schlüssel zahlt ein Mitglied 18 Euro.", True),
        ("Was kostet ein Schlüssel?", "Es gibt 2 Schlüssel.", False),
        ("Wann muss ich kündigen?", "Gekündigt wird, sofern die Pacht nicht bezahlt ist.", True),
    ],
)
def test_what_happened_has_a_day_and_a_price_a_currency(question: str, text: str, expected: bool) -> None:
    assert may_answer(question_part(question, "de" if question.startswith("Wa") else "en"), text) is expected


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What are the five types of accounts?", "There are twelve types of accounts.", False),
        ("What are the five types of accounts?", "Assets, debts, capital, income and expenses.", True),
        ("List the fields of a name", "- maker\n- family\n- weight", True),
        ("List the fields of a name", "A name has fields.", False),
        ("Welche drei Fristen gelten?", "Es gelten Fristen.", False),
        ("Which two options are there?", "Either --safe or --jail.", True),
    ],
)
def test_several_things_are_answered_one_by_one(question: str, text: str, expected: bool) -> None:
    assert may_answer(question_part(question, "de" if question.startswith("Welche") else "en"), text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Salvaging is the process by which one attempts to save a package.", False),
        ("Salvaging is the way out: first file a bug, then wait.", True),
        ("Open a bug that says so.", True),
        ("How do you salvage a package?", False),
        ("How do you salvage it? Or a variation like...", False),
        ("How do you salvage it? File a bug.", True),
    ],
)
def test_a_definition_or_a_question_does_not_say_how(text: str, expected: bool) -> None:
    assert may_answer(question_part("How do I salvage a package?", "en"), text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I ask for leave?", True),
        ("I moved house in May. Do I still have to pay the fee?", True),  # a heading of a FAQ with its story
        ("„Muss ich die Gebühr zahlen?“", True),
        ("How do I ask for it? Or a variation like...", True),
        ("How do I ask for it? Write to us.", False),
        ("Write to us.", False),
        (f"{'The keeper writes an entry every day. ' * 9}Is it late?", False),  # says much else
    ],
)
def test_what_only_asks(text: str, expected: bool) -> None:
    assert only_asks(text) is expected
    assert may_answer(question_part("Whom do I ask?", "en"), text) is not expected


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("The aim of this study is to compare two filters.", "Which filter holds more?", True),
        ("The aim of this study is to compare two filters.", "What is the aim of the study?", False),
        ("The aim of this study is to compare two filters.", "Why were the filters compared?", False),
        ("Two purposes of the present report are named.", "What does it find?", True),
        ("The purpose of the pump is to move water.", "What does the pump do?", False),  # not of a text
        ("Ziel dieser Arbeit ist der Vergleich zweier Filter.", "Welcher Filter hält mehr?", True),
        ("Anliegen unserer Untersuchung war ein Vergleich.", "Welcher Filter hält mehr?", True),
        ("Ziel dieser Arbeit ist der Vergleich zweier Filter.", "Wozu dient die Arbeit?", False),
        ("Zweck des Vereins ist die Pflege der Bienen.", "Was fördert der Verein?", False),
    ],
)
def test_the_aim_of_a_text_is_not_what_it_found(text: str, question: str, expected: bool) -> None:
    assert states_purpose(text, question) is expected
    language = "en" if text.startswith(("The", "Two")) else "de"
    assert may_answer(question_part(question, language), text) is not expected
