"""Restores letters that TeX fonts keep at control codes, in PDFs whose fonts do not name them.

T1 ("Cork") and OT1 put the section sign, ligatures and quotation marks where Unicode has control characters, and MuPDF
returns those codes if a font has no mapping. They are interpreted by the letters around them; one that stands alone is
a sign of a formula. Old TeX fonts print an accented letter as two signs, which are composed. Source of the tables:
LaTeX's fontenc, encodings T1, OT1 and TS1. Pure.
"""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = dict(zip("\x1b\x1c\x1d\x1e\x1f\x0b\x0c\x0e\x0f", "ff fi fl ffi ffl ff fi ffi ffl".split(), strict=True))
_OPENING = {"\x12": "„", "\x10": "“", "\x13": "«", "\x14": "»"}
_CLOSING = {"\x10": "“", "\x11": "”", "\x13": "«", "\x14": "»"}
_CODES = re.compile(r"[\x0b\x0c\x0e-\x1f\x80-\x9f]")
_SECTION = re.compile(r"\x9f(?=\x9f?\s{0,2}\d)")
_BULLET = re.compile(r"^\s*\x88(?=\s*[^\W\d_])")
_LOWER = "a-zäöüßàâçéèêëîïôûùáíóúñ"
_LIGATURE = re.compile(
    rf"[\x1b-\x1f](?=[{_LOWER}])|(?<=[{_LOWER}])[\x1b-\x1f](?!\w)|"
    rf"(?<=[{_LOWER}])[\x0b\x0c\x0e\x0f](?=[{_LOWER}])"
)
_SHARP_S = re.compile(r"(?<=[a-zäöü])ÿ(?=[a-zäöü]|\b)")
_QUOTE_BEFORE = re.compile(r"(?<![\w])[\x10\x12-\x14](?=\w)")
_QUOTE_AFTER = re.compile(r"(?<=[^\W\d]|[.,;!?])[\x10\x11\x13\x14](?!\w)")

_ACCENTS = {
    "¨": ("\u0308", "aeiouyı"),
    "´": ("\u0301", "aeiouyı"),  # on no consonant, because of "it´s"
    "`": ("\u0300", "aeiouı"),
    "ˆ": ("\u0302", "aeiouı"),
    "˜": ("\u0303", "ano"),
    "¸": ("\u0327", "cst"),
    "ˇ": ("\u030c", "cdenrstz"),
    "˚": ("\u030a", "au"),
    "˝": ("\u030b", "ou"),
    "˘": ("\u0306", "ag"),
    "˛": ("\u0328", "ae"),
}
"""For each accent that stands alone: its combining form, and the letters that it may stand on."""
_WORD_ONLY = "`˜"
"""Accents with a use of their own, which count only inside a word: `command`, /˜user."""
_ACCENT = re.compile(f"[{''.join(_ACCENTS)}]")


def _accented(sign: str, letters: str) -> str:
    """Return the pattern of an accent and its letter: "f¨ur", "f¨ ur", "fu¨r", "fu¨ r", "Men¨u"."""
    on = f"[{letters}{letters.upper()}]"
    if sign in _WORD_ONLY:
        return rf"(?<=[^\W\d_]){sign}{on}(?=[^\W\d_]|\b)(?!\w*{sign})"
    return rf"{sign}{on}|(?<!{on}){sign} {on}(?=[^\W\d_])|{on}{sign}(?!{on})(?: (?=[bcdfghjklmnpqrstvwxzß]))?"


_ACCENTED = re.compile("|".join(_accented(sign, letters) for sign, (_, letters) in _ACCENTS.items()))


def mended(text: str) -> str:
    """Return a line with its section signs, ligatures, quotation marks and bullets at control codes replaced."""
    if not _CODES.search(text):
        return text
    text = _BULLET.sub("•", _SECTION.sub("§", text))
    text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
    text = _QUOTE_BEFORE.sub(lambda found: _OPENING[found[0]], text)
    return _QUOTE_AFTER.sub(lambda found: _CLOSING[found[0]], text)


def composed(text: str) -> str:
    """Return a line with each accent printed beside its letter joined to it: "f¨ur" is "für"."""
    if not _ACCENT.search(text) or ("`" in text and "\\" in text):  # backslashes: a program's text
        return text
    return _ACCENTED.sub(_compose, text)


def _compose(found: re.Match[str]) -> str:
    sign, *_ = _ACCENT.findall(found[0])
    letter = found[0].replace(sign, "").strip().replace("ı", "i")
    whole = unicodedata.normalize("NFC", letter + _ACCENTS[sign][0])
    return whole if len(whole) == 1 else found[0]


def has_section_signs(text: str) -> bool:
    """Return whether a text has T1's code for the section sign, which shows that its fonts use T1."""
    return _SECTION.search(text) is not None


def with_sharp_s(text: str) -> str:
    """Replace ÿ by ß between small letters: T1 has ß at the code of ÿ."""
    return _SHARP_S.sub("ß", text)
