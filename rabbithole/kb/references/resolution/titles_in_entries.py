"""Finds held works whose title occurs in a bibliography entry, whatever the entry's style.

Styles differ in where the names end and the title begins, but a known title can be found as a whole. Titles are
compared by their letters, so that hyphens and spaces do not matter, and looked up by their first letters, so that the
cost is linear in the length of the entry and does not depend on the number of titles.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from rabbithole.kb.models import Document

_HEAD = 12
"""First letters by which a title is looked up."""
_LETTERS = 15
"""Least number of letters of a title; shorter ones occur in other titles too."""
_LONG = 30
"""Letters of an entry's title from which on it may be only the beginning of a held title."""
_BEFORE = re.compile(r"(?:\A|[.,:;)\]\"“”„‘’'–—-]|\d)\s*(?:(?:The|An?|Der|Die|Das)\s)?\Z", re.I)
_AFTER = re.compile(r"\s*(?:\Z|[.,:;?!\"“”’'(\[–—-]|(?:In|Proc|Proceedings|ACM|IEEE|Technical|Tech)\b)")
_WORD = re.compile(r"[^\W_]+")


class _Title(NamedTuple):
    letters: str
    whole: bool
    """False for the part before a subtitle's colon."""
    document: Document


class TitleFinder:
    """The titles of held documents, looked up by their first letters."""

    def __init__(self) -> None:
        self._by_head: dict[str, list[_Title]] = defaultdict(list)

    def add(self, title: str, document: Document) -> None:
        main = title.partition(":")[0]
        for text, whole in ((title, True), (main, False)):
            letters = _letters(text)
            if len(_WORD.findall(text)) >= 3 and len(letters) >= _LETTERS and (whole or main != title):
                self._by_head[letters[:_HEAD]].append(_Title(letters, whole, document))

    def begun_with(self, title: str) -> Iterator[Document]:
        """Yield documents whose title begins with ``title`` if that is long: people leave out the end of titles."""
        letters = _letters(title)
        if len(letters) >= _LONG:
            for held in self._by_head.get(letters[:_HEAD], ()):
                if held.letters.startswith(letters):
                    yield held.document

    def find(self, entry: str) -> Iterator[tuple[Document, bool, str]]:
        """Yield for each title in the entry: the document, whether its whole title is there, and the text before it."""
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
    """Return where a title that begins at ``start`` ends, or None if that is inside a word."""
    count = 0
    for index in range(start, len(entry)):
        count += len(_letters(entry[index]))
        if count >= len(letters):
            after = entry[index + 1 : index + 2]
            return None if after.isalnum() else index + 1
    return None
