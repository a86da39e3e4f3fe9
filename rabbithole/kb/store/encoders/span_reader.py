"""Reads a question and a passage together: whether the passage answers, and in which of its sentences.

This is an extractive reader (Chen et al., 2017; Devlin et al., 2019): multilingual E5 small sees the tokens of both at
once. A low-rank adapter, learned on questions whose answer is known (``train.py`` and then ``order.py`` in
``bench/answering/reader``), turns its last layer into three results: how likely each token belongs to the answer, the
log-odds that the passage answers, and by how much it is likelier to answer than the ranker of units says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.store.vectors.matrix import Float32

from .adapter import Adapter, stored
from .e5 import E5Encoder
from .recent import Recent

MODEL: Final = Path(__file__).with_name("span_reader.npz")
LONGEST_QUESTION: Final = 64
LONGEST_ABOVE: Final = 120
LONGEST_PASSAGE: Final = 288
"""Maximum numbers of tokens of the question, of what stands above the passage, and of that with the passage."""
_CHARACTERS_ASKED, _CHARACTERS_ABOVE = 400, 500
_KEPT: Final = 256
_LEAST: Final = -20.0
"""Least log-probability of a sentence; of those beyond ``LONGEST_PASSAGE``, too."""

Float64 = NDArray[np.float64]


@dataclass(frozen=True)
class PassageToRead:
    """A passage to read: title, heading and lead-in ``above`` it, its text, and the offsets of its sentences."""

    above: str
    text: str
    sentences: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class FoundSpans:
    """What the reader finds in a passage.

    ``answers`` are the log-odds that it answers. ``order`` are log-odds to add to those of the ranker; they are
    comparable among the passages of one question only. ``sentences`` holds the log-probability of each sentence that
    the answer stands in it, if it stands in the passage.
    """

    answers: float
    order: float
    sentences: Float64


@dataclass(frozen=True)
class SpanModel:
    """E5 with the reader's adapter, and the three linear maps above its last layer. Keep one object for a process."""

    encoder: E5Encoder
    token: Float32
    passage: Float32
    passage_base: float
    order: Float32

    @classmethod
    def load(cls, encoder: E5Encoder, path: Path = MODEL) -> SpanModel:
        """Return the model that a training wrote, for an encoder without an adapter."""
        values = stored(path)
        adapted, base = encoder.adapted(Adapter.of(values)), float(values["passage_base"])
        return cls(adapted, values["token"], values["passage"], base, values["order"])

    def found(self, states: Float32, spans: Sequence[tuple[int, int]]) -> FoundSpans:
        """Return what is found in a passage from the states of all tokens, (tokens, 384)."""
        tokens = (states @ self.token).astype(np.float64)
        each = np.array([_log_sum(tokens[start:end]) if start < end else -np.inf for start, end in spans])
        inside = each - _log_sum(each) if np.isfinite(each).any() else each
        mean = states.mean(axis=0)
        answers, order = float(mean @ self.passage) + self.passage_base, float(mean @ self.order)
        return FoundSpans(answers, order, np.maximum(inside, _LEAST))


class SpanReader:
    """Reads with a model, which may be shared. Safe for use by several threads.

    Keep one object for all parts of a question, which share passages.
    """

    def __init__(self, model: SpanModel) -> None:
        self._model = model
        self._found = Recent(self._read, _KEPT)

    def read(self, question: str, passages: Sequence[PassageToRead]) -> list[FoundSpans]:
        """Return what is found in each passage."""
        return self._found([(question, one) for one in passages])

    def _read(self, pairs: Sequence[tuple[str, PassageToRead]]) -> list[FoundSpans]:
        laid_out = [lay_out(self._model.encoder, question, one) for question, one in pairs]
        states = self._model.encoder.states([tokens for tokens, _ in laid_out])
        return [self._model.found(one, spans) for one, (_, spans) in zip(states, laid_out, strict=True)]


def lay_out(encoder: E5Encoder, question: str, passage: PassageToRead) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the tokens of a question and a passage, and for each sentence where its tokens stand among them.

    A sentence beyond the longest passage has none.
    """
    asked = encoder.tokens(question[:_CHARACTERS_ASKED], query=True)[:LONGEST_QUESTION]
    above = " ".join(passage.above.split())[:_CHARACTERS_ABOVE]
    tokens = encoder.tokens(above, query=False)[:LONGEST_ABOVE]
    first, spans, at = len(asked) + 2, [], 0
    for start, end in passage.sentences:
        if between := passage.text[at:start].strip():
            tokens += encoder.tokens(between)
        low = min(len(tokens), LONGEST_PASSAGE)
        tokens += encoder.tokens(passage.text[start:end])
        spans.append((first + low, first + min(len(tokens), LONGEST_PASSAGE)))
        at = end
    return encoder.framed(asked, tokens[:LONGEST_PASSAGE]), spans


def _log_sum(values: Float64) -> float:
    highest = float(values.max())
    return highest + float(np.log(np.exp(values - highest).sum()))
