"""Reads numbers written as words, as chapter pages print them: "THIRTEEN", "DREIUNDZWANZIG"."""

from __future__ import annotations

import re

_ENGLISH = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_ENGLISH_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_GERMAN = (
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
).split()
_GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_SEPARATORS = re.compile(r"[\s-]+")


def _words() -> dict[str, int]:
    words = {word: number for names in (_ENGLISH, _GERMAN) for number, word in enumerate(names, 1)}
    for place in range(8):
        tens = 10 * (place + 2)
        words |= {_ENGLISH_TENS[place]: tens, _GERMAN_TENS[place]: tens}
        words |= {f"{_ENGLISH_TENS[place]}{unit}": tens + number for number, unit in enumerate(_ENGLISH[:9], 1)}
        words |= {
            f"{unit.removesuffix('s') if number == 1 else unit}und{_GERMAN_TENS[place]}": tens + number
            for number, unit in enumerate(_GERMAN[:9], 1)
        }
    return words


_WORDS = {word.replace("ß", "ss"): number for word, number in _words().items()}


def number_in_words(text: str) -> int | None:
    """Return the number that a text of one number word says, in English or German; None if it is none."""
    return _WORDS.get(_SEPARATORS.sub("", text).casefold())
