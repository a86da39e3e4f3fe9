"""The questions in a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.steps.reasoning.parts.question_parts import MOST, question_parts


@pytest.mark.parametrize(
    ("question", "language", "parts"),
    [
        ("Wer darf das?", "de", ["Wer darf das"]),
        (
            "How large a buffer, in kilobytes, must a player provide at the least?",
            "en",
            ["How large a buffer, in kilobytes, must a player provide at the least"],
        ),
        (
            "How long, in days, may it take to mend, and must the owner be told?",
            "en",
            ["How long, in days, may it take to mend", "must the owner be told"],
        ),
        (
            "Wie trete ich aus dem Verein aus und bekomme ich dann Beiträge zurück?",
            "de",
            ["Wie trete ich aus dem Verein aus", "bekomme ich dann Beiträge zurück"],
        ),
        (
            'What does the guide say about "My pump is low. What can I do?"',
            "en",
            ['What does the guide say about "My pump is low. What can I do?"'],
        ),
        ("Was brauche ich und welche ich nicht?", "de", ["Was brauche ich und welche ich nicht"]),
        (
            "Worin unterscheidet sich ein Hardlink von einem Symlink?",
            "de",
            ["Was bedeutet Hardlink", "Was bedeutet Symlink"],
        ),
        (
            "Was ist der Unterschied zwischen der Miete und einer Pacht, und wer zahlt sie?",
            "de",
            ["Was bedeutet Miete", "Was bedeutet Pacht", "wer zahlt sie"],
        ),
        ("How does a lease differ from a rent?", "en", ["What is a lease", "What is a rent"]),
        ("What is the difference between keys and locks?", "en", ["What is keys", "What is locks"]),
        ("How do these rules differ?", "en", ["How do these rules differ"]),
        (
            "How do rules on noise and on rest that were made in 2010 differ from earlier ones?",
            "en",
            ["How do rules on noise and on rest that were made in 2010 differ from earlier ones"],
        ),
        (
            "Bis wann muss ich kündigen, und bekomme ich Beiträge zurück?",
            "de",
            ["Bis wann muss ich kündigen", "bekomme ich Beiträge zurück"],
        ),
        (
            "Zählen wir die Stimmen selbst aus, und wen müssen wir unterrichten?",
            "de",
            ["Zählen wir die Stimmen selbst aus", "wen müssen wir unterrichten"],
        ),
        (
            "Gilt die Frist, wenn ich umziehe und ich krank bin?",
            "de",
            ["Gilt die Frist, wenn ich umziehe und ich krank bin"],
        ),
        (
            "Wie lang muss ein Passwort sein, and must users change them periodically?",
            "en",
            ["Wie lang muss ein Passwort sein", "must users change them periodically"],
        ),
        (
            "Bis wann sind Anträge einzureichen, und gilt dieser Weg auch für Satzungen?",
            "de",
            ["Bis wann sind Anträge einzureichen", "gilt dieser Weg auch für Satzungen"],
        ),
        (
            "Wie lange dauert die Arbeit, und um wie viel kann sie verlängert werden?",
            "de",
            ["Wie lange dauert die Arbeit", "um wie viel kann sie verlängert werden"],
        ),
        (
            "A stick with data has gone missing. Whom must we notify, and how fast must it happen?",
            "en",
            ["Whom must we notify", "how fast must it happen"],
        ),
        (
            "As a federal agency, when may we throw away the records?",
            "en",
            ["As a federal agency, when may we throw away the records"],
        ),
        (
            "What does the guide say about minimum length, composition rules and periodic changes?",
            "en",
            [
                "What does the guide say about minimum length",
                "What does the guide say about composition rules",
                "What does the guide say about periodic changes",
            ],
        ),
        (
            "When training such a filter, does it pay to warm it?",  # a condition
            "en",
            ["When training such a filter, does it pay to warm it"],
        ),
        ("When must it be warm, and who checks it daily?", "en", ["When must it be warm", "who checks it daily"]),
        (
            "Kann ein Anwohner sich am 20. Mai noch äußern, und wo endet die Frist?",
            "de",
            ["Kann ein Anwohner sich am 20. Mai noch äußern", "wo endet die Frist"],
        ),
        ("Es gilt § 20. Was folgt daraus für Filter?", "de", ["Was folgt daraus für Filter"]),
        (  # what says nothing by itself goes with what it asks about
            "Welche Quote gilt für Abfälle, und bis wann und von wem geprüft brauchen wir den Beleg?",
            "de",
            ["Welche Quote gilt für Abfälle", "bis wann und von wem geprüft brauchen wir den Beleg"],
        ),
        (
            "Which filters need a number, how long must it be, and what do I type for old filters?",
            "en",
            ["Which filters need a number, how long must it be", "what do I type for old filters"],
        ),
        ("Which packets should they keep, and why?", "en", ["Which packets should they keep, and why"]),
        (
            "Was kosten ein Schlüssel, die Jahreskarte und das Gastticket?",
            "de",
            ["Was kosten ein Schlüssel", "Was kosten die Jahreskarte", "Was kosten das Gastticket"],
        ),
        ("Was kosten Schlüssel und Karten?", "de", ["Was kosten Schlüssel", "Was kosten Karten"]),
        ("Was kostet das Ausstellen und Versenden?", "de", ["Was kostet das Ausstellen und Versenden"]),
        ("How much do a key and a copy cost?", "en", ["How much do a key cost", "How much do a copy cost"]),
        ("Welche Prüfungen und Nachweise sind nötig?", "de", ["Welche Prüfungen und Nachweise sind nötig"]),
        ("Which keys must be kept and protected?", "en", ["Which keys must be kept and protected"]),
    ],
)
def test_every_part_is_asked_for_itself(question: str, language: str, parts: list[str]) -> None:
    assert list(question_parts(question, language)) == parts


@given(st.text(max_size=300), st.sampled_from(["de", "en"]))
def test_whatever_is_asked_has_a_part(question: str, language: str) -> None:
    found = question_parts(question, language)
    assert 1 <= len(found) <= MOST


@pytest.mark.parametrize(
    ("question", "language", "parts"),
    [
        ("Who chairs the board and how long?", "en", ["Who chairs the board and how long"]),
        ("Who chairs the board? And how long?", "en", ["Who chairs the board, and how long"]),
        ("Wer leitet den Vorstand? Wie lange?", "de", ["Wer leitet den Vorstand, wie lange"]),
        ("Ist Rauchen erlaubt? Warum? Wo?", "de", ["Ist Rauchen erlaubt, warum, wo"]),
        ("Do I need a permit? Why? How long is it valid?", "en", ["Do I need a permit, why", "How long is it valid"]),
        ("Why? Where is the pool?", "en", ["Why, where is the pool"]),
        (
            "Who chairs the board and how long, and who elects it?",
            "en",
            ["Who chairs the board and how long", "who elects it"],
        ),
        ("Tell me the fee. When is it due?", "en", ["Tell me the fee", "When is it due"]),
        ("Nenne die Gebühren. Wann sind sie fällig?", "de", ["Nenne die Gebühren", "Wann sind sie fällig"]),
        ("I want to know the fee. When is it due?", "en", ["I want to know the fee", "When is it due"]),
        ("Ich will gern umziehen. Wie lange ist die Frist?", "de", ["Wie lange ist die Frist"]),  # context
        ("List prices are fixed. Who sets them?", "en", ["Who sets them"]),
        ("I rent a flat. What is the notice period?", "en", ["What is the notice period"]),  # context
        ("What is due, when it is late, and who pays?", "en", ["What is due, when it is late", "who pays"]),
        (
            "Braucht man eine Kaution, und wenn ja, wie hoch ist sie?",
            "de",
            ["Braucht man eine Kaution", "wenn ja, wie hoch ist sie"],
        ),
        (
            "Braucht man eine Kaution und wenn ja, wie viel?",
            "de",
            ["Braucht man eine Kaution und wenn ja, wie viel"],
        ),
        (
            "Was kostet der Kurs, wann beginnt er und wie lange dauert er?",
            "de",
            ["Was kostet der Kurs", "wann beginnt er", "wie lange dauert er"],
        ),
        ("Weißt du, wie oft sie prüfen?", "de", ["Weißt du, wie oft sie prüfen"]),
        (
            "Where is the pool? When does it open? How deep is it? What does it cost? Who runs it? Who heats it? "
            "Who may swim?",
            "en",
            [
                "Where is the pool",
                "When does it open",
                "How deep is it",
                "What does it cost",
                "Who runs it",
                "Who heats it; Who may swim",
            ],
        ),
    ],
)
def test_nothing_that_asks_is_dropped(question: str, language: str, parts: list[str]) -> None:
    assert list(question_parts(question, language)) == parts
