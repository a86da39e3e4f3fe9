"""Names by which people call a document without writing its title: without the legal form, or 'Kate-Handbuch'."""

from __future__ import annotations

import re

from .name_keys import fold

_LEGAL_FORM = re.compile(
    r"(?P<name>\b[A-ZÄÖÜ0-9][\w&'’.-]*),?\s(?:e\.\s?V\.|eV|e\.\s?G\.|eG|g?GmbH(?:\s&\sCo\.\sKG)?|AG|KG|OHG|GbR|SE|"
    r"UG(?:\s\(haftungsbeschränkt\))?|Inc\.?|Ltd\.?|LLC|PLC|plc|Corp\.)"
    r"(?=[,;:.)]|\s(?:vom|von|for|of|in der Fassung)\s|\Z)"
)
_SUBJECT = r"(?P<subject>[A-ZÄÖÜ][\w+]*[^\W\d_][\w+]*)"
_BOOKS = tuple(
    re.compile(rf"(?:{title})(?:\s(?:v\.?|[Vv]ersion|[Rr]elease)?\s?\d[\w.]*)?\Z")
    for title in (
        rf"(?:Das\s)?(?:Benutzer|Anwender)?[Hh]andbuch\s(?:zu|zum|zur|von|für)\s{_SUBJECT}",
        rf"{_SUBJECT}(?:\s|\s?[-–—]{{1,2}}\s?|:\s)(?:Benutzer|Anwender)?[Hh]andbuch",
    )
)
_ENGLISH_BOOK = re.compile(
    rf"(?:[Tt]he\s)?{_SUBJECT}(?:\s|\s[-–—]{{1,2}}\s|:\s)(?:User(?:['’]?s)?\s)?(?P<kind>Manual|Guide|Handbook)"
    r"(?:\s(?:v\.?|[Vv]ersion|[Rr]elease)?\s?\d[\w.]*)?\Z"
)


def spoken_names(title: str) -> tuple[str, ...]:
    """Return further names of a document with this title: 'Satzung des Clubs e. V.' is 'Satzung des Clubs' too.

    A handbook about one subject is called by a compound in German ('Kate-Handbuch') and without "User" in English.
    """
    folded = fold(title)
    names = [" ".join(_LEGAL_FORM.sub(r"\g<name>", folded).split())] if _LEGAL_FORM.search(folded) else []
    for pattern in _BOOKS:
        if found := pattern.match(folded):
            names.append(f"{found['subject']}-Handbuch")
    if found := _ENGLISH_BOOK.match(folded):
        names.append(f"{found['subject']} {found['kind'].lower()}")
    return tuple(name for name in dict.fromkeys(names) if name != folded)
