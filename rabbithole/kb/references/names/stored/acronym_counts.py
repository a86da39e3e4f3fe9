"""Count how a collection uses the acronyms in its titles, once for each name and each text that may contain it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rabbithole.kb.references.names.acronym_usage import usage_in

from .name_store import NameStore

_TOGETHER = 200


def count_usage(store: NameStore, text_of: Callable[[str], str]) -> None:
    """Count new names in all documents, and all names in new documents.

    A text is searched for a name only if it contains the name's acronym. ``text_of`` returns a document's text by its
    id. The store records what has been counted, so that an interrupted count continues where it stopped.
    """
    new = [document for (document,) in store.rows("SELECT id FROM documents WHERE counted = 0")]
    for first in range(0, len(new), _TOGETHER):
        together = new[first : first + _TOGETHER]
        found = [(name, document) for document in together for name in _names_for(store, document)]
        _count(store, found, text_of, documents=together)
    for name, acronym in store.rows("SELECT name, acronym FROM unproven WHERE counted = 0"):
        if acronym:
            rows = store.rows("SELECT document FROM acronyms WHERE acronym = ?", (acronym,))
        else:
            rows = store.rows("SELECT id FROM documents")
        _count(store, [(name, document) for (document,) in rows], text_of, names=[name])


def _names_for(store: NameStore, document: str) -> list[str]:
    """Return the names that were counted before this document was added and that its text may contain."""
    rows = store.rows(
        "SELECT u.name FROM unproven u JOIN acronyms a ON a.acronym = u.acronym WHERE a.document = ? AND u.counted = 1 "
        "UNION SELECT name FROM unproven WHERE acronym = '' AND counted = 1",
        (document,),
    )
    return [name for (name,) in rows]


def _count(
    store: NameStore,
    places: Sequence[tuple[str, str]],
    text_of: Callable[[str], str],
    *,
    names: Sequence[str] = (),
    documents: Sequence[str] = (),
) -> None:
    """Count each name in its document, and mark ``names`` and ``documents`` as counted, in one transaction."""
    counted = [(name, document, *usage_in(text_of(document), name)) for name, document in places]
    with store.transaction() as transaction:
        transaction.run_many(
            "INSERT INTO usage VALUES (?, ?, ?, ?, ?) ON CONFLICT (name, document) DO UPDATE SET "
            "cited = excluded.cited, seen = excluded.seen, example = excluded.example",
            [row for row in counted if row[3]],
        )
        transaction.run_many("UPDATE unproven SET counted = 1 WHERE name = ?", [(name,) for name in names])
        transaction.run_many("UPDATE documents SET counted = 1 WHERE id = ?", [(one,) for one in documents])
