"""Find the part of a code that is cited by title and section: '10 CFR 20.1201' is in '10 CFR Part 20'."""

from __future__ import annotations

import re

from rabbithole.kb.models import PathElement

_CFR = re.compile(r"^\s*(?P<title>\d{1,2})\s*(?:CFR|C\.\s?F\.\s?R\.)(?:\s*(?:Part\s*)?(?P<part>\d{1,4}))?\s*$", re.I)


def part_of_code(name: str, path: tuple[PathElement, ...]) -> str | None:
    """Return the name of the part that holds a section of the Code of Federal Regulations; None for anything else."""
    code = _CFR.match(name)
    number = _part(path)
    return f"{code['title']} CFR Part {number}" if code and number else None


def sibling_part(names: tuple[str, ...], path: tuple[PathElement, ...]) -> str | None:
    """Return the name of the part that a section belongs to, or None.

    ``names``: the names of the document that cites the section. There is no sibling if it is no part of a code, or the
    part of this section.
    """
    for name in names:
        code = _CFR.match(name)
        if code and code["part"] and (number := _part(path)) and number != code["part"]:
            return f"{code['title']} CFR Part {number}"
    return None


def without_part(path: tuple[PathElement, ...]) -> tuple[PathElement, ...]:
    """Return the path inside a part, without a first element 'part', which stands for the whole document."""
    return path[1:] if path and path[0][0] == "part" else path


def _part(path: tuple[PathElement, ...]) -> str | None:
    if not path:
        return None
    unit, value = path[0]
    if unit == "part" and value.isdigit():
        return value
    found = re.match(r"(\d{1,4})\.\d", value)
    return found[1] if found and unit in ("section", "§") else None
