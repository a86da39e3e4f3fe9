"""Names the places held that are nearest to one that a question names and that is not held."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Reference, Resolution

from .described_works import DescribedWork, works_in

NEAREST = 3
"""Maximum number of places named."""
_LEAST_LIKE, _LEAST_NAMED_LIKE = 60.0, 70.0
"""Least likeness (0-100) of two designations, and of two full names."""


def nearest(
    kb: KnowledgeBase, documents: Sequence[Document], reference: Reference, resolution: Resolution
) -> tuple[str, ...]:
    """Return names of the nearest places held: sections of the named document, else documents with similar names."""
    if resolution.document is not None:
        work = next(one for one in documents if one.id == resolution.document)
        parts = [one for one in works_in(kb, (work,)) if one.part and resolution.name.startswith(one.part.name)]
        numbers = [section.number for section in (*parts, DescribedWork(work))[0].outline(kb) if section.number]
        asked = reference.path[0][1] if reference.path else ""
        return tuple(near_numbers(asked, numbers))
    wanted = reference.document or reference.text
    names = {name: one for one in documents for name in (own_name(one), one.title)}
    if any(character.isdigit() for character in wanted):
        like = process.extract(wanted, list(names), scorer=fuzz.WRatio, limit=8, score_cutoff=_LEAST_LIKE)
    else:  # abbreviations of laws look alike without being related, so full names are compared
        full = resolution.name.split(" (")[0] or wanted
        like = process.extract(full, list(names), scorer=fuzz.ratio, limit=8, score_cutoff=_LEAST_NAMED_LIKE)
    return tuple(dict.fromkeys(own_name(names[name]) for name, _, _ in like))[:NEAREST]


def near_numbers(asked: str, numbers: Sequence[str]) -> list[str]:
    """Return the numbers closest to the one asked for, in order, preferably of the same chapter."""
    chapter = asked.split(".")[0]
    family = [number for number in numbers if number.lstrip("§ ").split(".")[0] == chapter]
    digits = [number for number in dict.fromkeys(family or numbers) if re.search(r"\d", number)]
    wanted = _value(asked)
    near = sorted(digits, key=lambda number: abs(_value(number) - wanted))[:NEAREST]
    return sorted(near, key=_value)


def _value(number: str) -> float:
    parts = [int(part) for part in re.findall(r"\d+", number)][:4]
    return sum(part / 1000**at for at, part in enumerate(parts))


def own_name(document: Document) -> str:
    """Return the name people use for a document: its shortest abbreviation or number, else its title."""
    short = [name for name in document.synonyms if len(name) <= 24 and re.search(r"\d|[A-ZÄÖÜ].*[A-ZÄÖÜ]", name)]
    return min(short, key=len, default=document.title or document.file)
