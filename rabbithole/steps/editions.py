"""Tells which of two documents is the newer edition of the same work, by their titles and dates, and says so. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rabbithole.kb.models import Document
from rabbithole.kb.notation.months import day_name

from .document_names import document_name
from .phrases import phrase
from .resolution_notes import said

_DATED = re.compile(
    r"\s*(?:\b(?:vom|in der Fassung|i\. ?d\. ?F\.|of|dated|as of|Ausgabe|Stand|edition)\b[^()]*\d{4}.*"
    r"|[_(\s-]*(?:19|20)\d{2}\)?)$",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"[A-ZÄÖÜ]{2,5}(?: [A-ZÄÖÜ]{2,5})*")
_NOT_IN_FORCE = re.compile(
    r"au(?:ß|ss)er kraft|aufgehoben|zurückgezogen|ersetzt|ungültig|repealed|withdrawn|superseded|obsolete|"
    r"no longer in force|replaced",
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


def edition_notes(
    quoted: Sequence[Document],
    held: Sequence[Document],
    names: Mapping[str, str],
    validity: Mapping[str, str],
    language: str,
) -> tuple[str, ...]:
    """Return a sentence on each quoted document that is not the newest edition held, or not in force.

    They cite nothing, because no passage says so: it follows from the dates of the documents and from what the
    collection says about them. ``names`` has the short names of the documents, ``validity`` the notes of the
    collection, both by id.
    """
    found = []
    for one in quoted:
        name = _with_date(one, names, language)
        newer = [other for other in held if other.id != one.id and is_newer(other, one)]
        if newer:
            latest = max(newer, key=lambda other: (dated(other), other.id))
            latest_name = _with_date(latest, names, language)
            found.append(phrase(language, "report.editions.older", older=name, newer=latest_name))
        elif status := _no_longer(one):
            found.append(phrase(language, "report.editions.status", document=name, status=status))
        elif note := validity.get(one.id, ""):
            found.append(phrase(language, "report.editions.note", document=name, note=said(note, language)))
    return tuple(dict.fromkeys(found))


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
    return name if _ABBREVIATION.fullmatch(bare) else bare


def _with_date(document: Document, names: Mapping[str, str], language: str) -> str:
    """Return the document's name with the date of its edition, unless its year is in the name."""
    name, date = names.get(document.id) or document_name(document), dated(document)
    return f"{name} ({day_name(date, language)})" if date and date[:4] not in name else name


def _no_longer(document: Document) -> str:
    """Return the document's status from its metadata, as written, if it says it is not in force; else ''."""
    status = str(document.metadata.get("status") or "")
    return status if _NOT_IN_FORCE.search(status) else ""
