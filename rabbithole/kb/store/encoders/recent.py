"""Keeps what was computed for the texts seen last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """A thread-safe LRU cache of what ``make`` returns for texts, one value each; it keeps ``most`` of them."""

    def __init__(self, make: Callable[[Sequence[str]], Iterable[T]], most: int) -> None:
        self._make = make
        self._most = most
        self._known: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> list[T]:
        """Return the value of each text, in order."""
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._known]
            if new:
                self._known.update(zip(new, self._make(new), strict=True))
            found = [self._known[text] for text in texts]
            for text in texts:
                self._known.move_to_end(text)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
            return found
