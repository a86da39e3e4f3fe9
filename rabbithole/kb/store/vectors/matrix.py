"""Vectors by row number: exact cosine for a few rows, and a scan of sign bits over all of them.

The files are laid out for reading: the vectors themselves, and one sign bit per dimension in blocks of columns. The
search has four stages, each on the rows left by the one before: the first 256 bits of every row (7 ms for a million on
one core), all bits, the query's values against the rows' bits, and the exact cosine. Any set of rows can be left out,
so a filter costs nothing, and a reader sees what another process wrote as soon as the catalog shows it.
"""

from __future__ import annotations

import threading
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_folder

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]

_BLOCK: Final = 32768
_OVERSAMPLE: Final = 40
_LEAST_CANDIDATES: Final = 4000
_FIRST_WORDS: Final = 4
"""Number of 64-bit words compared for every row; the others are compared only for rows that are near in these."""
_FIRST_OVERSAMPLE: Final = 16
_SECOND_OVERSAMPLE: Final = 4
_SAMPLED: Final = 7
_SAMPLED_FROM: Final = 32_000
"""From this many wanted rows on, the threshold is estimated from every seventh row, within about one in a hundred."""
_TOGETHER: Final = 256
"""Number of vectors compared at a time: half a megabyte stays in the processor's cache from copy to product."""
_FAR: Final = 2**15
"""The distance given to rows that are left out."""
_EIGHT_SIGNS: Final[Float32] = (
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").T.astype(np.float32) * 2 - 1
)
"""The eight signs for each value of a byte, by columns."""


