"""Name the parts of standards that are separate documents: 'DIN 25457-1', 'DIN 25457-2'; 'KTA 1404.1'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rabbithole.kb.models import PathElement

from .well_known_series import designation_of, part_mark

_UNITS = ("Teil", "part", "Part", "Blatt", "Volume", "volume", "Band")


def sibling_volume(names: Iterable[str], path: Sequence[PathElement]) -> str | None:
    """Return the name of another part of a standard, or None.

    ``names``: the names of a document that is one part; ``path``: the place cited, which begins with the other part.
    """
    number = _part(path)
    if number is None:
        return None
    own = next((found for name in names if (found := designation_of(name)) and found.part), None)
    if own is None or own.part == number:
        return None
    return own.model_copy(update={"part": number, "written": "", "edition": "", "amendment": ""}).name


def volume_of(name: str, path: Sequence[PathElement]) -> str | None:
    """Return the name of a part: 'ISO 1234' with 'part 3' -> 'ISO 1234-3'. None if ``name`` is no whole standard."""
    number = _part(path)
    whole = designation_of(name)
    if number is None or whole is None or whole.part:
        return None
    return whole.model_copy(update={"part": number, "mark": part_mark(whole.series), "edition": ""}).name


def _part(path: Sequence[PathElement]) -> str | None:
    if not path or path[0][0] not in _UNITS or not path[0][1].isdigit():
        return None
    return path[0][1].lstrip("0") or None
