"""Short names of documents and places, for where space is limited."""

from __future__ import annotations

import re

from rabbithole.kb.models import Section
from rabbithole.steps.document_names import short_title


def place(title: str, section: str, name: str = "") -> str:
    """Return 'IsoLG, § 5 Genehmigungsvoraussetzungen'; a section that only repeats the title is left out."""
    return ", ".join(part for part in (name or short_title(title), "" if same(section, title) else section) if part)


def same(heading: str, title: str) -> bool:
    """Return whether a heading only repeats the title."""
    plain = [re.sub(r"\W+", "", text).casefold() for text in (heading, title)]
    return bool(plain[0]) and (plain[0] == plain[1] or (len(plain[0]) > 20 and plain[0] in plain[1]))


def place_label(title: str, section: Section | None, name: str = "") -> str:
    """Return the label of a place on the map, without commas in the title, at which labels are split."""
    document = (name or short_title(title)).replace(", ", " ")
    heading = section.label if section and not same(section.label, title) else ""
    return ", ".join(part for part in (document, heading) if part)
