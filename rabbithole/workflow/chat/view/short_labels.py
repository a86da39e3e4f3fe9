"""Short names of documents and places, for where there is little room."""

from __future__ import annotations

import re

from rabbithole.kb.models import Section

ABBREVIATION = re.compile(r"\((?:[^()]*[\s–-])?([A-ZÄÖÜ][\wÄÖÜäöü]{1,11})\)")
# What a standard's or a report's title begins with: 'DIN 25462-3:2019-06', 'ILA SG-7', 'RFC 8446'.
DESIGNATION = re.compile(r"(?:[A-ZÄÖÜ]{2,8}[ /-]){1,3}(?:[A-Z]{1,4}-?)?\d[\w.:/()-]*(?=[:,;]?\s)")
LONGEST_TITLE = 70


def short_title(title: str) -> str:
    """The abbreviation a law's title ends with, the number a standard's begins with, else the title."""
    found = ABBREVIATION.search(title)
    if found:
        return (found[1] + title[found.end() :]).strip()
    number = DESIGNATION.match(title)
    if number:
        return number[0].rstrip(".:,;(")
    return title if len(title) <= LONGEST_TITLE else title[:LONGEST_TITLE].rsplit(" ", 1)[0] + " …"


def place(title: str, section: str) -> str:
    """'IsoLG, § 5 Genehmigungsvoraussetzungen'. The part under a document's own title needs no name."""
    return ", ".join(part for part in (short_title(title), "" if same(section, title) else section) if part)


def same(heading: str, title: str) -> bool:
    """Whether a heading only repeats the title."""
    plain = [re.sub(r"\W+", "", text).casefold() for text in (heading, title)]
    return bool(plain[0]) and (plain[0] == plain[1] or (len(plain[0]) > 20 and plain[0] in plain[1]))


def place_label(title: str, section: Section | None) -> str:
    """The label of a place on the map. A comma in the title would split it at the wrong place."""
    document = short_title(title).replace(", ", " ")
    heading = section.label if section and not same(section.label, title) else ""
    return ", ".join(part for part in (document, heading) if part)
