"""Write the rows of one document."""

from __future__ import annotations

import json

from rabbithole.kb.store import rows
from rabbithole.kb.store.engine import Transaction
from rabbithole.kb.store.records import IndexedDocument

from .schema import PENDING


def insert(transaction: Transaction, indexed: IndexedDocument, first_row: int) -> int:
    """Insert an invisible document with its text, sections, chunks, references and fields; return its ordinal."""
    document = indexed.document
    ((ordinal,),) = transaction.rows(
        "INSERT INTO documents (id, state, collection, file, path, title, synonyms, language, pages, metadata, "
        "outline_source, first_row, chunk_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ordinal",
        (
            document.id,
            PENDING,
            document.collection,
            document.file,
            document.path,
            document.title,
            json.dumps(document.synonyms, ensure_ascii=False),
            document.language,
            document.pages,
            json.dumps(dict(document.metadata), ensure_ascii=False),
            indexed.outline_source,
            first_row,
            len(indexed.chunks),
        ),
    )
    starts, labels = json.dumps(indexed.page_starts), json.dumps(indexed.page_labels, ensure_ascii=False)
    transaction.run("INSERT INTO texts VALUES (?, ?, ?, ?)", (ordinal, indexed.text, starts, labels))
    transaction.run_many(
        f"INSERT INTO sections (document, {rows.SECTION_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        [
            (
                ordinal,
                section.index,
                None if section.parent is None else _position(section.parent, "s"),
                section.level,
                section.number,
                section.heading,
                section.start,
                section.own_end,
                section.end,
                section.page,
                section.last_page,
                section.page_label,
            )
            for section in indexed.sections
        ],
    )
    transaction.run_many(
        f"INSERT INTO chunks (document, {rows.CHUNK_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)",
        [
            (
                ordinal,
                position,
                _position(chunk.section, "s"),
                json.dumps(chunk.section_path, ensure_ascii=False),
                chunk.page,
                chunk.page_label,
                chunk.start,
                chunk.end,
            )
            for position, chunk in enumerate(indexed.chunks)
        ],
    )
    mentions = sorted((*indexed.references, *indexed.links), key=lambda mention: (mention.start, mention.end))
    transaction.run_many(
        "INSERT INTO mentions VALUES (?,?,?,?,?,?)",
        [
            (ordinal, n, m.start, m.end, int(m.method == "link"), m.model_dump_json(exclude_defaults=True))
            for n, m in enumerate(mentions)
        ],
    )
    transaction.run_many(
        "INSERT INTO bibliography VALUES (?,?,?)",
        [(ordinal, n, entry.model_dump_json(exclude_defaults=True)) for n, entry in enumerate(indexed.bibliography)],
    )
    transaction.run_many(
        "INSERT INTO fields VALUES (?,?,?)",
        [(name, ordinal, json.dumps(value, ensure_ascii=False)) for name, value in document.metadata.items()],
    )
    return int(ordinal)


def _position(identifier: str, kind: str) -> int:
    parts = rows.split_id(identifier, kind)
    assert parts is not None, "IndexedDocument checks its ids"
    return parts[1]
