"""Detects pages whose letters cannot be text, because a font's wrong mapping gives other letters than it shows.

Such a page looks like a simple substitution cipher. Its letter frequencies are compared with those of European
languages in Latin script, which are similar, and its words with the small words of any prose. Pages of code, tables,
names and other scripts are accepted: only clearly wrong pages are rejected. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from .lines import TextLine

PageFonts = Mapping[str, frozenset[int]]
"""The fonts of a page: the objects in the file by the fonts' names."""
LEAST_SHARE = 0.1
"""Minimum share of a page's letters for its font to be examined."""
LEAST_WORDS = 40
LEAST_LETTERS = 12
"""Minimum number of different letters: sequences of only a few letters are data, not text."""
LIKENESS = 0.78
"""Minimum cosine of the letter frequencies with the expected ones; prose is above 0.87, shifted pages below 0.77."""
SMALL_WORDS = 0.12
"""A page with at least this share of small words is prose whatever its letters; pages of tables have fewer."""

_WORD = re.compile(r"(?<![\w])[A-Za-zÀ-ÿ]{2,15}(?!\w)")
_FREQUENCIES = (
    "e 14.0 n 8.0 i 7.6 a 7.6 t 7.4 r 6.8 s 6.7 o 5.6 d 4.4 l 4.3 h 4.0 u 3.8 c 3.2 m 2.6 g 2.2 p 2.0 f 1.8 b 1.6 "
    "w 1.4 v 1.2 k 0.9 y 0.9 z 0.6 j 0.3 x 0.2 q 0.2"
)
_PAIRS = _FREQUENCIES.split()
_EXPECTED = {letter: float(share) for letter, share in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)}
_LENGTH = math.sqrt(sum(share * share for share in _EXPECTED.values()))
_SMALL = frozenset(
    "the of and to in is for that be are on with as by this or an from at it not der die das und in zu den von mit für "
    "ist auf des im dem nicht ein eine oder werden nach bei als an le la les de et des un une en du pour dans que el "
    "los las del por con para se una il di che per non het een van op te dat aan voor og av som til att och det en je "
    "na si ve bir ja on że się nie do az és hogy".split()
)


def is_implausible(text: str) -> bool:
    """Return whether a page's letters and small words clearly belong to no known language."""
    words = [word.casefold() for word in _WORD.findall(text)]
    if len(words) < LEAST_WORDS:
        return False
    letters = Counter(char for word in words for char in word if "a" <= char <= "z")
    total = sum(letters.values())
    others = sum(char.isalpha() for char in text) - sum(len(word) for word in words)
    if not total or others > total or sum(count > 0.005 * total for count in letters.values()) < LEAST_LETTERS:
        return False
    if sum(word in _SMALL for word in words) >= SMALL_WORDS * len(words):
        return False
    norm = math.sqrt(sum(count * count for count in letters.values()))
    likeness = sum(_EXPECTED.get(char, 0.0) * count for char, count in letters.items()) / (norm * _LENGTH)
    return likeness < LIKENESS


def vouched_lines(
    lines: Sequence[TextLine], fonts: PageFonts, others: Sequence[tuple[Sequence[TextLine], PageFonts]]
) -> list[TextLine]:
    """Return the lines of a page in fonts that give plausible text on ``others``: a table or a program.

    A wrong mapping belongs to a font, so that all its pages are wrong. Fonts of a few letters are not examined.
    """
    letters: Counter[str] = Counter()
    for line in lines:
        letters[line.font] += len(line.text)
    wrong = {
        font
        for font, count in letters.items()
        if count >= LEAST_SHARE * letters.total() and not _is_right(font, fonts, others)
    }
    return [line for line in lines if line.font not in wrong]


def _is_right(font: str, fonts: PageFonts, others: Sequence[tuple[Sequence[TextLine], PageFonts]]) -> bool:
    """Return whether the one object of this name gives plausible text on other pages."""
    if len(fonts.get(font, ())) != 1:
        return False
    text = "\n".join(
        line.text for lines, own in others if own.get(font) == fonts[font] for line in lines if line.font == font
    )
    return len(_WORD.findall(text)) >= LEAST_WORDS and not is_implausible(text)
