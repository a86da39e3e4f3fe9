"""How near passages are to a question, for the few that may answer it.

E5 compares a text as a whole and word by word: to the cosine of the texts' vectors is added how near the nearest token
of the passage is to each token of the question, on average (MaxSim; ColBERT, Khattab and Zaharia, 2020). A low-rank
adapter, learned on questions whose answer is known (``bench/answering/reader/near.py``), brings questions nearer to the
passages that answer them. It reads for every collection, whichever model that is embedded by. Measured there and in
``bench/answering/late_interaction.py``.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from .adapter import Adapter, stored
from .e5 import E5Encoder, EncodedText
from .recent import Recent
from .span_reader import SpanModel, SpanReader

Float64 = NDArray[np.float64]
MODEL: Final = Path(__file__).with_name("answer_reader.npz")
WORDS: Final = 0.75
"""Weight of the comparison word by word; 1 for the texts as a whole."""
_KEPT_TEXTS: Final = 128
"""Passages encoded by E5 that are kept, at most 0.4 MB each."""
_GUARD: Final = threading.Lock()


class AnswerReader(Protocol):
    """Compares passages with a question. The results are comparable only among those of one reader."""

    def nearness(self, question: str, passages: Sequence[str]) -> Float64:
        """Return how near each passage is to the question."""
        ...


class E5Reader:
    """Reads with multilingual E5 small, which a process loads once. Keep one object for all parts of a question."""

    def __init__(self) -> None:
        self._passages: Recent[str, EncodedText] = Recent(lambda texts: near_encoder().read(texts), _KEPT_TEXTS)
        self._questions: Recent[str, EncodedText] = Recent(
            lambda texts: near_encoder().read(texts, query=True), _KEPT_TEXTS
        )

    def nearness(self, question: str, passages: Sequence[str]) -> Float64:
        """Return for each passage its cosine to the question plus ``WORDS`` times its ``late_interaction``."""
        (asked,) = self._questions([question])
        return np.array(
            [float(one.whole @ asked.whole) + WORDS * late_interaction(asked, one) for one in self._passages(passages)]
        )


def late_interaction(question: EncodedText, passage: EncodedText) -> float:
    """Return the highest cosine that each token of the question has to a token of the passage, on average.

    Both are averaged over the layers whose tokens an encoded text has.
    """
    cosines = question.tokens.astype(np.float32) @ passage.tokens.astype(np.float32).transpose(0, 2, 1)
    return float(cosines.max(axis=2).mean())


def near_encoder() -> E5Encoder:
    """Return the process's E5 that compares passages with questions."""
    return _shared().near


def span_reader() -> SpanReader:
    """Return a reader that finds where passages answer, with the process's E5."""
    return SpanReader(_shared().spans)


@dataclass(frozen=True)
class _Encoders:
    """E5 as each of the two readers changes it; what both leave as it is they share."""

    near: E5Encoder
    spans: SpanModel


@cache
def _loaded() -> _Encoders:
    plain = E5Encoder()
    return _Encoders(plain.adapted(Adapter.of(stored(MODEL))), SpanModel.load(plain))


def _shared() -> _Encoders:
    with _GUARD:
        return _loaded()
