"""Reads a section, annex or table directly after a standard: "ISO 9001 clause 4.2", "ISO/IEC 27001:2022 A.8.1"."""

from __future__ import annotations

import re

from .form import WS, Path

_SECTION = re.compile(
    rf"(?:{WS},?{WS}(?P<unit>Abschnitte?|Abschn\.|Kapitel|Kap\.|Anhang|Anlage|Tabelle|Teil|Bild|[Ss]ections?"
    rf"|[Cc]lauses?|[Cc]hapters?|[Aa]nnex|[Aa]ppendix|[Tt]able|§){WS}"
    rf"(?P<value>[IVX]{{2,5}}|\d{{1,3}}[a-z]|[A-Z]?\d{{0,3}}(?:\.\d{{1,3}}){{0,5}}|[A-Z](?:\.\d{{1,3}}){{0,4}}))(?!\w)"
    r"(?P<items>(?:\(\w{1,4}\)){0,4})"
)
_ITEM = re.compile(r"\((\w+)\)")
_CONTROL = re.compile(rf"{WS}(?P<value>[A-Z](?:\.\d{{1,3}}){{1,4}}|\d{{1,2}}(?:\.\d{{1,3}}){{1,4}})(?![\w-])")
_UNITS = {
    "Abschn.": "Abschnitt",
    "Abschnitte": "Abschnitt",
    "Kap.": "Kapitel",
    "clause": "section",
    "clauses": "section",
    "sections": "section",
    "chapters": "chapter",
    "Bild": "figure",
}


def section_after(text: str, pos: int) -> tuple[Path, int]:
    """Return the path of the place named directly after a standard (bare "A.8.1" included) and its end; () if none."""
    match = _SECTION.match(text, pos)
    if match and match["value"]:
        unit = _UNITS.get(
            match["unit"],
            match["unit"].lower()
            if match["unit"][0] in "scatSCAT"
            and match["unit"] not in ("Abschnitt", "Anhang", "Anlage", "Tabelle", "Teil")
            else match["unit"],
        )
        items = tuple(("paragraph", item) for item in _ITEM.findall(match["items"]))
        return ((unit, match["value"]), *items), match.end()
    match = _CONTROL.match(text, pos)
    if match and not text.startswith(("\n",), pos):
        return (("section", match["value"]),), match.end()
    return (), pos
