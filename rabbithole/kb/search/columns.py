"""The values documents have in a field, each distinct one once, so that a condition is judged once a value."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.models import Filter, Scalar
from rabbithole.kb.store.catalog import Catalog

from .filters import value_matches

Kept = NDArray[np.bool_]
"""For each document of a view whether it is kept."""
_OWN: Final = {
    "document": ("id", "file"),
    "file": ("file",),
    "title": ("title",),
    "language": ("language",),
    "collection": ("collection",),
}
"""Fields that every document has, and the columns of the catalog that hold their values."""
_Column = tuple[NDArray[np.int64], list[tuple[Scalar, ...]]]


class Columns:
    """``ordinals`` of the documents, in the order in which ``Kept`` speaks of them."""

    def __init__(self, catalog: Catalog, ordinals: NDArray[np.int64]) -> None:
        self._catalog = catalog
        self._order = {int(ordinal): index for index, ordinal in enumerate(ordinals)}
        self._columns: dict[tuple[str, bool], _Column] = {}
        self._guard = threading.Lock()

    def meeting(self, condition: Filter, *, own: bool = False) -> Kept:
        """The documents that meet a condition. ``own``: metadata of the same name does not stand in its place."""
        codes, values = self._column(condition.field, own)
        met = np.array([value_matches(value, condition) for value in values], dtype=np.bool_)
        return met[codes]

    def equal(self, field: str, text: str) -> Kept:
        """The documents that have exactly that text in a field of their own."""
        codes, values = self._column(field, own=True)
        return np.array([value == (text,) for value in values], dtype=np.bool_)[codes]

    def _column(self, field: str, own: bool) -> _Column:
        with self._guard:
            if (field, own) not in self._columns:
                self._columns[field, own] = self._load(field, own)
            return self._columns[field, own]

    def _load(self, field: str, own: bool) -> _Column:
        """For each document a position in the list of values; position 0 is that of documents without the field."""
        codes = np.zeros(len(self._order), dtype=np.int64)
        values: list[tuple[Scalar, ...]] = [()]
        known: dict[object, int] = {}

        def note(ordinal: int, key: object, value: tuple[Scalar, ...]) -> None:
            if (index := self._order.get(ordinal)) is None:
                return  # written or deleted since
            if key not in known:
                known[key] = len(values)
                values.append(value)
            codes[index] = known[key]

        for ordinal, *row in self._catalog.own_values(_OWN[field]) if field in _OWN else ():
            note(ordinal, tuple(row), tuple(row))
        found: Sequence[tuple[int, str]] = () if own else self._catalog.field_records(field)
        for ordinal, record in found:
            note(ordinal, record, (json.loads(record),))
        return codes, values
