"""Figures in a text: numbers, in digits or words, and their units."""

from __future__ import annotations

import re

_ARTICLES = ("ein", "eine", "einem", "einen", "einer", "eines")
_WORDS = {
    **dict.fromkeys((*_ARTICLES, "one"), 1),
    **dict(zip("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(), range(2, 13), strict=True)),
    **dict(zip("two three four five six seven eight nine ten eleven twelve".split(), range(2, 13), strict=True)),
    **dict(zip("zwanzig dreißig vierzig fünfzig sechzig".split(), range(20, 70, 10), strict=True)),
    **dict(zip("twenty thirty forty fifty sixty".split(), range(20, 70, 10), strict=True)),
    "vierzehn": 14,
    "fourteen": 14,
    "fifteen": 15,
    "fünfzehn": 15,
    "hundert": 100,
    "hundred": 100,
    "tausend": 1000,
    "thousand": 1000,
}
_TIMES = {
    **dict(zip("sekund stund tag woch monat jahr".split(), "second hour day week month year".split(), strict=True)),
    **{name: name for name in "second hour day week month year".split()},
    "minut": "minute",
}
TIMES = frozenset(_TIMES.values())
_GROUPED = re.compile(r"(?<=\d)[.,\u00a0\u202f ](?=\d{3}(?!\d))")  # 10.000, 10,000 and 10 000
# A number followed by its unit; the numbers of sections, laws and standards have none.
_COUNTED = re.compile(
    r"(?<![\w§.,/-])(?P<number>\d+(?:[.,]\d+)*|" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")"
    r"(?:\s*-\s*|\s+|(?=%))(?P<unit>%|(?:Prozent|percent)\b|[A-Za-zµÄÖÜäöüß]+(?:/[A-Za-z]+)?)",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:§+|\b(?:Abs|Absatz|Satz|Nr|Nummer|Art|Artikel|Article|Anlage|Anhang|Tabelle|Section|Sec|Annex|Table|Figure)\b\.?)"
    r"\s*\d+(?:\.\d+)*\w?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d.,]*")
_NO_UNITS = frozenset(
    "bis und oder der des die das den dem ein eine im in bei nach für von vom mit auf aus an zu zum zur es sie er "
    "siehe and or to the this that these those a an its it of by for from with on at as if when see is are".split()
)
"""Words after a number that are no units; the number is then often that of a footnote: "20 The concept ..."."""


Figures = frozenset[tuple[str, str]]


def numbers(text: str) -> frozenset[str]:
    """Return all numbers in digits, including those of sections."""
    return frozenset(one.rstrip(".,") for one in _NUMBER.findall(text))


def counted(text: str) -> Figures:
    """Return the (number, unit) pairs of a text, including numbers in words.

    Units have no inflectional ending; units of time have their English name.
    """
    pairs = set()
    for found in _COUNTED.finditer(_GROUPED.sub("", _PLACE.sub(" ", text))):
        said, unit = found["number"].lower(), _unit(found["unit"])
        number = str(_WORDS.get(said, said)).replace(",", ".")
        if found["unit"].lower() in _NO_UNITS:
            continue
        if said not in _ARTICLES or unit in TIMES:  # "ein Jahr" is a figure, "ein Betrieb" is not
            pairs.add((number, unit))
    return frozenset(pairs)


def without_figures(text: str) -> str:
    """Return the text with '#' for every number with a unit or in digits."""
    return _NUMBER.sub("#", _COUNTED.sub(lambda found: f"# {found['unit']}", text))


def _unit(unit: str) -> str:
    plain = unit.lower()
    if plain in ("prozent", "percent"):
        return "%"
    ending = next((one for one in ("en", "es", "e", "n", "s") if len(plain) > len(one) + 2 and plain.endswith(one)), "")
    stem = plain.removesuffix(ending)
    return _TIMES.get(stem, stem)
