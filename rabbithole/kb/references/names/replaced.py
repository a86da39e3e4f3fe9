"""Find the documents that the opening of a document says it replaces."""

from __future__ import annotations

import re

OPENING = 2500
"""The number of characters at the beginning of a document that are read."""
_OBSOLETES = re.compile(
    r"^\s*Obsoletes:\s*(?:RFCs?\s*)?(?P<numbers>\d{1,5}(?:\s*,\s*(?:RFC\s*)?\d{1,5})*)", re.M | re.I
)
_REPLACES = re.compile(
    r"\b(?:Ersatz für|ersetzt(?: die Fassung)?|[Ss]upersedes|[Rr]eplaces)\s*:?\s+"
    r"(?P<name>(?:DIN|KTA|ISO|IEC|EN|VDI|NIST|ICRP|IAEA|NUREG|RG)\b[^\n;.()]{2,60})"
)


def replaced_names(opening: str) -> tuple[str, ...]:
    """Return the names of the documents that ``opening`` says its document replaces."""
    names = [
        f"RFC {int(number)}"
        for found in _OBSOLETES.finditer(opening[:OPENING])
        for number in re.findall(r"\d+", found["numbers"])
    ]
    names += [" ".join(found["name"].split()).rstrip(" ,") for found in _REPLACES.finditer(opening[:OPENING])]
    return tuple(dict.fromkeys(names))
