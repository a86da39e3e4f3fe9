"""Find the names in a passage, by which it leads to others, from their capital letters.

In German every noun is capitalised; the caller weights the names by rarity.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_PARTICLE = r"(?:\s+(?:of|the|de|la|von|van|der|des|and|und|&|for|in|für))?"
_NAME = re.compile(rf"\b(?:[A-ZÄÖÜÀ-Þ][\w'’.-]*|(?:1[0-9]|20)\d\d)(?:{_PARTICLE}\s+(?:[A-ZÄÖÜÀ-Þ][\w'’.-]*|\d+))*")
_WORD = re.compile(r"\w+")
_ALIKE, _BESIDE, _MENTIONS = 5, 8, 3
_PARENTHESES = re.compile(r"\s*\([^)]*\)")
_SENTENCE_WORDS = frozenset(
    """the a an in on at of it he she they his her its this that these those after before during from as by for with and
    but or when while since there their was is are were who which what where how if then also both one two three first
    second new however although between under most many some all other such no not more than into over i we you
    der die das den dem des ein eine einer eines einem einen und oder aber in im am auf bei mit nach von vom zu zum zur
    für durch ist sind war es er sie wir dies diese dieser dieses jede jeder alle als wenn soweit nur auch""".split()
)

_QUESTION_WORDS = _SENTENCE_WORDS | frozenset(
    """whom whose why do does did has have had been being be will would can could should may might about so than
    wer wen wem wessen was wann wo wie warum weshalb woher wohin welche welcher welches welchem welchen hat haben hatte
    hatten wird werden wurde wurden kann können soll sollen muss müssen darf dürfen sich wenn nicht""".split()
)


def plain(text: str) -> str:
    """Return the words in lower case with single spaces, the form in which names are compared."""
    return " ".join(_WORD.findall(text.casefold()))


def telling(text: str) -> list[str]:
    """Return the words of a plain question without question words and function words, each once."""
    return [word for word in dict.fromkeys(text.split()) if word not in _QUESTION_WORDS]


@lru_cache(maxsize=8192)
def entities(text: str) -> tuple[str, ...]:
    """Return the names and years of a text in plain form, each once, in order."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        words = plain(match.group()).split()
        while words and words[0] in _SENTENCE_WORDS:
            words = words[1:]
        while words and words[-1] in _SENTENCE_WORDS:
            words = words[:-1]
        name = " ".join(words)
        if len(name) > 2:
            found[name] = None
    return tuple(found)


def title_forms(title: str) -> tuple[str, ...]:
    """Return the forms in which a text may name this title: whole, without its parentheses, and up to its comma."""
    bare = _PARENTHESES.sub("", title)
    forms = {plain(title), plain(bare), plain(bare.split(",")[0])}
    return tuple(sorted(form for form in forms if len(form) > 2))


def contains(text: str, name: str) -> bool:
    """Return whether a plain text contains a plain name as whole words."""
    return f" {name} " in f" {text} "


def near(text: str, name: str, words: Mapping[str, float]) -> float:
    """Return the weight of ``words`` within eight words of a name in a plain text; of three mentions the best.

    Words match by their beginning: "director", "directed".
    """
    padded, wanted = f" {text} ", f" {name} "
    starts = {word[:_ALIKE]: weight for word, weight in words.items()}
    best, at = 0.0, padded.find(wanted)
    for _ in range(_MENTIONS):
        if at < 0:
            break
        around = padded[:at].split()[-_BESIDE:] + padded[at + len(wanted) :].split(None, _BESIDE)[:_BESIDE]
        best = max(best, sum(starts.get(start, 0.0) for start in {word[:_ALIKE] for word in around}))
        at = padded.find(wanted, at + 1)
    return best
