"""Cache the vectors of texts, because the parts of a question and its passages are compared many times."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Float32]


class VectorCache:
    """A thread-safe LRU cache of an embedding's vectors; it keeps ``most`` of them."""

    def __init__(self, embed: Embed, most: int) -> None:
        self._embed = embed
        self._most = most
        self._known: OrderedDict[str, Float32] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> Float32:
        """Return one row for each of ``texts``, which must not be empty."""
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._known]
            if new:
                self._known.update(zip(new, np.asarray(self._embed(new), dtype=np.float32), strict=True))
            found = np.stack([self._known[text] for text in texts])
            for text in texts:
                self._known.move_to_end(text)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
            return found
