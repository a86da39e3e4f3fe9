"""Words that stand before section numbers besides the common ones: "Rule 1.3.1", "Principle 7", "Randnummer 12".

Known words are listed in ``units.json``; others are learned from each document (``detection.learned_units``). Such a
word is also an ordinary noun, so the number after it must look like a section number or belong to a section of the
document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

PART_UNITS = frozenset({"Abs", "Satz", "Nr", "Buchst", "DBuchst", "paragraph", "Spalte", "ref"})
"""Units counted inside a section; every other unit numbers sections, annexes, tables or figures."""
CAPTIONED = frozenset({"table", "Tabelle", "figure"})
"""Units of what has a caption of its own."""

_DOTTED = re.compile(r"\d+[A-Z]?\.\d|[A-Z]{1,3}[.-]?\d")
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_WORD = re.compile(r"[^\W\d_][^\W\d_-]*\.?")


@lru_cache(maxsize=1)
def known_words() -> Mapping[str, str]:
    """Return the reviewed words of all languages: word as written -> unit."""
    listed = json.loads((files(__package__) / "units.json").read_text(encoding="utf-8"))
    return {word: unit for language in listed.values() for unit, words in language.items() for word in words}


@dataclass(frozen=True)
class Units:
    """The words and section numbers of the document whose references are being detected."""

    words: Mapping[str, str] = field(default_factory=known_words)
    """Words that may stand before a section number: word as written -> unit."""
    learned: frozenset[str] = frozenset()
    """Units that the document itself uses in this way."""
    numbers: frozenset[str] = frozenset()
    """Numbers of the document's sections, without the word before them."""
    labels: frozenset[tuple[str, str]] = frozenset()
    """(unit, number) of the sections whose number includes a word: ('part', '4'), ('principle', '7')."""

    def at(self, text: str, pos: int) -> tuple[str, str, int] | None:
        """Return unit, word as written and its end if one of the words stands at ``pos``."""
        match = _WORD.match(text, pos)
        if match is None:
            return None
        for word in (match[0], match[0].rstrip(".")):
            if word in self.words:
                return self.words[word], word, pos + len(word)
        return None

    def counts(self, unit: str, word: str, value: str) -> bool:
        """Return whether a number after one of the words is a section number, by its form or the outline."""
        if (unit, value.casefold()) in self.labels:
            return True
        if _DOTTED.match(value):
            known = unit in self.learned or value.casefold() in self.numbers
            return word[0].isupper() or known or value.count(".") > 1
        if not value[0].isdigit() or _YEAR.fullmatch(value):
            return False
        return word[0].isupper() and (unit in self.learned or unit in COUNTED)

    def is_own(self, unit: str, value: str) -> bool:
        """Return whether the document has a section with exactly this word and number."""
        return (unit, value.casefold()) in self.labels


COUNTED = frozenset(
    "rule principle requirement regulation recommendation control randnummer grund regel grundsatz anforderung "
    "leitlinie klausel punkt".split()
)
"""Known words after which a whole number is a section number even if the outline does not show it."""
