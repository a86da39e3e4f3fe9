"""Works that exist whether they are held or not: a name found here is reported missing by its proper name."""

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
"""Lengths of a name people say, between an abbreviation and a title."""


class KnownWorks:
    """Rows of names, the abbreviation first; rows with one abbreviation are one work.

    A name that several works share names none of them.
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
        """Those that ``data`` gave: to make the keys of all known laws anew takes a third of a second."""
        works = cls()
        works._rows, works._row_of = data["rows"], data["row_of"]
        return works

    def data(self) -> dict[str, object]:
        """What the works are made of, for a file."""
        return {"rows": self._rows, "row_of": self._row_of}

    @cached_property
    def by_numbers(self) -> Mapping[NameKey, Sequence[NameKey]]:
        """Keys by the numbers in them."""
        found: dict[NameKey, list[NameKey]] = defaultdict(list)
        for text in self._row_of:
            key = tuple(text.split(" ")) if text else ()
            found[numbers(key)].append(key)
        return found

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and _text(key) in self._row_of

    def names(self, key: NameKey) -> tuple[str, ...]:
        """All names of the work with this name; empty when none or several works bear it."""
        index = self._row_of.get(_text(key))
        return tuple(self._rows[index]) if index is not None else ()

    def proper_name(self, key: NameKey) -> str | None:
        """'Strahlenschutzgesetz (StrlSchG)': the name asked by with its abbreviation, or the only name there is."""
        names = self.names(key)
        if not names:
            return None
        abbreviation = names[0]
        asked = next((name for name in names[1:] if name_key(split_edition(name).base) == key), None)
        spoken = asked or next((name for name in names[1:] if _SPOKEN <= len(name) <= _LONG_NAME), None)
        return f"{spoken} ({abbreviation})" if spoken and len(abbreviation) < len(spoken) else abbreviation


@lru_cache(maxsize=1)
def known_works() -> KnownWorks:
    """German federal laws and well-known works, by the data that detection uses."""
    packed = (files(__package__) / "data" / "known_works.json.gz").read_bytes()
    return KnownWorks.of_data(json.loads(gzip.decompress(packed)))


def _text(key: NameKey) -> str:
    return " ".join(key)
