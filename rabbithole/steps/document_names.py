"""The one name a document goes by wherever people read it: an abbreviation or a designation, else its title."""

from __future__ import annotations

import re

from rabbithole.kb.models import Document

LONGEST_SHORT_NAME = 16
LONGEST_TITLE = 70
_LONGEST_TAIL = 30
_READS_SHORT = re.compile(r"[A-ZÄÖÜ]\w*[A-ZÄÖÜ]|[A-ZÄÖÜ]{2,}.*\d")
# Abbreviations are names of laws; in other titles they are matter: 'Personally Identifiable Information (PII)'.
_LAW = re.compile(
    r"gesetz|ordnung|vorschrift|satzung|richtlinie|\b(?:act|regulation|directive|code|convention|treaty)\b",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\((?:[^()]*[\s–-])?([A-ZÄÖÜ][\wÄÖÜäöü]{1,11})\)")
# What a standard's or a report's title begins with: 'DIN 25462-3:2019-06', 'ILA SG-7', 'RFC 8446'.
_DESIGNATION = re.compile(r"(?:[A-ZÄÖÜ]{2,8}[ /-]){1,3}(?:[A-Z]{1,4}-?)?\d[\w.:/()-]*(?=[:,;]?\s)")


def document_name(document: Document) -> str:
    """The number a person gave it; else the shortest abbreviation or number the collection knows it by, or its title.

    What a title says after the abbreviation stays, so that editions keep apart: 'IsoLV vom 3. Mai 2012'.
    """
    if "designation: registry" in str(document.metadata.get("identity_sources") or ""):
        return str(document.metadata["designation"])
    law = _LAW.search(document.title) is not None
    short = [name for name in document.synonyms if len(name) <= LONGEST_SHORT_NAME and _READS_SHORT.search(name)]
    names = [name for name in short if law or any(character.isdigit() for character in name)]
    if not names:
        return short_title(document.title) or document.file
    name = min(names, key=lambda one: (len(one), one))
    number = _DESIGNATION.match(document.title)
    if number and number[0].endswith(name):
        return number[0]  # 'ILA TR-12' before 'TR-12'
    found = _ABBREVIATION.search(document.title)
    return short_title(document.title) if found and found[1] == name and _tail(document.title, found) else name


def short_title(title: str) -> str:
    """The abbreviation a law's title ends with, the number a standard's begins with, else the title."""
    found = _ABBREVIATION.search(title) if _LAW.search(title) else None
    if found and len(tail := _tail(title, found)) <= _LONGEST_TAIL:
        return f"{found[1]} {tail}".strip()
    number = _DESIGNATION.match(title)
    if number:
        return number[0].rstrip(".:,;(")
    return title if len(title) <= LONGEST_TITLE else title[:LONGEST_TITLE].rsplit(" ", 1)[0] + " …"


def _tail(title: str, found: re.Match[str]) -> str:
    return title[found.end() :].strip()
