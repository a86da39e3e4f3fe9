"""The display name of a document: an abbreviation or a designation, else its title."""

from __future__ import annotations

import re
from collections.abc import Collection

from rabbithole.kb.models import Document
from rabbithole.kb.references.names.books import beside_book

LONGEST_SHORT_NAME = 16
LONGEST_TITLE = 120
SHORTENED = "…"
_KEPT_HEAD = 70
_LINKING = 4
"""Letters of small words ("der", "of", "und") that do not end what is shown of a title."""
_LONGEST_TAIL = 30
_READS_SHORT = re.compile(r"[A-ZÄÖÜ]\w*[A-ZÄÖÜ]|[A-ZÄÖÜ]{2,}.*\d")
# Only in titles of laws is an abbreviation the name; elsewhere it names the subject: 'Personally Identifiable
# Information (PII)'.
_LAW = re.compile(
    r"gesetz|ordnung|vorschrift|satzung|richtlinie|\b(?:act|regulation|directive|code|convention|treaty)\b",
    re.IGNORECASE,
)
# Two capitals: "LabG" abbreviates a title; "G41b2023" is a code of whoever keeps the files.
_ABBREVIATION = re.compile(r"\((?:[^()]*[\s–-])?((?=[^()]*[A-ZÄÖÜ][^()\s–-]*[A-ZÄÖÜ])[A-ZÄÖÜ][\wÄÖÜäöü]{1,11})\)")
# The designation at the start of a standard's or a report's title: 'DIN 25462-3:2019-06', 'ILA SG-7', 'RFC 8446'.
_DESIGNATION = re.compile(r"(?:[A-ZÄÖÜ]{2,8}[ /-]){1,3}(?:[A-Z]{1,4}-?)?\d[\w.:/()-]*(?=[:,;]?\s)")
_LONGEST_DESIGNATION = 40


def document_name(document: Document, showing: Collection[int] = ()) -> str:
    """Return what a document is called for short; a page of a manual, behind the manual's name.

    A title that has to be shortened shows its words from the positions ``showing`` on.
    """
    return ", ".join(part for part in (beside_book(document), own_name(document, showing)) if part)


def own_name(document: Document, showing: Collection[int] = ()) -> str:
    """Return the number set in the registry, else the shortest known abbreviation or number, else the title.

    Editions get different names: by the words after the abbreviation in the title ('IsoLV vom 3. Mai 2012'), by the
    designation with its edition ('SP 800-53 Rev. 3'), or by an edition or year appended to the title.
    """
    if "designation: registry" in str(document.metadata.get("identity_sources") or ""):
        return str(document.metadata["designation"])
    law = _LAW.search(document.title) is not None
    short = [name for name in document.synonyms if len(name) <= LONGEST_SHORT_NAME and _READS_SHORT.search(name)]
    names = [name for name in short if law or any(character.isdigit() for character in name)]
    if not names:
        return _designated(document) or _titled(document, showing)
    name = min(names, key=lambda one: (len(one), one))
    edition = _from(name, str(document.metadata.get("designation") or ""))
    if edition and edition != name:
        return edition
    number = _DESIGNATION.match(document.title)
    if number and number[0].endswith(name):
        return number[0]  # 'ILA TR-12' rather than 'TR-12'
    found = _ABBREVIATION.search(document.title)
    return short_title(document.title) if found and found[1] == name and _tail(document.title, found) else name


def document_number(document: Document) -> str:
    """Return the document's number if its title does not contain it: 'SP 800-53 Rev. 3'; else ''."""
    name = own_name(document)
    numbered = any(character.isdigit() for character in name) and name not in document.title
    return name if numbered and not name.startswith(_beginning(document.title)) else ""


def _designated(document: Document) -> str:
    """Return the designation in the document's metadata, unless it has another form, such as a gazette issue."""
    designation = str(document.metadata.get("designation") or "")
    found = _DESIGNATION.match(f"{designation} ")
    return designation if found and len(designation) <= _LONGEST_DESIGNATION else ""


def _from(name: str, designation: str) -> str:
    """Return the designation from ``name`` on, or '' if it does not contain it.

    'SP 800-53' in 'NIST SP 800-53 Rev. 3' gives 'SP 800-53 Rev. 3'.
    """
    found = re.search(rf"(?<!\S){re.escape(name)}(?!\w).*", designation)
    return found[0] if found and len(found[0]) <= _LONGEST_DESIGNATION else ""


def _titled(document: Document, showing: Collection[int]) -> str:
    title = short_title(document.title, showing) or document.file
    edition, year = str(document.metadata.get("edition") or ""), str(document.metadata.get("year") or "")
    if edition and edition.casefold() not in title.casefold() and not _has_version(title, edition):
        return f"{title}, {edition}"
    return f"{title} ({year})" if year and SHORTENED in title and year not in title else title


def _has_version(title: str, edition: str) -> bool:
    """Return whether a title spells out the version of an edition: 'Version 1.3' for 'v 1.3'."""
    number = re.escape(edition.removeprefix("v "))
    return re.search(rf"\b(?:version|vers\.|v)[\s.]*{number}(?![\w.]*\d)", title, re.IGNORECASE) is not None


def short_title(title: str, showing: Collection[int] = ()) -> str:
    """Return the abbreviation at the end of a law's title, the number at the start of a standard's, else the title."""
    found = _ABBREVIATION.search(title) if _LAW.search(title) else None
    if found and len(tail := _tail(title, found)) <= _LONGEST_TAIL:
        return f"{found[1]} {tail}".strip()
    number = _DESIGNATION.match(title)
    if number:
        return number[0].rstrip(".:,;(")
    return _shortened(" ".join(title.split()), showing)


def _shortened(title: str, showing: Collection[int]) -> str:
    """Shorten a long title to its beginning, which names the subject, and to what ``showing`` says."""
    if len(title) <= LONGEST_TITLE:
        return title
    words = title.split(" ")
    starts = {0}
    kept = _kept(words, (0,))
    while hidden := {word - 1 for word in showing if word not in kept} - starts:
        starts |= hidden  # the word before says what differs: "Volume" in "Volume 2"
        kept = _kept(words, sorted(starts))
    shown = set(kept)
    for at in sorted(kept, reverse=True):
        if at + 1 < len(words) and at + 1 not in shown and words[at].islower() and len(words[at]) <= _LINKING:
            shown.discard(at)
    return _joined(words, shown)


def _kept(words: list[str], starts: Collection[int]) -> frozenset[int]:
    """Return the positions of the words to keep: from each start on in turn, as many as fit."""
    kept: set[int] = set()
    ended: set[int] = set()
    for step in range(len(words)):
        for start in starts:
            at = start + step
            if start in ended or at >= len(words):
                continue
            if len(_joined(words, {*kept, at})) <= LONGEST_TITLE:
                kept.add(at)
            else:
                ended.add(start)
    return frozenset(kept)


def _joined(words: list[str], kept: Collection[int]) -> str:
    """Return the kept words with a sign wherever others are left out."""
    parts: list[str] = []
    for at, word in enumerate(words):
        if at in kept:
            parts.append(word)
        elif parts[-1:] != [SHORTENED]:
            parts[-1:] = [*(one.rstrip(",;:") for one in parts[-1:]), SHORTENED]
    return " ".join(parts)


def _beginning(title: str) -> str:
    return title[:_KEPT_HEAD].rsplit(" ", 1)[0]


def _tail(title: str, found: re.Match[str]) -> str:
    return title[found.end() :].strip()
