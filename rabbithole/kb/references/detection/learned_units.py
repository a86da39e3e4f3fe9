"""Learns from a document which words stand before its section numbers. Pure, linear."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence

from rabbithole.kb.models import Section
from rabbithole.kb.references.grammar.english.path import UNITS
from rabbithole.kb.references.grammar.number_keys import number_key
from rabbithole.kb.references.grammar.units import Units, known_words

_BEFORE = re.compile(
    r"(?<![\w.-])(?P<word>[A-ZÄÖÜ][^\W\d_]{2,19}\.?)[ \u00a0\u200e]{1,3}"
    r"(?P<number>[A-Z]?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?){1,5})"
    r"(?![\w%]|\.\d)"
)
_LABEL = re.compile(r"[^\W\d_]{3,}")
_LEAST = 3
"""Minimum number of different sections that a word must be seen with."""
_SHARE = 0.75
"""Minimum share of the different dotted numbers after a word that must be sections of the document."""
_NOT_UNITS = frozenset(
    "table figure fig tab tabelle abbildung abb bild version release and und or oder the der die das in im from of for "
    "to with see siehe vgl cf under nach gemäß level equation eq formel formula step page seite since about example "
    "beispiel note algorithm algorithmus theorem lemma definition proposition corollary listing exhibit box "
    "chart diagram program query satz formel graph map scheme "
    "plate januar january february march april may june july august september october november december".split()
)


def usage(text: str, outline: Sequence[Section], is_name: Callable[[str], bool]) -> Units:
    """Return the units of a document: the known words, and those it uses before numbers in its outline.

    ``is_name`` tells whether a word is a document's name ("GEN 5.5.1") rather than a word for a section.
    """
    numbers: set[str] = set()
    labels: set[tuple[str, str]] = set()
    words = dict(known_words())
    for section in outline:
        if section.number:
            key = number_key(section.number)
            numbers.add(key.value)
            if key.kind:
                labels.add((key.kind, key.value))
                if (label := _LABEL.match(section.number)) and label[0].casefold() == key.kind:
                    words.setdefault(label[0], key.kind)
    seen: dict[str, set[str]] = defaultdict(set)
    spellings: dict[str, set[str]] = defaultdict(set)
    if any("." in number for number in numbers):
        for match in _BEFORE.finditer(text):
            unit = words.get(match["word"]) or _singular(match["word"])
            value = match["number"].casefold()
            spellings[unit].add(match["word"])
            seen[unit].add(value)
    learned = {
        unit
        for unit, values in seen.items()
        if len(values & numbers) >= max(_LEAST, _SHARE * len(values)) and unit not in UNITS and unit not in _NOT_UNITS
    }
    learned |= {unit for unit, _ in labels if unit in words.values()}
    for unit in learned:
        for spelling in spellings[unit]:
            if not is_name(spelling):
                words.setdefault(spelling, unit)
    return Units(words, frozenset(learned), frozenset(numbers), frozenset(labels))


def _singular(word: str) -> str:
    bare = word.rstrip(".").casefold()
    return bare[:-1] if len(bare) > 4 and bare.endswith("s") and not bare.endswith("ss") else bare
