"""The text of a title: cleaned, its words and how alike two are, and whether it says anything."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from pathlib import PurePosixPath

from .title_words import is_structure

MAX_TITLE = 300
_BAD = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|unbenannt.*|ohne titel.*|titel|title|(?:new )?document\d*|"
    r"dokument\d*|presentation\d*|präsentation\d*|(?:.*[/\\])?.{1,80}\.(?:docx?|pdf|indd|tex|dvi|qxd|rtf|odt|"
    r"pptx?|xlsx?|html?|ps|fm|book)"
    r"|layout \d+|slide \d+|powerpoint.*|\W*|[\d\W]+|binder\d*|scan.*|print|druck|main|paper|"
    r"(?:template|vorlage)\S*(?:\s+\S+){0,2}|.{0,2}|"
    r"(?-i:[A-Z][A-Za-z]+-?(?:Regu|Bold|Roman|Italic|Medi|Reg)\w*|[A-Za-z]+[A-Z]+-[A-Z][a-z]{3,4})|\w+_\w+|\S{1,4}|"
    r"(?-i:[A-Z0-9]+(?:[._-][A-Z0-9]+)+|[a-z0-9]+(?:[._-][a-z0-9]+)+)|(?=.*\d)[A-Z0-9]+(?:[._-][A-Z0-9]+)+|"
    r"(?:cover|front|titel)(?:[ -]?(?:page|seite|blatt))?)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}|\d+")
_EDGES = re.compile(r"^[\s–—\-•*|]+|[\s–—\-•*|:,]+$")
_BEFORE_HALF, _AFTER_HALF = re.compile(r"\(\s*[–—-]\s+"), re.compile(r"\s+[–—-]\s*\)")
_NOTICE = re.compile(
    r"(?:\A|[\s:.,;–—-]+)(?:copyright\s*)?(?:©|\(c\)|c\u20dd)\s*(?:19|20)\d\d.*", re.IGNORECASE | re.DOTALL
)
_EMPTY_BRACKET = re.compile(r"\(\s*\)")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_][^\W\d_])- (?=[a-zäöüß]{2})(?!(?:und|oder|bzw|sowie|bis|and|or|nor|to)\b)")
"""The hyphen and blank inside a word that a line break divided: 'Do- kumentation', but not 'Ein- und Ausgabe'."""


def is_useless(title: str) -> bool:
    """Return whether a title says nothing: the name of a template, file or font, or a common heading."""
    folded = " ".join(title.split())
    unreadable = "\ufffd" in folded or is_garbled(folded)
    return not folded or bool(_BAD.fullmatch(folded)) or is_structure(folded) or unreadable


def is_garbled(text: str) -> bool:
    """Return whether the letters belong to no human script, as with a font without a character map."""
    others = [letter for letter in text if letter > "\x7f"]
    if not others:
        return False
    symbols = sum(unicodedata.category(letter) == "So" for letter in others)
    if symbols > 4 and symbols > 0.25 * len(text):
        return True
    letters = sum(map(str.isalpha, text))
    if letters < 4:
        return text.count("\ufffd") > 0 and not letters
    odd = sum(letter in "\ufffd\ue000" or unicodedata.category(letter) == "Co" for letter in others)
    accents = [letter for letter in others if letter.isalpha()]
    accented = sum(letter not in "äöüßÄÖÜéèàçñóíáúôêîãõøæœ" for letter in accents)
    if odd > 0.1 * len(text) or accented > 0.25 * letters:
        return True
    return len(accents) > 0.2 * letters and _capitals_within(text) > 2


def _capitals_within(text: str) -> int:
    return sum(one.islower() and other.isupper() for one, other in pairwise(filter(str.isalpha, text)))


def readable_stem(file: str) -> str:
    """Return the file name as words: 'employee_handbook.pdf' -> 'employee handbook'."""
    return re.sub(r"[_\s]+", " ", PurePosixPath(file).stem).strip() or file


def title_words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))}


def likeness(first: str, second: str) -> float:
    """Return the share of common words (Dice coefficient), 0-1."""
    one, other = title_words(first), title_words(second)
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def clean(text: str) -> str:
    """Return the text without dashes, bars and commas at its ends, footnote marks, and hyphens of line breaks.

    What follows from a copyright notice on is left out.

    A bracket of which one half is empty keeps the other: '( - AbC)' names only the abbreviation.
    """
    folded = _NOTICE.sub("", _BROKEN_WORD.sub("", " ".join(unicodedata.normalize("NFC", text).split())))
    folded = " ".join(_EMPTY_BRACKET.sub("", _AFTER_HALF.sub(")", _BEFORE_HALF.sub("(", folded))).split())
    return re.sub(r"(?<=\w)[∗*†‡]+(?=\s|$)", "", _EDGES.sub("", folded)).strip()
