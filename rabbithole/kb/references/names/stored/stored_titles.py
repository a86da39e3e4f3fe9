"""Look up documents by the titles and identifiers that bibliographies give of them."""

from __future__ import annotations

import json
from collections.abc import Collection

from rabbithole.kb.references.names.name_keys import NameKey

from .name_store import NameStore
from .name_tables import TitleHead

_IN_ORDER = "ORDER BY d.collection, d.file, d.id"


class StoredTitles:
    """Look-ups by title and identifier; each returns its documents in the order of collection and file name."""

    def __init__(self, store: NameStore) -> None:
        self._store = store

    def of_length(self, digits: NameKey, shortest: int, longest: int) -> list[tuple[str, str]]:
        """Return (words, document id) of the titles with these numbers and ``shortest`` to ``longest`` characters.

        They are in no order (``in_order``): they may be many, of which few are wanted.
        """
        return self._store.rows(
            "SELECT words, document FROM titles WHERE numbers = ? AND length BETWEEN ? AND ?",
            (" ".join(digits), shortest, longest),
        )

    def in_order(self, documents: Collection[str]) -> list[str]:
        """Return these ids in the order of collection and file name."""
        rows = self._store.rows(
            f"SELECT d.id FROM {self._store.asked} JOIN documents d ON d.id = asked.value {_IN_ORDER}",
            (json.dumps(list(documents)),),
        )
        return [document for (document,) in rows]

    def beginning(self, heads: Collection[str]) -> dict[str, list[TitleHead]]:
        """Return the titles that begin with each of ``heads`` (``title_keys.HEAD`` letters each)."""
        rows = self._store.rows(
            f"SELECT t.head, t.letters, t.whole, t.document FROM {self._store.asked} "
            f"JOIN title_heads t ON t.head = asked.value JOIN documents d ON d.id = t.document {_IN_ORDER}",
            (json.dumps(list(heads)),),
        )
        found: dict[str, list[TitleHead]] = {}
        for head, letters, whole, document in rows:
            found.setdefault(head, []).append(TitleHead(letters, bool(whole), document))
        return found

    def identified(self, kind: str, value: str) -> list[str]:
        """Return the ids of the documents with an identifier; ``value`` is a key of ``title_keys.identifier_key``."""
        rows = self._store.rows(
            "SELECT d.id FROM identifiers i JOIN documents d ON d.id = i.document "
            f"WHERE i.kind = ? AND i.value = ? {_IN_ORDER}",
            (kind, value),
        )
        return [document for (document,) in rows]
