"""Find a quotation verbatim in a document of the knowledge base: its span, page and section.

White space, hyphenation, ligatures and quotation marks are ignored: both texts are reduced to the characters that carry
meaning, with a map back to their offsets. White space, soft hyphens, quotation marks, rules of tables and hyphens at
line ends are removed, ligatures are spelt out, and all dashes become one character. No other difference is tolerated: a
changed word, digit or letter case is not found.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from rabbithole.kb.models import LEFT_OUT, QuotePlace
from rabbithole.kb.store.catalog import Catalog

from .section_lookup import section_at

_QUOTES: Final = frozenset("\"'`´‘’‚‛“”„‟‹›«»″′")
_DROPPED: Final = _QUOTES | frozenset("|\u00ad\u200b\u200c\u200d\u2060\ufeff")
_DASHES: Final = frozenset("‐‑‒–—―−")
_LINE_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010\u2011][^\S\n]*\n\s*(?=[^\W\d_])")
_TABLE_RULE: Final = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")
_SHORTEST: Final = 3
_MARKER: Final = 5
"""Maximum number of characters, without white space, of the number of an item: "(12a)"."""
_APART: Final = 6000
"""Maximum number of characters between the longest part of a quotation and one that is looked for near it."""


@dataclass(frozen=True)
class Reduced:
    """A reduced ``text``; ``offsets[i]`` is the offset of its i-th character in the original."""

    text: str
    offsets: array[int]


class Quotations:
    """Finds quotations; it caches the reduced texts of the documents used last."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._reduced = lru_cache(maxsize=32)(self._reduce)

    def find(self, document_id: str, quote: str, *, page: int | None = None) -> QuotePlace | None:
        """Return the place of the verbatim quotation, preferably on ``page``; None if there is none.

        Where words are left out ("[…]"), each part must be found, those before the longest part preferably above it.
        The place is that of the first part with words: the number of an item stands on every page.
        """
        whole = self._find(document_id, quote, self._page(document_id, page))  # a document may have such a sign itself
        parts = [part for part in quote.split(LEFT_OUT) if any(map(str.isalnum, part))]
        if whole is not None or LEFT_OUT not in quote or not parts:
            return whole
        longest = max(parts, key=len)
        anchor = self._find(document_id, longest, self._page(document_id, page))
        if anchor is None:
            return None
        above, below = (max(0, anchor.start - _APART), anchor.start), (anchor.end, anchor.end + _APART)
        at = parts.index(longest)
        places = [
            anchor if index == at else self._find(document_id, part, above if index < at else below, shortest=1)
            for index, part in enumerate(parts)
        ]
        found = [place for place in places if place is not None]
        if len(found) < len(parts):
            return None
        worded = [place for place, part in zip(found, parts, strict=True) if len(reduce(part).text) > _MARKER]
        return next(iter(worded), anchor)

    def _page(self, document_id: str, page: int | None) -> tuple[int, int] | None:
        """Return the span of a page; None if there is no such page."""
        pages = self._catalog.stored(document_id).document.pages or len(self._catalog.page_starts(document_id))
        return self._catalog.page_span(document_id, page) if page is not None and 0 <= page < pages else None

    def _find(
        self, document_id: str, quote: str, near: tuple[int, int] | None, shortest: int = _SHORTEST
    ) -> QuotePlace | None:
        entry = self._catalog.stored(document_id)
        found = find(self._reduced(document_id, entry.ordinal), quote, near=near, shortest=shortest)
        if found is None:
            return None
        index, label = self._catalog.page_of(document_id, found[0])
        section = section_at(self._catalog.outline(document_id), found[0])
        return QuotePlace(
            document=document_id,
            start=found[0],
            end=found[1],
            page=index,
            page_label=label,
            section=section.id if section else None,
        )

    def _reduce(self, document_id: str, ordinal: int) -> Reduced:
        """Return the reduced text. The ordinal is part of the cache key, as it is new after another ingestion."""
        return reduce(self._catalog.text(document_id))


def reduce(text: str) -> Reduced:
    """Reduce a text to the characters that carry meaning."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    plain = {letter: _plain(letter) for letter in set(text)}
    sizes = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.uint8)
    for letter, instead in plain.items():
        sizes[ord(letter)] = len(instead)
    lengths = sizes[codes]
    parts: list[str] = []
    end = 0
    for start, after in _skipped(text):
        lengths[start:after] = 0
        parts.append(text[end:start])
        end = after
    joined = "".join((*parts, text[end:])).translate({ord(letter): instead for letter, instead in plain.items()})
    offsets = array("q")
    offsets.frombytes(np.repeat(np.arange(len(codes)), lengths).astype(np.int64).tobytes())
    return Reduced(joined, offsets)


def _skipped(text: str) -> list[tuple[int, int]]:
    """Return the spans added by layout, in order: hyphens at line ends, rules of tables."""
    hyphens = [(match.start(), match.start() + 1) for match in _LINE_HYPHEN.finditer(text)]
    return sorted([*hyphens, *(rule.span() for rule in _TABLE_RULE.finditer(text))])


def _plain(letter: str) -> str:
    """Return the reduced form of a character, or '' if it carries no meaning."""
    if letter.isspace() or letter in _DROPPED:
        return ""
    if letter in _DASHES:
        return "-"
    return _spelt(letter) if letter > "\u007f" else letter


def find(
    reduced: Reduced, quote: str, *, near: tuple[int, int] | None = None, shortest: int = _SHORTEST
) -> tuple[int, int] | None:
    """Return the span of a quotation in the original text, or None; of several, preferably the one within ``near``."""
    wanted = reduce(quote).text
    if len(wanted) < shortest:
        return None
    found: tuple[int, int] | None = None
    position = reduced.text.find(wanted)
    while position >= 0:
        span = reduced.offsets[position], reduced.offsets[position + len(wanted) - 1] + 1
        if _at_words(reduced, position, len(wanted)):
            if near is None or near[0] <= span[0] < near[1]:
                return span
            found = found or span
        position = reduced.text.find(wanted, position + 1)
    return found


def _at_words(reduced: Reduced, position: int, length: int) -> bool:
    """Return whether neither end cuts a number or word: "20 mSv" is not in "120 mSv"."""
    text, offsets = reduced.text, reduced.offsets
    before = position - 1
    if before >= 0 and offsets[before] + 1 == offsets[position] and _joins(text[before], text[position]):
        return False
    last, after = position + length - 1, position + length
    return not (after < len(text) and offsets[last] + 1 == offsets[after] and _joins(text[last], text[after]))


def _joins(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()


def _spelt(letter: str) -> str:
    """Return a ligature or full-width form in plain letters, with accents composed; superscripts stay unchanged."""
    decomposition = unicodedata.decomposition(letter)
    if decomposition.startswith(("<compat>", "<wide>", "<narrow>")):
        return "".join(part for part in unicodedata.normalize("NFKC", letter) if not part.isspace())
    return letter
