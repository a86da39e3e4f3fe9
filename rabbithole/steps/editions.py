"""Tells which of two documents is the newer edition of the same work, by their titles and dates. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rabbithole.kb.models import Document

from .document_names import document_name

_DATED = re.compile(
    r"\s*(?:\b(?:vom|in der Fassung|i\. ?d\. ?F\.|of|dated|as of|Ausgabe|Stand|edition)\b[^()]*\d{4}.*"
    r"|[_(\s-]*(?:19|20)\d{2}\)?)$",
    re.IGNORECASE,
)


def is_newer(other: Document, one: Document) -> bool:
    """Return whether ``other`` is a later edition of the work that ``one`` is an edition of."""
    return bool(dated(one)) and dated(other) > dated(one) and bool(_names(one) & _names(other))


def newest_read(quoted: Sequence[Document], held: Sequence[Document], notes: Mapping[str, str]) -> bool | None:
    """Return whether the newest edition held of every quoted document is quoted; None if no other edition is held.

    ``notes`` has what the collection says against relying on a document, by its id: replaced, repealed, later edition.
    """
    # Editions of one work may have the same title, so a replaced one does not stand for the one that replaces it.
    valid = [one for one in quoted if not notes.get(one.id)]
    names = {name for one in valid for name in (document_name(one), one.title) if name}
    ids = {one.id for one in quoted}
    several = False
    for one in quoted:
        note, later = notes.get(one.id, ""), {other.id for other in held if is_newer(other, one)}
        successor_quoted = any(name in note for name in names) if note else bool(later & ids)
        if (note or later) and not successor_quoted:
            return False
        several = several or bool(note or later) or any(is_newer(one, other) for other in held)
    return True if several else None


def dated(document: Document) -> str:
    """Return the date of an edition as far as it is known, '2014-05-07' or '2014', or ''."""
    return str(document.metadata.get("date") or document.metadata.get("year") or "")


def _names(document: Document) -> frozenset[str]:
    """Return the names that editions of one work share: title and synonyms without dates and years."""
    names = (_undated(name) for name in (document.title, *document.synonyms))
    return frozenset(name.casefold() for name in names if len(name) > 1)


def _undated(name: str) -> str:
    """Return a name without its date or year; what follows an abbreviation is a number and stays: 'RFC 2026'."""
    bare = _DATED.sub("", name).strip()
    return name if bare.isupper() else bare
