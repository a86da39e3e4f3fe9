"""Standards in parts, each a document of its own: 'DIN 25457-1' and 'DIN 25457-2', 'KTA 1404.1' and 'KTA 1404.2'."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rabbithole.kb.models import PathElement

_VOLUME = re.compile(
    r"^(?P<family>[A-ZÄÖÜ][A-Za-zÄÖÜäöü/]*(?:[ ][A-Z][A-Za-z/]*)*[ ]\d[\d ]*?)"
    r"(?P<joint>[-.]|[ ](?:Teil|Part)[ ])(?P<part>\d{1,3})(?=$|[:\s(,])"
)
_FAMILY = re.compile(r"^[A-ZÄÖÜ][A-Za-zÄÖÜäöü/]*(?:[ ][A-Z][A-Za-z/]*)*[ ]\d+$")
_POINTED = ("KTA",)  # series whose parts follow a point


def sibling_volume(names: Iterable[str], path: Sequence[PathElement]) -> str | None:
    """For 'Part 2' asked of a document that is one part of a standard: the name of that other part."""
    number = _part(path)
    if number is None:
        return None
    found = next((volume for name in names if (volume := _VOLUME.match(name))), None)
    if found is None or found["part"] == number:
        return None
    return f"{found['family']}{found['joint']}{number}"


def volume_of(name: str, path: Sequence[PathElement]) -> str | None:
    """'ISO 1234' and 'part 3': the document 'ISO 1234-3'. None for what is no standard by its number."""
    number = _part(path)
    if number is None or not _FAMILY.match(name):
        return None
    return f"{name}{'.' if name.split()[0] in _POINTED else '-'}{number}"


def _part(path: Sequence[PathElement]) -> str | None:
    if not path or path[0][0] not in ("Teil", "part", "Part") or not path[0][1].isdigit():
        return None
    return path[0][1].lstrip("0") or None
