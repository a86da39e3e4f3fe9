"""The lists that hybrid search fuses: chunks found by meaning, by words and by letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from rabbithole.kb.store.ports import ChunkScope, Scored
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from .fusion import Ranked
from .scope import View

_THREADS = 8
"""Number of threads for the words, and so of searches that can run at once."""
_SMALL = 5000
"""With up to this many chunks in scope one thread is faster than two that have to synchronise."""
_LANGUAGE_OF = 10
"""Number of first hits by which the language is decided."""
_LETTERED = 100
"""Number of n-gram hits if the keyword search found none."""
QUERY_CHARACTERS = 20_000
"""Longer queries are cut to this many characters."""
Found = TypeVar("Found")


class Listed(NamedTuple):
    """What was found by meaning (cosines), by words (BM25) and by 4-grams of letters, best first.

    ``language``: that of most of the first hits, '' without hits; ``total``: the number of chunks with a query word.
    """

    semantic: Ranked
    keyword: Ranked
    letters: Ranked
    language: str
    total: int


class Sides:
    """Searches by each side. Thread-safe."""

    def __init__(self, store: Store, lettered: Container[str]) -> None:
        """``lettered``: the languages that are also searched by letters."""
        self._store, self._lettered = store, lettered
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="keywords")
        self._embed_query = lru_cache(maxsize=256)(self._embed)

    def all(self, view: View, scope: ChunkScope, query: str, wanted: int) -> Listed:
        """Search by all sides."""
        query = query[:QUERY_CHARACTERS]

        def worded() -> tuple[Ranked, Ranked, int]:
            keyword, total = self.keyword(scope, query, wanted)
            return keyword, self._letters(scope, query, keyword, language_of(view, keyword)), total

        semantic, (keyword, letters, total) = self._beside_meaning(scope, query, wanted, worded)
        language = language_of(view, keyword or semantic)
        if not keyword:  # only the semantic list tells the language
            letters = self._letters(scope, query, keyword, language)
        return Listed(semantic, keyword, letters, language, total)

    def two(self, scope: ChunkScope, query: str, wanted: int) -> tuple[Ranked, Ranked]:
        """Search by meaning and by words."""
        return self._beside_meaning(scope, query, wanted, lambda: self.keyword(scope, query, wanted, count=False)[0])

    def keyword(self, scope: ChunkScope, query: str, wanted: int, *, count: bool = True) -> tuple[Scored, int]:
        """Search by words; return also how many chunks have one, or 0 without ``count``."""
        return self._store.index.keyword(query[:QUERY_CHARACTERS], scope, wanted, count=count)

    def semantic(self, scope: ChunkScope, query: str, wanted: int) -> Scored:
        """Search by meaning."""
        return self._store.index.nearest(self.query_vector(query), scope, wanted)

    def query_vector(self, query: str) -> Float32:
        """Return the vector of a query, cached."""
        return self._embed_query(query[:QUERY_CHARACTERS])

    def _embed(self, query: str) -> Float32:
        return np.asarray(self._store.embedder.embed([query], query=True)[0], dtype=np.float32)

    def _letters(self, scope: ChunkScope, query: str, keyword: Ranked, language: str) -> Ranked:
        if language not in self._lettered:
            return []
        return self._store.index.alike(query, scope, len(keyword) or _LETTERED)

    def _beside_meaning(
        self, scope: ChunkScope, query: str, wanted: int, words: Callable[[], Found]
    ) -> tuple[Ranked, Found]:
        """Return what is found by meaning, and what ``words`` returns."""
        if scope.size <= _SMALL:
            found = words()
            return self.semantic(scope, query, wanted), found
        # Both compute outside the interpreter's lock, so they run in parallel.
        waiting = self._threads.submit(words)
        semantic = self.semantic(scope, query, wanted)
        return semantic, waiting.result()


def language_of(view: View, ranked: Ranked) -> str:
    """Return the language of most of the first hits, or '' if there are none."""
    places = (view.place(key) for key, _ in ranked[:_LANGUAGE_OF])
    languages = Counter(place[0].document.language for place in places if place is not None)
    return max(languages, key=lambda language: (languages[language], language), default="")
