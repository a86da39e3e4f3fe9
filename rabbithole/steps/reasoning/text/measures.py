"""Recognises a number of the unit that a question asks for: 'how many pages' is not answered by '50 words'. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .time_words import NUMERAL, PERIOD, SOME

_UNITS: Final[Mapping[str, str]] = {
    "pages": r"pages?|pp?\.|Seiten?",
    "bytes": r"(?:kilo|mega|giga|tera|kibi|mebi|gibi)?(?:bytes?|bits?)|[KMGT]i?(?:B|bit|bps|bytes?)|octets?|Oktetten?",
    "characters": r"characters?|chars?|letters?|digits?|Zeichen|Buchstaben|Stellen|Ziffern",
    "words": r"words?|Worte[ns]?|Wörtern?",
    "lines": r"lines?|Zeilen?",
    "lengths": r"(?:milli|centi|kilo|zenti)?met(?:re|er)[ns]?|[mck]?m|miles?|Meilen?|feet|foot|ft|inch(?:es)?|yards?",
    "percent": r"percent(?:age)?|per cent|Prozent(?:e[ns]?)?|v\. ?H\.",
    "weights": r"(?:kilo|milli)?gram(?:me?)?s?|[km]?g|tonn?e[ns]?|tons?|pounds?|lbs?",
    "degrees": r"degrees?|Grad|Celsius|Fahrenheit|Kelvin",
    "periods": PERIOD,
}
"""Words and signs of units; those of one kind count as the same, as 'two kilobytes' answers 'how many bytes'."""
_SIGNS: Final[Mapping[str, str]] = {"percent": "%", "degrees": "°"}
_COUNTS: Final = r"\b(?:how many|wie ?viele?|number of|Anzahl(?: der| an)?)\s+"
_COUNTED: Final = re.compile(_COUNTS, re.IGNORECASE)
_ASKED: Final = {kind: re.compile(rf"{_COUNTS}(?:\w+\s)?(?:{words})(?!\w)", re.I) for kind, words in _UNITS.items()}
_ASKED_IN: Final = {kind: re.compile(rf"\bin (?:{words})(?!\w)", re.I) for kind, words in _UNITS.items()}
"""'How large is it, in kilobytes?', where nothing else is counted."""
_STATED: Final = {
    kind: re.compile(
        rf"(?:\d|\b(?:{NUMERAL}|{SOME})\b)[\d.,)]*[\s-]*(?:[\w.-]+\s+)?(?:(?:{words})(?!\w)|{_SIGNS.get(kind, '(?!)')})"
        rf"|\b(?:{words})\s*(?::|=|is|are|of|von|sind|beträgt)\s*\d",
        re.I,
    )
    for kind, words in _UNITS.items()
}  # fmt: skip


_NAMED: Final = {kind: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.I) for kind, words in _UNITS.items()}


def states_measure(text: str, question: str) -> bool:
    """Return whether a text has a number of the unit asked for; a table may have the unit in its header.

    True if the question asks for none.
    """
    kind = _kind_asked(question)
    if kind is None or _STATED[kind].search(text) is not None:
        return True
    return "|" in text and _NAMED[kind].search(text) is not None


@lru_cache(maxsize=64)
def _kind_asked(question: str) -> str | None:
    """Return the kind of unit that a question asks for; it is asked again for each sentence that may answer."""
    asked = _ASKED if _COUNTED.search(question) else _ASKED_IN
    return next((kind for kind, form in asked.items() if form.search(question)), None)
