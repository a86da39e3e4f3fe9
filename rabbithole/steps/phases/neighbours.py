"""Whether the section next door is worth reading too: it defines a term or makes an exception."""

from __future__ import annotations

import re

from rabbithole.kb.models import Section

# Headings of sections that change how their neighbour is to be read, German and English.
DEFINING = re.compile(
    r"\b(begriffsbestimmung\w*|definition\w*|begriffe\b|ausnahme\w*|abweich\w*|befreiung\w*|freigrenze\w*|"
    r"terminology|terms|exception\w*|exemption\w*|exclusion\w*|derogation\w*)\b",
    re.IGNORECASE,
)


def next_door(before: Section | None, after: Section | None) -> tuple[Section, ...]:
    """Those of the two neighbours whose heading says they define or make exceptions."""
    return tuple(one for one in (before, after) if one is not None and DEFINING.search(one.heading))
