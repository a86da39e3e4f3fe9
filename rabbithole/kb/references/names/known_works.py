"""Works that are known to exist. If one is cited but not held, it is reported missing by its proper name."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Self

from .name_keys import NameKey, name_key, numbers, split_edition

_SPOKEN, _LONG_NAME = 9, 60
"""The shortest and the longest length, in characters, of a short name: neither an abbreviation nor a full title."""


class KnownWorks:
    """Known works and their names.

    Each of ``rows`` lists the names of a work, the abbreviation first; rows with the same abbreviation are one work.
    A name that several works share leads to none of them.
    """

    def __init__(self, rows: Iterable[Sequence[str]] = ()) -> None:
        works: dict[NameKey, dict[str, None]] = {}
        for row in rows:
            if row:
                works.setdefault(name_key(row[0]), {}).update(dict.fromkeys(row))
        self._rows: list[Sequence[str]] = [tuple(names) for names in works.values()]
        self._row_of: dict[str, int | None] = {}
        for index, names in enumerate(self._rows):
            for name in names:
                key = _text(name_key(split_edition(name).base))
                self._row_of[key] = index if self._row_of.get(key, index) == index else None

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the works saved by ``data``; computing the keys of all known laws would take a third of a second."""
        works = cls()
        works._rows, works._row_of = data["rows"], data["row_of"]
        return works

    def data(self) -> dict[str, object]:
        """Return the rows and keys as data for a JSON file, to be read by ``of_data``."""
        return {"rows": self._rows, "row_of": self._row_of}

    @cached_property
    def by_numbers(self) -> Mapping[NameKey, Sequence[NameKey]]:
        """All keys of names, grouped by the numbers in them."""
        found: dict[NameKey, list[NameKey]] = defaultdict(list)
        for text in self._row_of:
            key = tuple(text.split(" ")) if text else ()
            found[numbers(key)].append(key)
        return found

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and _text(key) in self._row_of

    def names(self, key: NameKey) -> tuple[str, ...]:
        """Return all names of the work with this name; empty if no work or several works have it."""
        index = self._row_of.get(_text(key))
        return tuple(self._rows[index]) if index is not None else ()

    def proper_name(self, key: NameKey) -> str | None:
        """Return a work's short name with its abbreviation, 'Strahlenschutzgesetz (StrlSchG)'; None if it is unknown.

        The short name is the one asked for, if any. A work without one is named by its abbreviation alone.
        """
        names = self.names(key)
        if not names:
            return None
        abbreviation = names[0]
        asked = next((name for name in names[1:] if name_key(split_edition(name).base) == key), None)
        spoken = asked or next((name for name in names[1:] if _SPOKEN <= len(name) <= _LONG_NAME), None)
        return f"{spoken} ({abbreviation})" if spoken and len(abbreviation) < len(spoken) else abbreviation


@lru_cache(maxsize=1)
def known_works() -> KnownWorks:
    """Return the German federal laws and other well-known works of the data file."""
    packed = (files(__package__) / "data" / "known_works.json.gz").read_bytes()
    return KnownWorks.of_data(json.loads(gzip.decompress(packed)))


def _text(key: NameKey) -> str:
    return " ".join(key)
