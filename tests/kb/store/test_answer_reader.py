"""How near passages are to a question: as a whole, word by word, and by an encoder without vectors of tokens."""

from __future__ import annotations

import numpy as np
import pytest

from rabbithole.kb.store.encoders.answer_reader import WORDS, E5Reader, late_interaction, near_encoder
from rabbithole.kb.store.encoders.e5 import E5Encoder, EncodedText

PASSAGES = [
    "The library is closed on public holidays and during the summer break.",
    "Whoever loses a key pays for a new lock of the building.",
    "Members give notice in writing, at least four weeks before the end of a quarter.",
    "",
]


def reading(*tokens: list[float]) -> EncodedText:
    """A reading whose tokens are the same in one layer."""
    return EncodedText(np.array([1.0, 0.0], dtype=np.float32), np.array([tokens], dtype=np.float16))


@pytest.mark.parametrize(
    ("question", "passage", "expected"),
    [
        (reading([1, 0]), reading([1, 0]), 1.0),
        (reading([1, 0], [0, 1]), reading([1, 0]), 0.5),
        (reading([1, 0]), reading([0, 1], [1, 0], [0.6, 0.8]), 1.0),
        (reading([1, 0], [0, 1]), reading([0.6, 0.8]), 0.7),
    ],
)
def test_each_token_of_the_question_counts_with_its_nearest(
    question: EncodedText, passage: EncodedText, expected: float
) -> None:
    assert late_interaction(question, passage) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("question", "same_words", "answer"),
    [
        (
            "How long may I keep a borrowed book?",
            "Borrowed books are kept on the shelf behind the desk for readers who ask for them.",
            "The loan period is four weeks and can be extended twice.",
        ),
        (
            "Who may cancel the contract?",
            "A contract that was cancelled may be concluded again under the same terms.",
            "Either party can terminate the agreement with three months' notice.",
        ),
        (
            "Wie oft darf man die Prüfung wiederholen?",
            "Die Prüfung wiederholt den Stoff der Vorlesung.",
            "Ein nicht bestandener Versuch kann zweimal nachgeholt werden.",
        ),
    ],
)
def test_what_was_learned_puts_an_answer_in_other_words_before_the_same_words(
    question: str, same_words: str, answer: str
) -> None:
    plain = E5Encoder()
    (asked,) = plain.read([question], query=True)
    words, told = (
        one.whole @ asked.whole + WORDS * late_interaction(asked, one) for one in plain.read([same_words, answer])
    )
    assert told < words
    words, told = E5Reader().nearness(question, [same_words, answer])
    assert told > words


@pytest.mark.parametrize(
    ("question", "nearest"), [("How can I leave the association?", 2), ("Was geschieht bei Verlust des Schlüssels?", 1)]
)
def test_the_passage_that_answers_is_nearest(question: str, nearest: int) -> None:
    reader = E5Reader()
    found = reader.nearness(question, PASSAGES)
    assert int(np.argmax(found)) == nearest
    assert reader.nearness(question, PASSAGES[::-1]) == pytest.approx(found[::-1])


def test_nearness_is_cosine_and_late_interaction() -> None:
    encoder, question = near_encoder(), "What does a lost key cost?"
    (asked,) = encoder.read([question], query=True)
    expected = [one.whole @ asked.whole + WORDS * late_interaction(asked, one) for one in encoder.read(PASSAGES)]
    assert E5Reader().nearness(question, PASSAGES) == pytest.approx(np.array(expected), abs=1e-3)
