"""Find a section of an outline by number, by offset, or as the neighbour of another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.models import Section


def find_section(outline: Sequence[Section], number: str) -> Section | None:
    """Find a section by its number as written, else without sign or unit; the first in reading order."""
    wanted = _normalised_number(number)
    if not wanted:
        return None
    for section in outline:
        if _normalised_number(section.number) == wanted:
            return section
    bare = _bare(wanted)
    return (
        next((s for s in outline if s.number and _bare(_normalised_number(s.number)) == bare), None)
        if wanted == bare
        else None
    )


def section_at(outline: Sequence[Section], offset: int) -> Section | None:
    """Return the innermost section whose span contains the offset."""
    found: Section | None = None
    for section in outline:
        if section.start > offset:
            break
        if offset < section.end and (found is None or section.level >= found.level):
            found = section
    return found


def neighbours(outline: Sequence[Section], section: Section) -> tuple[Section | None, Section | None]:
    """Return the sections of the same level before and after a section."""
    same = [other for other in outline if other.level == section.level]
    position = same.index(section)
    before = same[position - 1] if position else None
    return before, same[position + 1] if position + 1 < len(same) else None


def _normalised_number(number: str) -> str:
    """Return a key that is the same for "§  27 A" and "§27a" and ignores a final full stop."""
    joined = re.sub(r"\s+", " ", number.strip().casefold().rstrip("."))
    joined = re.sub(r"§+\s*", "§ ", joined)
    return re.sub(r"(?<=\d) (?=[a-z]$)", "", joined)


def _bare(key: str) -> str:
    return re.sub(r"^(?:§|art\.?|artikel|article|section|abschnitt|nr\.?) ", "", key)
