"""Define the tables of names by key, and the records that are written to them for a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rabbithole.kb.references.names.name_keys import NameKey
from rabbithole.kb.store.engine import Tables

_TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    id TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, collection TEXT NOT NULL, file TEXT NOT NULL,
    counted INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX documents_ordinal ON documents (ordinal);
CREATE INDEX documents_file ON documents (collection, file);
CREATE INDEX documents_uncounted ON documents (id) WHERE counted = 0;
CREATE TABLE corrections (
    collection TEXT NOT NULL, file TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (collection, file)
) WITHOUT ROWID;
CREATE TABLE names (
    document TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, edition TEXT, counts INTEGER NOT NULL,
    part INTEGER,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE TABLE forms (
    form TEXT NOT NULL, document TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (form, document, position)
) WITHOUT ROWID;
CREATE INDEX forms_document ON forms (document);
CREATE TABLE keys (
    key TEXT NOT NULL, document TEXT NOT NULL, position INTEGER NOT NULL, numbers TEXT NOT NULL,
    head TEXT NOT NULL, tail TEXT NOT NULL, PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX keys_document ON keys (document);
CREATE INDEX keys_head ON keys (numbers, head);
CREATE INDEX keys_tail ON keys (numbers, tail);
CREATE TABLE designations (
    key TEXT NOT NULL, part TEXT NOT NULL, edition TEXT NOT NULL, document TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX designations_document ON designations (document);
CREATE TABLE generic (
    key TEXT NOT NULL, document TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX generic_document ON generic (document);
CREATE TABLE generic_forms (
    form TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (form, name)
) WITHOUT ROWID;
CREATE TABLE replaces (
    key TEXT NOT NULL, document TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX replaces_document ON replaces (document);
CREATE TABLE titles (
    numbers TEXT NOT NULL, length INTEGER NOT NULL, words TEXT NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (numbers, length, words, document)
) WITHOUT ROWID;
CREATE INDEX titles_document ON titles (document);
CREATE TABLE title_heads (
    head TEXT NOT NULL, document TEXT NOT NULL, letters TEXT NOT NULL, whole INTEGER NOT NULL,
    PRIMARY KEY (head, document, letters, whole)
) WITHOUT ROWID;
CREATE INDEX title_heads_document ON title_heads (document);
CREATE TABLE identifiers (
    kind TEXT NOT NULL, value TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (kind, value, document)
) WITHOUT ROWID;
CREATE INDEX identifiers_document ON identifiers (document);
CREATE TABLE unproven (name TEXT PRIMARY KEY, acronym TEXT NOT NULL, counted INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX unproven_acronym ON unproven (acronym);
CREATE INDEX unproven_uncounted ON unproven (name) WHERE counted = 0;
CREATE TABLE acronyms (
    acronym TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (acronym, document)
) WITHOUT ROWID;
CREATE INDEX acronyms_document ON acronyms (document);
CREATE TABLE usage (
    name TEXT NOT NULL, document TEXT NOT NULL, cited INTEGER NOT NULL, seen INTEGER NOT NULL, example TEXT NOT NULL,
    PRIMARY KEY (name, document)
) WITHOUT ROWID;
CREATE INDEX usage_document ON usage (document);
CREATE VIRTUAL TABLE parts USING fts5 (key, tokenize = "unicode61 remove_diacritics 0");
"""
TABLES: Final = Tables(_TABLES, version=8)
OF_A_DOCUMENT: Final = (
    "names",
    "forms",
    "keys",
    "designations",
    "generic",
    "replaces",
    "titles",
    "title_heads",
    "identifiers",
    "acronyms",
    "usage",
)
"""Tables whose column ``document`` names the document that a row belongs to."""


class Named(NamedTuple):
    """A document and one of its names. ``counts`` is False for an acronym that may only be the document's subject.

    ``part``: where the part so named begins, in a file that holds several documents; None for the file as a whole.
    """

    document: str
    name: str
    edition: str | None
    counts: bool = True
    part: int | None = None


class Designated(NamedTuple):
    """A document and one of its designations; ``part`` and ``edition`` are '' where it has none."""

    document: str
    name: str
    part: str
    edition: str


class TitleHead(NamedTuple):
    """The letters of a document's title; ``whole`` is False if they are only the part before the colon."""

    letters: str
    whole: bool
    document: str


class Entered(NamedTuple):
    """All names of one document, ready to be written to the store."""

    document: str
    ordinal: int
    collection: str
    file: str
    names: Sequence[Named]
    keys: Sequence[tuple[NameKey, int]]
    """Each key with the position of its name in ``names``."""
    designations: Sequence[tuple[str, Designated]] = ()
    generic: Sequence[tuple[str, str]] = ()
    replaces: Sequence[tuple[str, str]] = ()
    titles: Sequence[str] = ()
    identifiers: Sequence[tuple[str, str]] = ()
    acronyms: frozenset[str] = frozenset()
    """Words of the document's text that may be the acronym of another document."""
