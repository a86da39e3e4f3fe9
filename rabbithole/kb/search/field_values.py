"""The distinct values of a metadata field, so that a condition is evaluated once per value and not per document."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.models import Filter, Scalar
from rabbithole.kb.store.catalog import CatalogReader

from .filters import value_matches

Kept = NDArray[np.bool_]
"""For each document of a view, whether it is kept."""
_OWN: Final = {
    "document": ("id", "file"),
    "file": ("file",),
    "title": ("title",),
    "language": ("language",),
    "collection": ("collection",),
}
"""Fields that every document has -> the columns of the catalog that hold their values."""
_Column = tuple[NDArray[np.int64], list[tuple[Scalar, ...]]]


class FieldValues:
    """Field values of documents; ``order`` gives the place of each ordinal in ``Kept``."""

    def __init__(self, catalog: CatalogReader, order: Mapping[int, int]) -> None:
        self._catalog = catalog
        self._order = order
        self._columns: dict[tuple[str, bool], _Column] = {}
        self._guard = threading.Lock()

    def meeting(self, condition: Filter, *, own: bool = False) -> Kept:
        """Return the documents that meet a condition. ``own``: ignore metadata with the name of a built-in field."""
        codes, values = self._column(condition.field, own)
        met = np.array([value_matches(value, condition) for value in values], dtype=np.bool_)
        return met[codes]

    def equal(self, field: str, text: str) -> Kept:
        """Return the documents whose built-in field is exactly this text."""
        codes, values = self._column(field, own=True)
        return np.array([value == (text,) for value in values], dtype=np.bool_)[codes]

    def _column(self, field: str, own: bool) -> _Column:
        with self._guard:
            if (field, own) not in self._columns:
                self._columns[field, own] = self._load(field, own)
            return self._columns[field, own]

    def _load(self, field: str, own: bool) -> _Column:
        """Return for each document an index into the list of values; index 0 means it lacks the field."""
        codes = np.zeros(len(self._order), dtype=np.int64)
        values: list[tuple[Scalar, ...]] = [()]
        known: dict[object, int] = {}

        def note(ordinal: int, key: object, value: tuple[Scalar, ...]) -> None:
            if (index := self._order.get(ordinal)) is None:
                return  # written or deleted meanwhile
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
