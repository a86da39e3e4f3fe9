"""The reader that finds in which sentence of a passage the answer stands, and whether the passage answers."""

from __future__ import annotations

import numpy as np
import pytest

from rabbithole.kb.store.encoders.adapter import Adapter
from rabbithole.kb.store.encoders.e5 import E5Encoder
from rabbithole.kb.store.encoders.span_reader import LONGEST_PASSAGE, PassageToRead, SpanModel, SpanReader, lay_out


@pytest.fixture(scope="module")
def encoder() -> E5Encoder:
    return E5Encoder()


def passage(*sentences: str, above: str = "Rules of the boat club: Fees") -> PassageToRead:
    text, spans = "", []
    for sentence in sentences:
        spans.append((len(text), len(text) + len(sentence)))
        text += f"{sentence} "
    return PassageToRead(above, text.strip(), tuple(spans))


FEES = passage(
    "Members pay for the year in advance.",
    "For a key to the shed the club takes a deposit of 20 euros.",
    "The keys are handed out by the treasurer on Saturdays.",
)
GEBÜHREN = passage(
    "Die Mitglieder zahlen für das Jahr im Voraus.",
    "Für einen Schlüssel zum Schuppen nimmt der Verein ein Pfand von 20 Euro.",
    "Die Schlüssel gibt der Kassenwart an Samstagen aus.",
    above="Ordnung des Rudervereins: Gebühren",
)
OARS = passage("Oars are made of ash or of spruce.", "They are stored upright.", above="Handbook of boats: Oars")


@pytest.mark.parametrize(
    ("question", "read", "sentence"),
    [
        ("How much does one pay for a key?", FEES, 1),
        ("Who hands out the keys?", FEES, 2),
        ("Wie viel kostet ein Schlüssel?", GEBÜHREN, 1),
        ("Wer gibt die Schlüssel aus?", GEBÜHREN, 2),
        ("Who hands out the keys?", GEBÜHREN, 2),
    ],
)
def test_the_answer_is_found_in_its_sentence(
    encoder: E5Encoder, question: str, read: PassageToRead, sentence: int
) -> None:
    (found,) = SpanReader(SpanModel.load(encoder)).read(question, [read])
    assert int(np.argmax(found.sentences)) == sentence
    assert float(np.exp(found.sentences).sum()) == pytest.approx(1.0, abs=1e-6)


def test_a_passage_that_answers_has_higher_odds(encoder: E5Encoder) -> None:
    fees, oars = SpanReader(SpanModel.load(encoder)).read("How high is the deposit for a key?", [FEES, OARS])
    assert fees.answers > oars.answers


def test_sentences_beyond_the_longest_passage_are_not_read(encoder: E5Encoder) -> None:
    long = passage(*(f"Boat number {number} is made of oak and lies at the pier." for number in range(60)))
    tokens, spans = lay_out(encoder, "Which boat is made of ash?", long)
    assert spans[-1][0] == spans[-1][1] == spans[0][0] - len(encoder.tokens(f"passage: {long.above}")) + LONGEST_PASSAGE
    assert len(tokens) == spans[-1][1] + 1
    (found,) = SpanReader(SpanModel.load(encoder)).read("Which boat is made of ash?", [long])
    assert found.sentences[-1] < found.sentences[0]
    assert np.isfinite(found.sentences).all()


def test_what_is_read_together_does_not_depend_on_what_else_is_read(encoder: E5Encoder) -> None:
    alone = SpanReader(SpanModel.load(encoder)).read("Who hands out the keys?", [FEES])[0]
    second = SpanReader(SpanModel.load(encoder)).read("Who hands out the keys?", [OARS, FEES])[1]
    assert second.answers == pytest.approx(alone.answers)
    assert second.sentences == pytest.approx(alone.sentences)


def test_an_adapter_adds_to_the_matrices_it_names() -> None:
    matrix = np.ones((3, 4), np.float32)
    adapter = Adapter({"l0.q": (np.ones((3, 1), np.float32), np.full((1, 4), 2, np.float32))}, {})
    assert adapter.added("l0.q", matrix).tolist() == [[3.0] * 4] * 3
    assert adapter.added("l0.k", matrix) is matrix


def test_an_adapted_encoder_leaves_the_one_it_comes_from_as_it_is(encoder: E5Encoder) -> None:
    (before,) = encoder.read(["The boat is made of ash."])
    weight, base = encoder.weights.norm("l11.oln")
    adapter = Adapter(
        {"l3.q": (np.ones((384, 1), np.float32), np.ones((1, 384), np.float32))}, {"l11.oln.w": 2 * weight}
    )
    adapted = encoder.adapted(adapter)
    assert np.abs(adapted.read(["The boat is made of ash."])[0].tokens - before.tokens).max() > 0.01
    assert adapted.weights.norm("l11.oln")[0] is not weight
    assert adapted.weights.norm("l11.oln")[1] is base
    assert np.array_equal(encoder.read(["The boat is made of ash."])[0].tokens, before.tokens)
