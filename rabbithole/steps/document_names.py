"""The one name a document goes by wherever people read it: an abbreviation or a designation, else its title."""

from __future__ import annotations

import re

from rabbithole.kb.models import Document

LONGEST_SHORT_NAME = 16
LONGEST_TITLE = 70
_KEPT_HEAD, _KEPT_TAIL = 50, 28
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
_LONGEST_DESIGNATION = 40


def document_name(document: Document) -> str:
    """The number a person gave it; else the shortest abbreviation or number the collection knows it by, or its title.

    Editions keep apart: by what a title says after the abbreviation ('IsoLV vom 3. Mai 2012'), by the designation with
    its edition ('SP 800-53 Rev. 3'), by edition or year behind a title.
    """
    if "designation: registry" in str(document.metadata.get("identity_sources") or ""):
        return str(document.metadata["designation"])
    law = _LAW.search(document.title) is not None
    short = [name for name in document.synonyms if len(name) <= LONGEST_SHORT_NAME and _READS_SHORT.search(name)]
    names = [name for name in short if law or any(character.isdigit() for character in name)]
    if not names:
        return _designated(document) or _titled(document)
    name = min(names, key=lambda one: (len(one), one))
    edition = _from(name, str(document.metadata.get("designation") or ""))
    if edition and edition != name:
        return edition
    number = _DESIGNATION.match(document.title)
    if number and number[0].endswith(name):
        return number[0]  # 'ILA TR-12' before 'TR-12'
    found = _ABBREVIATION.search(document.title)
    return short_title(document.title) if found and found[1] == name and _tail(document.title, found) else name


def document_number(document: Document) -> str:
    """The number a document goes by where its title does not say it: 'SP 800-53 Rev. 3'; else ''."""
    name = document_name(document)
    numbered = any(character.isdigit() for character in name) and name not in document.title
    return name if numbered and not name.startswith(_beginning(document.title)) else ""


def _designated(document: Document) -> str:
    """A designation that a document whose title says none is known by; not the issue of a gazette it was printed in."""
    designation = str(document.metadata.get("designation") or "")
    found = _DESIGNATION.match(f"{designation} ")
    return designation if found and len(designation) <= _LONGEST_DESIGNATION else ""


def _from(name: str, designation: str) -> str:
    """'SP 800-53 Rev. 3' of 'NIST SP 800-53 Rev. 3' for 'SP 800-53'; '' where the name is not in the designation."""
    found = re.search(rf"(?<!\S){re.escape(name)}(?!\w).*", designation)
    return found[0] if found and len(found[0]) <= _LONGEST_DESIGNATION else ""


def _titled(document: Document) -> str:
    title = short_title(document.title) or document.file
    edition, year = str(document.metadata.get("edition") or ""), str(document.metadata.get("year") or "")
    if edition and edition.casefold() not in title.casefold():
        return f"{title}, {edition}"
    return f"{title} ({year})" if year and "…" in title and year not in title else title


def short_title(title: str) -> str:
    """The abbreviation a law's title ends with, the number a standard's begins with, else the title."""
    found = _ABBREVIATION.search(title) if _LAW.search(title) else None
    if found and len(tail := _tail(title, found)) <= _LONGEST_TAIL:
        return f"{found[1]} {tail}".strip()
    number = _DESIGNATION.match(title)
    if number:
        return number[0].rstrip(".:,;(")
    return _shortened(" ".join(title.split()))


def _shortened(title: str) -> str:
    """Beginning and end of a long title: titles of one series differ in what they end with."""
    if len(title) <= LONGEST_TITLE:
        return title
    at = title.find(" ", max(len(title) - _KEPT_TAIL, _KEPT_HEAD)) + 1 or title.rfind(" ") + 1
    return f"{_beginning(title)} … {title[at:]}"


def _beginning(title: str) -> str:
    return title[:_KEPT_HEAD].rsplit(" ", 1)[0]


def _tail(title: str, found: re.Match[str]) -> str:
    return title[found.end() :].strip()
