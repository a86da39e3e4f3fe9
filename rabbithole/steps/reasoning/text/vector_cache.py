"""Cache the vectors of texts, because the parts of a question and its passages are compared many times."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.store.encoders.recent import Recent

Float32 = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Float32]


class VectorCache:
    """A thread-safe LRU cache of an embedding's vectors; it keeps ``most`` of them."""

    def __init__(self, embed: Embed, most: int) -> None:
        self._rows: Recent[str, Float32] = Recent(lambda texts: np.asarray(embed(texts), dtype=np.float32), most)

    def __call__(self, texts: Sequence[str]) -> Float32:
        """Return one row for each of ``texts``, which must not be empty."""
        return np.stack(self._rows(texts))
