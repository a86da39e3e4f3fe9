"""The catalog's tables. ``PRAGMA user_version`` holds the format's version."""

from __future__ import annotations

from typing import Final

FORMAT: Final = 1

PENDING: Final = 0
READY: Final = 1
GONE: Final = 2
"""States of a document: PENDING is being written, READY is visible, GONE is deleted but may still be in an index."""

TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    state INTEGER NOT NULL,
    collection TEXT NOT NULL,
    file TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    synonyms TEXT NOT NULL,
    language TEXT NOT NULL,
    pages INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    outline_source TEXT NOT NULL,
    first_row INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL
);
CREATE UNIQUE INDEX documents_visible ON documents (id) WHERE state = 1;
CREATE INDEX documents_collection ON documents (collection, state, file);
CREATE INDEX documents_rows ON documents (first_row);
CREATE TABLE texts (
    document INTEGER PRIMARY KEY REFERENCES documents (ordinal) ON DELETE CASCADE,
    text TEXT NOT NULL,
    page_starts TEXT NOT NULL,
    page_labels TEXT NOT NULL
);
CREATE TABLE sections (
    document INTEGER NOT NULL REFERENCES documents (ordinal) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    parent INTEGER,
    level INTEGER NOT NULL,
    number TEXT NOT NULL,
    heading TEXT NOT NULL,
    start INTEGER NOT NULL,
    own_end INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    page_label TEXT NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE TABLE chunks (
    document INTEGER NOT NULL REFERENCES documents (ordinal) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    section INTEGER NOT NULL,
    section_path TEXT NOT NULL,
    page INTEGER NOT NULL,
    page_label TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE TABLE mentions (
    document INTEGER NOT NULL REFERENCES documents (ordinal) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    link INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE TABLE bibliography (
    document INTEGER NOT NULL REFERENCES documents (ordinal) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE TABLE fields (
    name TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (ordinal) ON DELETE CASCADE,
    value TEXT NOT NULL,
    PRIMARY KEY (name, document)
) WITHOUT ROWID;
CREATE INDEX fields_document ON fields (document);
CREATE TABLE files (
    collection TEXT NOT NULL,
    file TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (collection, file)
) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', '0'), ('next_row', '0');
"""