class Matrix:
    """Three files in ``folder``: rows, sign bits and checksums of rows. Rows are written once and never change."""

    exact_limit: Final = 8192
    """Up to this many rows are scored exactly without comparing bits first."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self.dimension = dimension
        self._words = -(-dimension // 64)
        self._rows_path = folder / f"rows-{dimension}.f32"
        self._bits_path = folder / f"bits-{dimension}.u64"
        self._sums_path = folder / f"sums-{dimension}.u32"
        self._guard = threading.Lock()
        self._rows: Float32 = np.empty((0, dimension), dtype=np.float32)
        self._bits: NDArray[np.uint64] = np.empty((0, self._words, _BLOCK), dtype=np.uint64)

    def write(self, first_row: int, vectors: Float32) -> None:
        """Write vectors (n, dimension) to rows first_row .. first_row + n - 1 and flush them to disk."""
        if not len(vectors):
            return
        last = first_row + len(vectors)
        private_folder(self._rows_path.parent)
        rows = _writable(self._rows_path, (last, self.dimension), np.dtype(np.float32))
        rows[first_row:last] = vectors
        rows.flush()
        bits = _writable(self._bits_path, (-(-last // _BLOCK), self._words, _BLOCK), np.dtype(np.uint64))
        packed = signs(vectors)
        for block in range(first_row // _BLOCK, (last - 1) // _BLOCK + 1):
            start, end = max(first_row, block * _BLOCK), min(last, (block + 1) * _BLOCK)
            bits[block, :, start - block * _BLOCK : end - block * _BLOCK] = packed[
                start - first_row : end - first_row
            ].T
        bits.flush()
        sums = _writable(self._sums_path, (last,), np.dtype(np.uint32))
        sums[first_row:last] = checksums(vectors)
        sums.flush()

    def holds(self, rows: int) -> bool:
        """Return whether the files contain rows 0 .. rows - 1."""
        self._refresh(rows)
        return len(self._rows) >= rows and len(self._bits) * _BLOCK >= rows

    def sound(self, rows: Rows) -> NDArray[np.bool_]:
        """Return which rows are undamaged: values must match their checksum, and bits the values.

        Rows written before there were checksums are assumed to have correct values.
        """
        if len(rows) and not self.holds(int(rows.max()) + 1):
            found = np.zeros(len(rows), dtype=np.bool_)
            there = rows < min(len(self._rows), len(self._bits) * _BLOCK)
            if there.any():
                found[there] = self.sound(rows[there])
            return found
        numbers = np.asarray(self._rows[rows])
        count = self._sums_path.stat().st_size // 4 if self._sums_path.exists() else 0
        kept = np.zeros(len(rows), dtype=np.uint32)
        if count:
            file = np.memmap(self._sums_path, np.uint32, "r", shape=(count,))
            kept[rows < count] = file[rows[rows < count]]
        bits = self._bits[rows // _BLOCK, :, rows % _BLOCK]
        same: NDArray[np.bool_] = ((kept == 0) | (kept == checksums(numbers))) & (bits == signs(numbers)).all(axis=1)
        return same & numbers.any(axis=1)  # a row that was never written is all zeros

    def vectors(self, rows: Rows) -> Float32:
        """Return the vectors of the rows, as float32."""
        if len(rows):
            self._require(int(rows.max()) + 1)
        return np.asarray(self._rows[rows])

    def exact(self, query: Float32, rows: Rows, limit: int) -> tuple[Rows, Float32]:
        """Return the rows closest to the query and their cosines, best first; ties in row order."""
        if len(rows):
            self._require(int(rows.max()) + 1)
        scores = np.empty(len(rows), dtype=np.float32)
        held = np.empty((min(len(rows), _TOGETHER), self.dimension), dtype=np.float32)
        for start in range(0, len(rows), _TOGETHER):
            part = rows[start : start + _TOGETHER]
            vectors = held[: len(part)]
            # One value of each row first: the processor looks for all these places in memory at once, not in turn.
            self._rows[part, 0]
            self._rows.take(part, axis=0, out=vectors, mode="clip")
            scores[start : start + len(part)] = cosines(query, vectors)
        return ranked(rows, scores, limit)

    def nearest(self, query: Float32, allowed: NDArray[np.bool_], limit: int) -> tuple[Rows, Float32]:
        """Return the closest rows among those where ``allowed`` is true, and their cosines, best first."""
        count = int(np.count_nonzero(allowed))
        if count <= max(self.exact_limit, limit):
            return self.exact(query, np.flatnonzero(allowed), limit)
        self._require(len(allowed))
        wanted = max(_OVERSAMPLE * limit, _LEAST_CANDIDATES)
        bits = signs(query[None, :])[0]
        first = min(_FIRST_WORDS, self._words)
        distances = self._first_distances(bits[:first], len(allowed))
        if count < len(allowed):
            np.copyto(distances, _FAR, where=~allowed)
        if first == self._words:
            return self.exact(query, _closest(distances, wanted), limit)
        near = _closest(distances, wanted * _FIRST_OVERSAMPLE)
        near = near[_closest(distances[near] + self._further_distances(bits, first, near), wanted * _SECOND_OVERSAMPLE)]
        if len(near) > wanted:
            near = np.sort(near[np.argpartition(-self._weighed(query, near), wanted)[:wanted]])
        return self.exact(query, near, limit)

    def _first_distances(self, query: NDArray[np.uint64], count: int) -> NDArray[np.uint16]:
        """Return the Hamming distance of rows 0 .. count - 1 to the query over the first bits."""
        distances = np.zeros(count, dtype=np.uint16)
        differing = np.empty(_BLOCK, dtype=np.uint64)
        counted = np.empty(_BLOCK, dtype=np.uint8)
        for block in range(-(-count // _BLOCK)):
            part = distances[block * _BLOCK : (block + 1) * _BLOCK]
            size = len(part)
            for word, bits in enumerate(query):
                np.bitwise_xor(self._bits[block, word, :size], bits, out=differing[:size])
                np.bitwise_count(differing[:size], out=counted[:size])
                np.add(part, counted[:size], out=part)
        return distances

    def _further_distances(self, query: NDArray[np.uint64], first: int, rows: Rows) -> NDArray[np.uint16]:
        """Return the Hamming distance of some rows (ascending) over the bits from word ``first`` on."""
        differing = np.bitwise_count(self._words_of(rows, first) ^ query[first:, None])
        return np.asarray(np.add.reduce(differing, axis=0, dtype=np.uint16))

    def _weighed(self, query: Float32, rows: Rows) -> Float32:
        """Return the query's products with the signs of some rows (ascending), by a lookup table per eight bits."""
        padded = np.pad(query, (0, self._words * 64 - self.dimension))
        tables = (padded.reshape(-1, 8) @ _EIGHT_SIGNS).reshape(self._words, 8, 256)
        parts = self._words_of(rows, 0).astype("<u8", copy=False).view(np.uint8).reshape(self._words, len(rows), 8)
        scores = np.zeros(len(rows), dtype=np.float32)
        for word in range(self._words):
            for place in range(8):
                # "clip" spares a check of every byte; each is within its table of 256.
                scores += tables[word, place].take(parts[word, :, place], mode="clip")
        return scores

    def _words_of(self, rows: Rows, first: int) -> NDArray[np.uint64]:
        """Return the words from ``first`` on of some rows (ascending), with shape (words, rows)."""
        words = np.empty((self._words - first, len(rows)), dtype=np.uint64)
        edges = np.searchsorted(rows, np.arange(0, int(rows[-1]) + _BLOCK + 1, _BLOCK))
        for block, (start, end) in enumerate(pairwise(edges)):
            places = rows[start:end] - block * _BLOCK
            for word in range(first, self._words):
                self._bits[block, word].take(places, out=words[word - first, start:end], mode="clip")
        return words

    def _require(self, rows: int) -> None:
        if not self.holds(rows):
            raise KnowledgeBaseError(
                f"The vectors for searching in {self._rows_path.parent} are incomplete: mend them with "
                "`rabbithole kb repair`."
            )

    def _refresh(self, rows: int) -> None:
        """Map the files again if another process or thread has made them longer."""
        if len(self._rows) >= rows and len(self._bits) * _BLOCK >= rows:
            return
        with self._guard:
            width = self.dimension * 4
            if self._rows_path.exists() and (count := self._rows_path.stat().st_size // width):
                self._rows = np.asarray(np.memmap(self._rows_path, np.float32, "r", shape=(count, self.dimension)))
            block = self._words * _BLOCK * 8
            if self._bits_path.exists() and (count := self._bits_path.stat().st_size // block):
                self._bits = np.asarray(np.memmap(self._bits_path, np.uint64, "r", shape=(count, self._words, _BLOCK)))


def closest(query: Float32, rows: Rows, vectors: Float32, limit: int) -> tuple[Rows, Float32]:
    """Return the rows whose vectors have the highest cosine with the query, best first; ties in row order."""
    return ranked(rows, cosines(query, vectors), limit)


def cosines(query: Float32, vectors: Float32) -> Float32:
    """Return the cosine of each unit vector with the query."""
    # Not a BLAS product: its threads cost more than they gain here, and may round the same row in two ways.
    products: Float32 = np.einsum("ij,j->i", vectors, query)
    return products


def ranked(rows: Rows, scores: Float32, limit: int) -> tuple[Rows, Float32]:
    """Return the best rows and their scores, best first; ties in row order."""
    order = np.lexsort((rows, -np.round(scores, 6)))[:limit]
    return rows[order], scores[order]


def _closest(distances: NDArray[np.uint16], wanted: int) -> Rows:
    """Return the ascending positions of about ``wanted`` least distances, ties included, without ``_FAR`` ones."""
    step = _SAMPLED if wanted >= _SAMPLED_FROM else 1
    reached = np.cumsum(np.bincount(distances[::step]))
    threshold = min(int(np.searchsorted(reached, wanted / step)), _FAR - 1)
    return np.flatnonzero(distances <= threshold)


def checksums(vectors: Float32) -> NDArray[np.uint32]:
    """Return the CRC-32 of each row's bytes; never 0, which stands for an unknown checksum."""
    rows = np.ascontiguousarray(vectors, dtype=np.float32)
    return np.fromiter((zlib.crc32(row) or 1 for row in rows), dtype=np.uint32, count=len(rows))


def signs(vectors: Float32) -> NDArray[np.uint64]:
    """Return one bit per dimension (set if positive), packed into (n, ceil(dimension / 64)) words."""
    packed = np.packbits(vectors > 0, axis=1, bitorder="little")
    missing = -packed.shape[1] % 8
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, missing)))).view(np.uint64)


def _writable(
    path: Path, shape: tuple[int, ...], dtype: np.dtype[np.generic]
) -> np.memmap[tuple[int, ...], np.dtype[np.generic]]:
    """Map the file for writing, extending it if necessary; it is never shortened."""
    size = dtype.itemsize * int(np.prod(shape))
    with path.open("ab") as file:
        if file.tell() < size:
            file.truncate(size)
    return np.memmap(path, dtype, "r+", shape=shape)
