"""Choose among documents with the same name: the edition asked for, the latest edition, or all of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from rabbithole.kb.models import Document

from .designations.designation import editions_in_order
from .name_keys import edition_key, editions_agree

_DAY = r"\d{1,2}\. ?(?:\w+|\d{1,2}\.) ?\d{4}"
_VERSION = re.compile(
    r",? ?(?:jeweils )?in (?:der|ihrer|seiner) "
    rf"(?P<when>(?:bis zum(?: Ablauf des)?|vor dem|am|vom|ab dem) {_DAY}(?=[^.;]{{0,40}}Fassung)"
    rf"|Fassung vom {_DAY}|Fassung der Bekanntmachung vom {_DAY})"
)
EXACT_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Entry(NamedTuple):
    """A document and one of its names; ``part``: where the document so named begins, if its file holds several."""

    document: Document
    name: str
    edition: str | None
    part: int | None = None


class Lookup(NamedTuple):
    """The documents a name may mean: none if it is not held; several if the context must decide."""

    entries: tuple[Entry, ...]
    rule: str
    name: str
    """The proper name of the work asked for, whether it is held or not."""
    edition: str | None = None
    note: str = ""


def edition_of(document: Document) -> str | None:
    """Return the edition in a document's metadata, in the spelling of ``edition_key``, or None."""
    for field in ("edition", "version", "date", "year"):
        value = document.metadata.get(field)
        if value is not None and value != "":
            return edition_key(str(value))
    return None


def by_edition(entries: tuple[Entry, ...], rule: str, name: str, asked: str | None, *, editions: bool) -> Lookup:
    """Return the entries with the edition ``asked`` for, or the latest ones if it is not held or None was asked for.

    ``editions``: documents of this name are editions of one work, as with laws and standards. Otherwise they only share
    a name, and all are returned if no edition was asked for. If only later editions are held, there are no entries.
    The note says which other editions are held.
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
    """Return the entries with the latest edition, or all entries if one of them has no edition."""
    if len(entries) < 2 or any(entry.edition is None for entry in entries):
        return entries
    best = max(entry.edition or "" for entry in entries)
    return tuple(entry for entry in entries if entry.edition == best)


def version_asked(after: str) -> str:
    """Return the version of a law named in the text after its citation, or ''.

    'in der bis zum 31. Dezember 2018 geltenden Fassung' -> 'bis zum 31. Dezember 2018'.
    """
    found = _VERSION.match(" ".join(after.split()))
    return found["when"] if found else ""
