"""Choose neighbouring sections to read too: those that define terms or make exceptions."""

from __future__ import annotations

import re

from rabbithole.kb.models import Section

# German and English headings of sections that affect how their neighbour must be read.
DEFINING = re.compile(
    r"\b(begriffsbestimmung\w*|definition\w*|begriffe\b|ausnahme\w*|abweich\w*|befreiung\w*|freigrenze\w*|"
    r"terminology|terms|exception\w*|exemption\w*|exclusion\w*|derogation\w*)\b",
    re.IGNORECASE,
)


def next_door(before: Section | None, after: Section | None) -> tuple[Section, ...]:
    """Return those of the two neighbours whose heading announces definitions or exceptions."""
    return tuple(one for one in (before, after) if one is not None and DEFINING.search(one.heading))
