"""The protocol of embedding models, and the parts they share. Nothing is downloaded without being asked for."""

from __future__ import annotations

import hashlib
import re
import threading
import zlib
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import Final, Protocol

import numpy as np

from rabbithole.kb.errors import KnowledgeBaseError, ModelError
from rabbithole.kb.store.vectors.matrix import Float32

HASH: Final = "hash"
MULTILINGUAL: Final = "use-multilingual"
E5: Final = "multilingual-e5-small"
QWEN: Final = "Qwen/Qwen3-Embedding-0.6B"


class Embedder(Protocol):
    """An embedding model. ``embed`` returns one float32 row per text, in order and of length one."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32: ...


class HashEmbedder:
    """Feature hashing (Weinberger et al., 2009) of words and 4-grams of letters, without a model.

    It serves tests and machines too small for a model, and finds texts that share words or parts of words.
    """

    name = HASH
    dimension = 256

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for feature in _features(text):
                code = zlib.crc32(feature.encode())
                row[code % self.dimension] += 1.0 if code & 0x80000000 else -1.0
        return normalised(vectors)


class LazyEmbedder:
    """An embedder that loads its model at the first use; several threads may share it."""

    def __init__(self, name: str, load: LoadEmbedder) -> None:
        self.name = name
        self._load = load
        self._guard = threading.Lock()
        self._loaded: Embedder | None = None

    @property
    def dimension(self) -> int:
        return self._model().dimension

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        return self._model().embed(texts, query=query)

    def _model(self) -> Embedder:
        with self._guard:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded


class LoadEmbedder(Protocol):
    def __call__(self) -> Embedder: ...


def require_hash(file: Traversable, expected: str, package: str, otherwise: str) -> bytes:
    """Return the content of an encoder's file. Raises ModelError if its SHA-256 is not ``expected``.

    Other weights would give vectors that do not fit the stored ones. ``package``: the name and version to install;
    ``otherwise``: what to set to do without it; both are for the message.
    """
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != expected:
        raise ModelError(
            f"The encoder's file {file.name} is not that of {package}: install that version again with `make setup`, "
            f"or {otherwise}."
        )
    return content


def normalised(vectors: Float32) -> Float32:
    """Return rows divided by their length; zeros stay zeros. Raises KnowledgeBaseError for NaN or infinity."""
    if not np.isfinite(vectors).all():
        raise KnowledgeBaseError("The embedding model returned numbers that are not finite: use another model.")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)


def _features(text: str) -> list[str]:
    words = re.findall(r"\w+", text.casefold())
    grams = [word[start : start + 4] for word in words for start in range(len(word) - 3) if len(word) > 4]
    return words + grams
