"""What an elliptical follow-up replaces in the question before, and what stays beside it."""

from __future__ import annotations

from typing import Literal

import pytest

from rabbithole.steps.follow_up import Context, resolve
from rabbithole.steps.follow_up.noun_kinds import kind_of

FOOD = "What is the allowance for food?"
MEALS = "How much is the allowance for daily meals?"
VERPFLEGUNG = "Wie hoch ist der Zuschuss für Verpflegung?"
POOL = "Wie lange hat das Schwimmbad im Winter geöffnet?"
RIDE = "Was kostet eine Fahrt ohne Hund?"
TICKET = "Was kostet ein Ticket für Erwachsene am Samstag?"
YEAR = "Wie viel Urlaub habe ich im ersten Jahr?"


@pytest.mark.parametrize(
    ("question", "text", "query"),
    [
        # the nouns of a phrase with the same preposition, if they are of the same kind
        (FOOD, "And for a hotel?", "What is the allowance for a hotel?"),
        (MEALS, "And for a hotel?", "How much is the allowance for a hotel?"),
        (FOOD, "And for interns?", "What is the allowance for food for interns?"),
        (FOOD, "And for breakfast and lunch?", "What is the allowance for breakfast and lunch?"),
        ("What is the fee for tea and cake?", "And for soup?", "What is the fee for soup?"),
        ("How many days off do I get in France?", "And in Germany?", "How many days off do I get in Germany?"),
        ("How many days off do I get in France?", "And in summer?", "How many days off do I get in France in summer?"),
        ("How much does a ticket for adults cost?", "And for children?", "How much does a ticket for children cost?"),
        (
            "How much does the firm pay for business trips?",
            "And for hotels?",
            "How much does the firm pay for hotels?",
        ),
        (  # 'open' may belong to the phrase
            "Is the pool for small children open?",
            "And for adults?",
            "Is the pool for small children open for adults?",
        ),
        (
            "What is the allowance for food in France?",
            "And for hotels in Germany?",
            "What is the allowance for hotels in Germany?",
        ),
        ("When must I apply for leave?", "And for a visa?", "When must I apply for a visa?"),
        ("What does it say about overtime?", "And about holidays?", "What does it say about holidays?"),
        (VERPFLEGUNG, "Und für ein Hotel?", "Wie hoch ist der Zuschuss für ein Hotel?"),
        (VERPFLEGUNG, "Und für Auszubildende?", "Wie hoch ist der Zuschuss für Verpflegung für Auszubildende?"),
        (VERPFLEGUNG, "Und im Sommer?", "Wie hoch ist der Zuschuss für Verpflegung im Sommer?"),
        (VERPFLEGUNG, "Und in Deutschland?", "Wie hoch ist der Zuschuss für Verpflegung in Deutschland?"),
        (POOL, "Und im Sommer?", "Wie lange hat das Schwimmbad im Sommer geöffnet?"),
        (POOL, "Und in den Ferien?", "Wie lange hat das Schwimmbad in den Ferien geöffnet?"),
        (TICKET, "Und für Kinder?", "Was kostet ein Ticket für Kinder am Samstag?"),
        (TICKET, "Und sonntags?", "Was kostet ein Ticket für Erwachsene sonntags?"),
        # another preposition with the same noun
        (RIDE, "Und mit Hund?", "Was kostet eine Fahrt mit Hund?"),
        (RIDE, "Und mit Fahrrad?", "Was kostet eine Fahrt ohne Hund mit Fahrrad?"),
        (YEAR, "Und ab dem zweiten Jahr?", "Wie viel Urlaub habe ich ab dem zweiten Jahr?"),
        (YEAR, "Und danach?", "Wie viel Urlaub habe ich im ersten Jahr danach?"),
        # nouns alone
        (FOOD, "What about a hotel?", "What is the allowance for a hotel?"),
        (FOOD, "And the hotel?", "What is the allowance for food for the hotel?"),  # or 'What is the hotel'
        (FOOD, "What about food for children?", "What is the allowance for food for children?"),
        ("What is the fee in France?", "What about Italy?", "What is the fee in Italy?"),
        (VERPFLEGUNG, "Wie ist es mit Hotels?", "Wie hoch ist der Zuschuss für Hotels?"),
        (VERPFLEGUNG, "Wie ist es bei Krankheit?", "Wie hoch ist der Zuschuss für Verpflegung bei Krankheit?"),
        (VERPFLEGUNG, "Was ist mit einer Unterkunft?", "Wie hoch ist der Zuschuss für Unterkunft?"),
        ("Wie hoch ist die Miete?", "Und die Kaution?", "Wie hoch ist die Kaution?"),
        ("Wer zahlt die Reparatur der Heizung?", "Und Fenster?", "Wer zahlt die Reparatur der Heizung für Fenster?"),
        (POOL, "Und die Sauna?", "Wie lange hat die Sauna im Winter geöffnet?"),
        ("Do I have to pay the fee?", "And the deposit?", "Do I have to pay the deposit?"),
        ("Is the pool open?", "And the sauna?", "Is the pool open for the sauna?"),
        # conditions
        (FOOD, "And if I am ill?", "What applies if I am ill? About: allowance; food."),
        (VERPFLEGUNG, "Und wenn ich krank bin?", "Was gilt, wenn ich krank bin? Zu: Zuschuss; Verpflegung."),
        ("What happens if I lose my key?", "And if I lose my card?", "What happens if I lose my card?"),
        ("What happens if I lose my key?", "And if I break it?", "What happens if I break it? About: lose; key."),
        ("Wer zahlt, wenn ich krank bin?", "Und wenn mein Kind krank ist?", "Wer zahlt, wenn mein Kind krank ist?"),
        ("Wenn ich krank bin, wer zahlt?", "Und wenn ich verreise?", "Wer zahlt, wenn ich verreise?"),
    ],
)
def test_what_a_follow_up_replaces(question: str, text: str, query: str) -> None:
    language: Literal["de", "en"] = "de" if question.startswith(("Wie", "Was", "Wer ", "Wenn")) else "en"
    assert resolve(text, Context(query=question, language=language)).query == query


@pytest.mark.parametrize(
    ("phrase", "language", "kind"),
    [
        ("part-time employees", "en", "people"),
        ("an operator", "en", "people"),
        ("parental leave", "en", "matter"),
        ("a server", "en", "matter"),
        ("Germany", "en", "name"),
        ("New York", "en", "name"),
        ("the trial period", "en", "matter"),
        ("weekends", "en", "time"),
        ("the first year", "en", "time"),
        ("beruflich exponierte Personen", "de", "people"),
        ("die Mieter der Wohnung", "de", "people"),
        ("Zimmer", "de", "matter"),
        ("den Ferien", "de", "time"),
        ("ersten Jahr", "de", "time"),
        ("diesem Fall", "de", "matter"),
        ("Verpflegung", "de", "matter"),
    ],
)
def test_what_a_phrase_names(phrase: str, language: Literal["de", "en"], kind: str) -> None:
    assert kind_of(phrase, language) == kind
