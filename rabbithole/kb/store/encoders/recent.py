"""Keeps what was computed for the texts, or other keys, seen last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Recent(Generic[K, T]):
    """A thread-safe LRU cache of what ``make`` returns for keys, one value each; it keeps ``most`` of them."""

    def __init__(self, make: Callable[[Sequence[K]], Iterable[T]], most: int) -> None:
        self._make = make
        self._most = most
        self._known: OrderedDict[K, T] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, keys: Sequence[K]) -> list[T]:
        """Return the value of each key, in order."""
        with self._lock:
            new = [key for key in dict.fromkeys(keys) if key not in self._known]
            if new:
                self._known.update(zip(new, self._make(new), strict=True))
            found = [self._known[key] for key in keys]
            for key in keys:
                self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
            return found
