"""Held works whose title stands in an entry of a list of literature, whatever the style around it.

Where names end and a title begins differs by style; that a known title stands there as a whole does not. Titles are
compared by their letters, so that hyphens and blanks do not matter, and found by their first letters: the cost of an
entry is linear in its length, whatever the number of titles.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from rabbithole.kb.models import Document

_HEAD = 12
"""Letters by which a title is found."""
_LETTERS = 15
"""Letters that a title has at least: shorter ones stand in other titles too."""
_LONG = 30
"""Letters of an entry's title from which the beginning of a held title is enough."""
_BEFORE = re.compile(r"(?:\A|[.,:;)\]\"“”„‘’'–—-]|\d)\s*(?:(?:The|An?|Der|Die|Das)\s)?\Z", re.I)
_AFTER = re.compile(r"\s*(?:\Z|[.,:;?!\"“”’'(\[–—-]|(?:In|Proc|Proceedings|ACM|IEEE|Technical|Tech)\b)")
_WORD = re.compile(r"[^\W_]+")


class _Title(NamedTuple):
    letters: str
    whole: bool
    """False for the part before a subtitle's colon."""
    document: Document


class TitleFinder:
    """The titles of held documents by their first letters."""

    def __init__(self) -> None:
        self._by_head: dict[str, list[_Title]] = defaultdict(list)

    def add(self, title: str, document: Document) -> None:
        main = title.partition(":")[0]
        for text, whole in ((title, True), (main, False)):
            letters = _letters(text)
            if len(_WORD.findall(text)) >= 3 and len(letters) >= _LETTERS and (whole or main != title):
                self._by_head[letters[:_HEAD]].append(_Title(letters, whole, document))

    def begun_with(self, title: str) -> Iterator[Document]:
        """Documents whose title begins with an entry's, as long as it is: people leave out a title's end."""
        letters = _letters(title)
        if len(letters) >= _LONG:
            for held in self._by_head.get(letters[:_HEAD], ()):
                if held.letters.startswith(letters):
                    yield held.document

    def find(self, entry: str) -> Iterator[tuple[Document, bool, str]]:
        """(document, whether its whole title stands there, what stands before it), for each title in the entry."""
        words = [(match.start(), match.end()) for match in _WORD.finditer(entry)]
        for start, _ in words:
            rest = _letters(entry[start : start + 400])
            for title in self._by_head.get(rest[:_HEAD], ()):
                end = _end(entry, start, title.letters) if rest.startswith(title.letters) else None
                if end is not None and _BEFORE.search(entry[:start]) and _AFTER.match(entry, end):
                    yield title.document, title.whole, entry[:start]


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _end(entry: str, start: int, letters: str) -> int | None:
    """Where a title that begins at ``start`` ends: all its letters, and the end of a word."""
    count = 0
    for index in range(start, len(entry)):
        count += len(_letters(entry[index]))
        if count >= len(letters):
            after = entry[index + 1 : index + 2]
            return None if after.isalnum() else index + 1
    return None
