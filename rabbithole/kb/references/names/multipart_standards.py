"""Standards in parts, each a document of its own: 'DIN 25457-1' and 'DIN 25457-2', 'KTA 1404.1' and 'KTA 1404.2'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rabbithole.kb.models import PathElement

from .designation import designation_of, part_mark

_UNITS = ("Teil", "part", "Part", "Blatt", "Volume", "volume", "Band")


def sibling_volume(names: Iterable[str], path: Sequence[PathElement]) -> str | None:
    """For 'Part 2' asked of a document that is one part of a standard: the name of that other part."""
    number = _part(path)
    if number is None:
        return None
    own = next((found for name in names if (found := designation_of(name)) and found.part), None)
    if own is None or own.part == number:
        return None
    return own.model_copy(update={"part": number, "written": "", "edition": "", "amendment": ""}).name


def volume_of(name: str, path: Sequence[PathElement]) -> str | None:
    """'ISO 1234' and 'part 3': the document 'ISO 1234-3'. None for what is no standard by its number."""
    number = _part(path)
    whole = designation_of(name)
    if number is None or whole is None or whole.part:
        return None
    return whole.model_copy(update={"part": number, "mark": part_mark(whole.series), "edition": ""}).name


def _part(path: Sequence[PathElement]) -> str | None:
    if not path or path[0][0] not in _UNITS or not path[0][1].isdigit():
        return None
    return path[0][1].lstrip("0") or None
