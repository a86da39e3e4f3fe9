"""Which of several documents of one name is meant: the edition asked for, the latest, or none of them alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from rabbithole.kb.models import Document

from .designation import editions_in_order
from .name_keys import edition_key, editions_agree

_DAY = r"\d{1,2}\. ?(?:\w+|\d{1,2}\.) ?\d{4}"
_VERSION = re.compile(
    r",? ?(?:jeweils )?in (?:der|ihrer|seiner) "
    rf"(?P<when>(?:bis zum(?: Ablauf des)?|vor dem|am|vom|ab dem) {_DAY}(?=[^.;]{{0,40}}Fassung)"
    rf"|Fassung vom {_DAY}|Fassung der Bekanntmachung vom {_DAY})"
)
EXACT_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Entry(NamedTuple):
    """One document under one of its names."""

    document: Document
    name: str
    edition: str | None


class Lookup(NamedTuple):
    """What a name may mean. No entries: not in the collection; several: to be settled by context or left so."""

    entries: tuple[Entry, ...]
    rule: str
    name: str
    """Proper name of what was asked for, whether held or not."""
    edition: str | None = None
    note: str = ""


def edition_of(document: Document) -> str | None:
    """The edition that a document's metadata give it."""
    for field in ("edition", "version", "date", "year"):
        value = document.metadata.get(field)
        if value is not None and value != "":
            return edition_key(str(value))
    return None


def by_edition(entries: tuple[Entry, ...], rule: str, name: str, asked: str | None, *, editions: bool) -> Lookup:
    """The edition asked for; without it, or with none asked for, the latest, and the reader is told.

    ``editions``: documents of this name are editions of one work, as with laws and standards, not just namesakes.
    """
    if asked is not None:
        same = tuple(entry for entry in entries if entry.edition and editions_agree(asked, entry.edition))
        if same:
            return Lookup(same, f"{rule}, edition asked for", name, asked)
        if all(entry.edition is None for entry in entries):
            return Lookup(entries, rule, name, asked, f"asked for {asked}; the document does not say its edition")
        if len(entries) == 1 and EXACT_DAY.fullmatch(asked):
            return Lookup(entries, rule, name, None)  # the day an act was passed, not an edition of it
        latest = _latest(entries)
        held = ", ".join(sorted({entry.edition for entry in entries if entry.edition}))
        if editions and all(editions_in_order(asked, entry.edition or "") < 0 for entry in entries):
            known = next(iter({entry.name for entry in latest}), name)
            return Lookup((), "an earlier edition, which is not held", name, asked, f"held: {known}, edition {held}")
        return Lookup(latest, f"{rule}, other edition", name, asked, f"edition {asked} is not held, but {held}")
    latest = _latest(entries) if editions else entries
    if len(latest) < len(entries):
        older = ", ".join(sorted({entry.edition or "undated" for entry in entries if entry not in latest}))
        return Lookup(latest, f"{rule}, latest edition", name, None, f"latest edition taken; also held: {older}")
    return Lookup(entries, rule, name, None)


def _latest(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The latest edition, if all say theirs; editions of different collections are settled by context first."""
    if len(entries) < 2 or any(entry.edition is None for entry in entries):
        return entries
    best = max(entry.edition or "" for entry in entries)
    return tuple(entry for entry in entries if entry.edition == best)


def version_asked(after: str) -> str:
    """'in der bis zum 31. Dezember 2018 geltenden Fassung' -> 'bis zum 31. Dezember 2018'; '' when nothing is said."""
    found = _VERSION.match(" ".join(after.split()))
    return found["when"] if found else ""
