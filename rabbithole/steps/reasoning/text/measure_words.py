"""Words that ask for a measure after "how" and "wie", by what the answer states: 'how long' a duration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Measure = Literal["duration", "times", "amount", "number"]

_WORDS: Final[Mapping[Measure, tuple[str, str]]] = {
    "duration": ("long|fast|soon|quickly", "lange|schnell"),
    "times": ("often|frequently|many times", "oft|häufig|viele Male|viel Mal"),
    "amount": ("", "teuer|hoch"),  # of money
    "number": (
        "large|big|high|far|deep|wide|strong|old|tall|small|short|thick|thin|heavy",
        "groß|weit|alt|stark|klein|kurz|lang|breit|tief|dick|dünn|schwer",
    ),
}
"""For each measure the English and the German words, as alternatives of a pattern."""

ALL_WORDS: Final = "|".join(words for pair in _WORDS.values() for words in pair if words)
"""The words of all measures, as alternatives of a pattern."""


def asks_for(measure: Measure) -> str:
    """Return a pattern, to be matched without regard to case, of the questions for a measure: 'how long', 'wie oft'."""
    english, german = _WORDS[measure]
    asked = [rf"\bhow (?:{english})\b"] if english else []
    return "|".join([*asked, rf"\bwie (?:{german})\b"])
