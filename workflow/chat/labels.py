"""Short names of documents and places, for where there is little room."""

from __future__ import annotations

import re

from ...kb.models import Section

ABBREVIATION = re.compile(r"\((?:[^()]*[\s–-])?([A-ZÄÖÜ][\wÄÖÜäöü]{1,11})\)")
LONGEST_TITLE = 70


def short_title(title: str) -> str:
    """The abbreviation a law's title ends with, else the title."""
    found = ABBREVIATION.search(title)
    if found:
        return (found[1] + title[found.end() :]).strip()
    return title if len(title) <= LONGEST_TITLE else title[:LONGEST_TITLE].rsplit(" ", 1)[0] + " …"


def place_label(title: str, section: Section | None) -> str:
    """'IsoLG, § 5 Genehmigungsvoraussetzungen'. A comma in the title would split it at the wrong place."""
    document = short_title(title).replace(", ", " ")
    return ", ".join(part for part in (document, section.label if section else "") if part)
