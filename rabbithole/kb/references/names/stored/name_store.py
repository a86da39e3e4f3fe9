"""Store the names of documents by key in tables beside the catalog, without loading them all into memory.

The tables are derived from the catalog and the registry file and can be made anew at any time. A reader without write
access keeps the same tables in memory.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from rabbithole.kb.references.names.acronym_usage import acronym_of, counts_as_a_name
from rabbithole.kb.references.names.name_keys import NameKey, name_key, numbers, words
from rabbithole.kb.store.engine import NameTables, Transaction
from rabbithole.kb.store.sql.sqlite_names import SqliteNames

from .name_tables import OF_A_DOCUMENT, TABLES, Designated, Entered, Named
from .text_names import form_keys, keys_in
from .title_keys import HEAD, title_letters

_BLOCK = 4
"""The number of letters, at the beginning or the end, that must be equal in names with a typing error."""


class NameStore:
    """The tables of names, safe for use by several threads. Without ``tables``, they are in memory."""

    def __init__(self, tables: NameTables | None = None) -> None:
        self._tables = tables or SqliteNames(TABLES)
        self.asked = self._tables.asked
        self.rows = self._tables.rows
        self.transaction = self._tables.transaction

    def close(self) -> None:
        self._tables.close()

    def meta(self, key: str) -> str:
        rows = self.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def last_ordinal(self) -> int:
        return int(self.rows("SELECT coalesce(max(ordinal), 0) FROM documents")[0][0])

    def ordinals(self) -> set[int]:
        return {ordinal for (ordinal,) in self.rows("SELECT ordinal FROM documents")}

    def count(self) -> int:
        return int(self.rows("SELECT count(*) FROM documents")[0][0])

    def ids(self) -> list[str]:
        return [identifier for (identifier,) in self.rows("SELECT id FROM documents ORDER BY ordinal")]

    def ids_of(self, ordinals: Iterable[int]) -> list[str]:
        return [
            str(identifier)
            for ordinal in ordinals
            for (identifier,) in self.rows("SELECT id FROM documents WHERE ordinal = ?", (ordinal,))
        ]

    def ordinal_of(self, document: str) -> int | None:
        rows = self.rows("SELECT ordinal FROM documents WHERE id = ?", (document,))
        return int(rows[0][0]) if rows else None

    def of_file(self, collection: str, file: str) -> list[str]:
        """Return the ids of the documents read from a file."""
        query = "SELECT id FROM documents WHERE collection = ? AND file = ? ORDER BY id"
        return [identifier for (identifier,) in self.rows(query, (collection, file))]

    def of_file_name(self, collection: str, name: str) -> list[str]:
        """Return the ids of the documents read from a file with this name, in any folder."""
        query = "SELECT id, file FROM documents WHERE collection = ? AND file LIKE ?"
        found = self.rows(query, (collection, f"%{name.replace('%', '_')}"))
        return [identifier for identifier, file in found if file == name or file.endswith(f"/{name}")]

    def corrections(self) -> dict[tuple[str, str], str]:
        """Return the stored corrections: (collection, file) -> the row a person wrote, as JSON."""
        rows = self.rows("SELECT collection, file, record FROM corrections")
        return {(collection, file): record for collection, file, record in rows}

    def correction(self, collection: str, file: str) -> str | None:
        """Return the correction of a file, found by its name with or without its folder, or None."""
        for name in dict.fromkeys((file, file.rsplit("/", 1)[-1])):
            query = "SELECT record FROM corrections WHERE collection = ? AND file = ?"
            if rows := self.rows(query, (collection, name)):
                return str(rows[0][0])
        return None

    def correct(self, corrections: Mapping[tuple[str, str], str]) -> None:
        """Replace all stored corrections with these."""
        rows = [(collection, file, record) for (collection, file), record in corrections.items()]
        with self.transaction() as transaction:
            transaction.run("DELETE FROM corrections")
            transaction.run_many("INSERT INTO corrections VALUES (?, ?, ?)", rows)

    def change(
        self, entered: Iterable[Entered], removed: Iterable[str] = (), meta: Mapping[str, str] | None = None
    ) -> None:
        """Write the names of ``entered``, remove documents (ids) and set ``meta`` values, in one transaction."""
        with self.transaction() as transaction:
            for identifier in removed:
                _remove(transaction, identifier)
            for each in entered:
                _remove(transaction, each.document)
                _enter(transaction, each)
            transaction.run_many(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                list((meta or {}).items()),
            )

    def named(self, key: NameKey) -> list[Named]:
        """Return the documents that have a name with this key."""
        rows = self.rows(
            "SELECT k.document, n.name, n.edition, n.counts, n.part FROM keys k "
            "JOIN names n ON n.document = k.document AND n.position = k.position WHERE k.key = ? ORDER BY k.document",
            (_text(key),),
        )
        return [_named(*row) for row in rows]

    def holds(self, key: NameKey) -> bool:
        return bool(self.rows("SELECT 1 FROM keys WHERE key = ? LIMIT 1", (_text(key),)))

    def alike(self, key: NameKey) -> list[NameKey]:
        """Return the keys with the same numbers and the same first or last letters: candidates for a typing error."""
        digits, joined = _text(numbers(key)), "".join(words(key))
        rows = self.rows(
            "SELECT key FROM keys WHERE numbers = ? AND head = ? UNION "
            "SELECT key FROM keys WHERE numbers = ? AND tail = ?",
            (digits, joined[:_BLOCK], digits, joined[-_BLOCK:]),
        )
        return [_key(text) for (text,) in rows]

    def containing(self, key: NameKey) -> list[NameKey]:
        """Return the keys, at most 200, that contain the words of this one as a phrase."""
        if not key or not all(token.isalnum() for token in key):
            return []
        return [found for text in self._tables.phrase(key, 200) if (found := _key(text)) and self.holds(found)]

    def beginning(self, key: NameKey) -> list[NameKey]:
        """Return the keys that continue this one with one more token, such as other parts of a series."""
        text = _text(key)
        rows = self.rows("SELECT DISTINCT key FROM keys WHERE key > ? AND key < ? LIMIT 200", (f"{text} ", f"{text}!"))
        return [found for (each,) in rows if len(found := _key(each)) == len(key) + 1]

    def designated(self, key: str) -> list[Designated]:
        rows = self.rows(
            "SELECT document, name, part, edition FROM designations WHERE key = ? ORDER BY document", (key,)
        )
        return [Designated(*row) for row in rows]

    def designations_of(self, document: str) -> list[tuple[str, Designated]]:
        rows = self.rows("SELECT key, document, name, part, edition FROM designations WHERE document = ?", (document,))
        return [(key, Designated(*row)) for key, *row in rows]

    def generic(self, key: str) -> list[str]:
        """Return the documents whose generic name ('Geschäftsordnung') has this key."""
        return [document for (document,) in self.rows("SELECT document FROM generic WHERE key = ?", (key,))]

    def replacing(self, keys: Sequence[str]) -> list[tuple[str, str]]:
        """Return (document, name of the work it says it replaces) for any of these keys."""
        found = [self.rows("SELECT document, name FROM replaces WHERE key = ?", (key,)) for key in keys]
        return [(document, name) for rows in found for document, name in rows]

    def names_of(self, document: str) -> list[Named]:
        rows = self.rows(
            "SELECT document, name, edition, counts, part FROM names WHERE document = ? ORDER BY position", (document,)
        )
        return [_named(*row) for row in rows]

    def names_in(self, text: str) -> tuple[list[Named], list[str]]:
        """Return the names that may occur in a text, inflected or not, by document, and the generic names that may."""
        asked = (json.dumps(list(keys_in(text, self._begun))),)
        named = self.rows(
            f"SELECT DISTINCT n.document, n.name, n.edition, n.counts, n.part, n.position FROM {self.asked} "
            "JOIN forms f ON f.form = asked.value "
            "JOIN names n ON n.document = f.document AND n.position = f.position ORDER BY n.document, n.position",
            asked,
        )
        generic = self.rows(
            f"SELECT DISTINCT f.key, f.name FROM {self.asked} JOIN generic_forms f ON f.form = asked.value "
            "WHERE EXISTS (SELECT 1 FROM generic g WHERE g.key = f.key AND g.name = f.name) ORDER BY f.key, f.name",
            asked,
        )
        names = [_named(*row) for *row, _ in named]
        return names, [name for _, name in generic]

    def _begun(self, beginnings: Collection[str]) -> set[str]:
        """Return the ``beginnings`` that some form starts with. In ASCII, '!' follows the blank that ends each."""
        rows = self.rows(
            f"SELECT value FROM {self.asked} WHERE "
            "EXISTS (SELECT 1 FROM forms WHERE form >= value AND form < rtrim(value) || '!') OR "
            "EXISTS (SELECT 1 FROM generic_forms WHERE form >= value AND form < rtrim(value) || '!')",
            (json.dumps(list(beginnings)),),
        )
        return {value for (value,) in rows}

    def counts(self, named: Named) -> bool:
        """Return whether a name counts as one of its document: an acronym only if it is cited as a document."""
        return named.counts or counts_as_a_name(*self.usage(named.name)[:2])

    def usage(self, name: str) -> tuple[int, int, str]:
        """Return how often a name is cited as a document, how often it occurs, and one example of a citation, or ''."""
        rows = self.rows("SELECT sum(cited), sum(seen), max(example) FROM usage WHERE name = ?", (name,))
        cited, seen, example = rows[0]
        return int(cited or 0), int(seen or 0), str(example or "")


def _named(document: str, name: str, edition: str | None, counts: int, part: int | None) -> Named:
    return Named(document, name, edition, bool(counts), part)


def _text(key: NameKey) -> str:
    return " ".join(key)


def _key(text: str) -> NameKey:
    return tuple(text.split(" ")) if text else ()


def _remove(transaction: Transaction, document: str) -> None:
    for table in OF_A_DOCUMENT:
        transaction.run(f"DELETE FROM {table} WHERE document = ?", (document,))
    transaction.run("DELETE FROM documents WHERE id = ?", (document,))


def _enter(transaction: Transaction, each: Entered) -> None:
    """Insert the rows of a document.

    Rows in ``generic_forms`` are not removed with the last document of a kind; ``names_in`` ignores them then.
    """
    of, run = each.document, transaction.run_many
    listed = [(of, position, *name[1:]) for position, name in enumerate(each.names)]
    forms = [(form, of, position) for position, name in enumerate(each.names) for form in form_keys(name.name)]
    texts = [(_text(key), position, _text(numbers(key)), "".join(words(key))) for key, position in each.keys]
    titles = [(_text(numbers(key)), _text(words(key))) for key in map(name_key, each.titles) if len(words(key)) >= 3]
    heads = [found for title in each.titles for found in title_letters(title)]
    unproven = [(name.name, acronym_of(name.name)) for name in each.names if not name.counts]
    run("INSERT INTO documents VALUES (?, ?, ?, ?, 0)", [(of, each.ordinal, each.collection, each.file)])
    run("INSERT INTO names VALUES (?, ?, ?, ?, ?, ?)", listed)
    run("INSERT INTO forms VALUES (?, ?, ?) ON CONFLICT DO NOTHING", forms)
    run(
        "INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(key, of, position, digits, text[:_BLOCK], text[-_BLOCK:]) for key, position, digits, text in texts],
    )
    run("INSERT INTO parts (key) VALUES (?)", [(key,) for key, *_ in texts])
    run(
        "INSERT INTO designations VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(key, one.part, one.edition, one.document, one.name) for key, one in each.designations],
    )
    run("INSERT INTO generic VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [(key, of, name) for key, name in each.generic])
    run(
        "INSERT INTO generic_forms VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(form, key, name) for key, name in each.generic for form in form_keys(name)],
    )
    run(
        "INSERT INTO replaces VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [(key, of, name) for key, name in each.replaces]
    )
    run(
        "INSERT INTO titles VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(digits, len(text), text, of) for digits, text in titles],
    )
    run(
        "INSERT INTO title_heads VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(found[:HEAD], of, found, whole) for found, whole in heads],
    )
    run("INSERT INTO identifiers VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [(*one, of) for one in each.identifiers])
    run("INSERT INTO acronyms VALUES (?, ?)", [(acronym, of) for acronym in each.acronyms])
    run("INSERT INTO unproven VALUES (?, ?, 0) ON CONFLICT DO NOTHING", unproven)
