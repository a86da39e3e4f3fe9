"""Reads the numbers of headings in their various spellings and gives each one normal form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rabbithole.kb.ingest.numbers.number_words import number_in_words

_ORDINALS = [
    "erste",
    "zweite",
    "dritte",
    "vierte",
    "fünfte",
    "sechste",
    "siebte",
    "achte",
    "neunte",
    "zehnte",
    "elfte",
    "zwölfte",
    "dreizehnte",
    "vierzehnte",
    "fünfzehnte",
    "sechzehnte",
    "siebzehnte",
    "achtzehnte",
    "neunzehnte",
    "zwanzigste",
    "einundzwanzigste",
    "zweiundzwanzigste",
    "dreiundzwanzigste",
    "vierundzwanzigste",
    "fünfundzwanzigste",
    "sechsundzwanzigste",
    "siebenundzwanzigste",
    "achtundzwanzigste",
    "neunundzwanzigste",
    "dreißigste",
]
_UNITS = {
    "buch": "Buch",
    "teil": "Teil",
    "kapitel": "Kapitel",
    "abschnitt": "Abschnitt",
    "unterabschnitt": "Unterabschnitt",
    "titel": "Titel",
    "untertitel": "Untertitel",
    "artikel": "Artikel",
    "art": "Artikel",
    "article": "Article",
    "anlage": "Anlage",
    "anhang": "Anhang",
    "annex": "Annex",
    "appendix": "Appendix",
    "part": "Part",
    "chapter": "Chapter",
    "subchapter": "Subchapter",
    "subpart": "Subpart",
    "section": "Section",
    "title": "Title",
}
# Depth in the usual order of legal and technical documents; decimal numbers nest by their parts.
RANKS = {
    "Title": 10, "Subchapter": 21, "Chapter": 20, "Subpart": 26, "Part": 24,
    "Buch": 10, "Teil": 20, "Kapitel": 30, "Abschnitt": 40, "Unterabschnitt": 50, "Titel": 60, "Untertitel": 70,
    "Artikel": 80, "Article": 80, "§": 80, "Section": 80,
    "Anlage": 5, "Anhang": 5, "Annex": 5, "Appendix": 5,
    "decimal": 100, "code": 105, "roman": 95, "letter": 96, "": 90,
}  # fmt: skip
_VALUE = (
    r"(?:\d+(?:[.-]\d+)*\s?[a-z]?(?![\w])|[IVXLC]+[a-z]?(?!\w)|[A-Z](?:[.-]?\d+(?:\.\d+)*)?(?!\w)|(?-i:[A-Z]{2,3})$)"
)
CODE = r"[A-Z]{2,5}-\d{1,3}(?![\w-])|[A-Z]{3,5}(?:\.\d{1,2}){1,3}(?:\.A\d{1,3})?(?![\w.])"
"""Numbers of controls, requirements and modules: 'AC-2', 'REQ-14', 'SYS.1.1', 'ORP.4.A2'."""
_SECTION_SIGN = re.compile(
    r"(?:\(X+\)\s*)?(§§?)\s*(\d+(?:\.\d+)*(?:-\d+)?\s?(?:(?!u\.)[a-z]{1,2})?(?![\w])"
    r"(?:\s*(?:bis|und|u\.|,|to|and|through|–)\s*(?:§\s*)?\d+[a-z]?(?!\w))*)\s*[.:]?\s*(.*)",
    re.DOTALL,
)
_NAMED = re.compile(
    rf"(?:\(X+\)\s*)?({'|'.join(_UNITS)})\b\.?\s*({_VALUE}(?:\s*(?:bis|und)\s*{_VALUE})?)?(?!\w)\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_ORDINAL = re.compile(
    rf"({'|'.join(_ORDINALS)})[rsn]?\s+(buch|teil|kapitel|abschnitt|unterabschnitt|titel|untertitel)\b\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_IN_WORDS = re.compile(
    r"(Chapter|CHAPTER|Kapitel|KAPITEL|Part|PART|Teil|TEIL)\s+([A-ZÄÖÜ][^\W\d_]+(?:-[^\W\d_]+)?)\b\s*(.*)", re.DOTALL
)
"""'CHAPTER THREE'; a number word in small letters is running text."""
_DOTTED = re.compile(
    r"(\d{1,3}|[ivxl]{1,6})\.\s*(teil|kapitel|abschnitt|unterabschnitt|titel|buch)\b\s*(.*)", re.IGNORECASE | re.DOTALL
)
_DECIMAL = re.compile(r"(\d{1,4}(?:\.\d{1,3}){0,8}|\d{1,4}(?:\.\d{1,3})+-\d{1,3})[.)]?\s+(\S.*)", re.DOTALL)
_LETTERED = re.compile(r"([A-Z](?:\.\d{1,3})+)\.?\s+(\S.*)|([A-Z])\.\s+(\S.*)", re.DOTALL)
_ROMAN = re.compile(r"([IVXL]{1,6})\.\s+(\S.*)", re.DOTALL)
_CODE = re.compile(rf"({CODE})\.?\s+(\S.*)", re.DOTALL)
_LEAD = re.compile(r"^(?:[\s:.–—|-]|\(\d{1,2}[-./]\d{1,2}[-./]\d{4}\))+")  # and the date of a section's last change
_NEEDS_NUMBER = {
    "titel",
    "art",
    "part",
    "section",
    "title",
    "chapter",
    "teil",
    "kapitel",
    "abschnitt",
    "buch",
    "article",
    "artikel",
}


@dataclass(frozen=True, slots=True)
class Numbered:
    """A heading split up. ``unit`` is "§", a word such as "Anlage", "decimal", "code", "roman", "letter" or ""."""

    unit: str
    number: str
    heading: str

    @property
    def rank(self) -> int:
        if self.unit == "decimal":
            return RANKS["decimal"] + self.number.removesuffix(".0").count(".")  # "4.0" is chapter 4
        return RANKS.get(self.unit, RANKS[""])


def split_number(title: str) -> Numbered:
    """Split a heading: "§ 27 Beförderung" -> "§ 27", "Beförderung"; "5.2.  Title" -> "5.2", "Title".

    Without a number, unit and number are ''.
    """
    title = " ".join(title.split())
    if match := _SECTION_SIGN.fullmatch(title):
        return Numbered("§", f"{match[1]} {_tight(match[2])}", _lead(match[3]))
    if match := _ORDINAL.fullmatch(title):
        unit = _UNITS[match[2].casefold()]
        return Numbered(unit, f"{unit} {_ORDINALS.index(match[1].casefold()) + 1}", _lead(match[3]))
    if match := _DOTTED.fullmatch(title):
        unit = _UNITS[match[2].casefold()]
        return Numbered(unit, f"{unit} {match[1].upper()}", _lead(match[3]))
    if (match := _IN_WORDS.fullmatch(title)) and (said := number_in_words(match[2])):
        unit = _UNITS[match[1].casefold()]
        return Numbered(unit, f"{unit} {said}", _lead(match[3]))
    if match := _NAMED.fullmatch(title):
        word = match[1].casefold()
        if match[2] or (word not in _NEEDS_NUMBER and match[1][:1].isupper()):
            unit = _UNITS[word]
            value = _tight(match[2] or "")
            return Numbered(unit, f"{unit} {value}".strip(), _lead(match[3]))
    if match := _DECIMAL.fullmatch(title):
        return Numbered("decimal", match[1], _lead(match[2]))
    if match := _ROMAN.fullmatch(title):
        return Numbered("roman", match[1], _lead(match[2]))
    if match := _LETTERED.fullmatch(title):
        number = match[1] or match[3]
        unit = "decimal" if match[1] else "letter"
        return Numbered(unit, number, _lead(match[2] or match[4]))
    if match := _CODE.fullmatch(title):
        return Numbered("code", match[1], _lead(match[2]))
    return Numbered("", "", _lead(title))


def _tight(value: str) -> str:
    """Return "9 a" as "9a"; ranges keep their words."""
    return re.sub(r"(\d)\s+([a-z])(?![\w])", r"\1\2", value.strip())


def _lead(heading: str) -> str:
    return _LEAD.sub("", heading).strip()
