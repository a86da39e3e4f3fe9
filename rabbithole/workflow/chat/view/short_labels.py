"""Short names of documents and places, for where there is little room."""

from __future__ import annotations

import re

from rabbithole.kb.models import Section
from rabbithole.steps.document_names import short_title


def place(title: str, section: str, name: str = "") -> str:
    """'IsoLG, § 5 Genehmigungsvoraussetzungen'. The part under a document's own title needs no name."""
    return ", ".join(part for part in (name or short_title(title), "" if same(section, title) else section) if part)


def same(heading: str, title: str) -> bool:
    """Whether a heading only repeats the title."""
    plain = [re.sub(r"\W+", "", text).casefold() for text in (heading, title)]
    return bool(plain[0]) and (plain[0] == plain[1] or (len(plain[0]) > 20 and plain[0] in plain[1]))


def place_label(title: str, section: Section | None, name: str = "") -> str:
    """The label of a place on the map. A comma in the title would split it at the wrong place."""
    document = (name or short_title(title)).replace(", ", " ")
    heading = section.label if section and not same(section.label, title) else ""
    return ", ".join(part for part in (document, heading) if part)
