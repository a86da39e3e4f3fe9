"""Parts of a question that can be searched for by themselves."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.parts.completed_parts import completed_parts


@pytest.mark.parametrize(
    ("question", "language", "parts"),
    [
        ("What is a lease?", "en", ["What is a lease"]),
        ("What is a lease and when does it expire?", "en", ["What is a lease", "when does it expire (lease)"]),
        (
            "How long is the trial period and can it be extended?",
            "en",
            ["How long is the trial period", "can it be extended (trial period)"],
        ),
        (
            "What is the fee? When is it due? Where is the account? Who holds it?",
            "en",
            ["What is the fee", "When is it due (fee)", "Where is the account (fee)", "Who holds it (fee)"],
        ),
        (
            "What is the notice period and does it differ for the landlord?",
            "en",
            ["What is the notice period", "does it differ for the landlord (notice period)"],
        ),
        (
            "Who elects the board and who keeps the minutes of the assembly?",
            "en",
            ["Who elects the board", "who keeps the minutes of the assembly"],
        ),
        ("I want to know the fee. When is it due?", "en", ["I want to know the fee", "When is it due (fee)"]),
        (
            "Was ist ein Mietvertrag und wann läuft er ab?",
            "de",
            ["Was ist ein Mietvertrag", "wann läuft er ab (Mietvertrag)"],
        ),
        (
            "Was passiert bei Verspätung und wer entscheidet?",
            "de",
            ["Was passiert bei Verspätung", "wer entscheidet (Verspätung)"],
        ),
        (
            "Was gilt im Winter und wann muss die Verlängerung beantragt sein?",
            "de",
            ["Was gilt im Winter", "wann muss die Verlängerung beantragt sein"],
        ),
        ("Wer haftet, und in welcher Höhe?", "de", ["Wer haftet", "in welcher Höhe (haftet)"]),
        (
            "Wie viel Urlaub gibt es und welche Frist gilt für den Antrag?",
            "de",
            ["Wie viel Urlaub gibt es", "welche Frist gilt für den Antrag"],
        ),
    ],
)
def test_a_part_has_the_subject_it_leaves_to_another(question: str, language: str, parts: list[str]) -> None:
    assert list(completed_parts(question, language)) == parts
