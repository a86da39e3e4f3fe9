"""Restores letters that TeX fonts keep at control codes, in PDFs whose fonts do not name them.

T1 ("Cork") and OT1 put the section sign, ligatures and quotation marks where Unicode has control characters, and MuPDF
returns those codes if a font has no mapping. They are interpreted by the letters around them; one that stands alone is
a sign of a formula. Source of the tables: LaTeX's fontenc, encodings T1, OT1 and TS1. Pure.
"""

from __future__ import annotations

import re

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


def mended(text: str) -> str:
    """Return a line with its section signs, ligatures, quotation marks and bullets at control codes replaced."""
    if not _CODES.search(text):
        return text
    text = _BULLET.sub("•", _SECTION.sub("§", text))
    text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
    text = _QUOTE_BEFORE.sub(lambda found: _OPENING[found[0]], text)
    return _QUOTE_AFTER.sub(lambda found: _CLOSING[found[0]], text)


def has_section_signs(text: str) -> bool:
    """Return whether a text has T1's code for the section sign, which shows that its fonts use T1."""
    return _SECTION.search(text) is not None


def with_sharp_s(text: str) -> str:
    """Replace ÿ by ß between small letters: T1 has ß at the code of ÿ."""
    return _SHARP_S.sub("ß", text)
