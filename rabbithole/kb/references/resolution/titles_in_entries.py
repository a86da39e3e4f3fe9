"""Finds held works whose title occurs in a bibliography entry, whatever the entry's style.

Styles differ in where the names end and the title begins, but a known title can be found as a whole. Titles are
compared by their letters, so that hyphens and spaces do not matter, and looked up by their first letters, so that the
cost is linear in the length of the entry and does not depend on the number of titles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rabbithole.kb.references.names.stored.name_tables import TitleHead
from rabbithole.kb.references.names.stored.title_keys import HEAD, letters

_LONG = 30
"""Letters of an entry's title from which on it may be only the beginning of a held title."""
_BEFORE = re.compile(r"(?:\A|[.,:;)\]\"“”„‘’'–—-]|\d)\s*(?:(?:The|An?|Der|Die|Das)\s)?\Z", re.I)
_AFTER = re.compile(r"\s*(?:\Z|[.,:;?!\"“”’'(\[–—-]|(?:In|Proc|Proceedings|ACM|IEEE|Technical|Tech)\b)")
_WORD = re.compile(r"[^\W_]+")


Heads = Callable[[Collection[str]], Mapping[str, Sequence[TitleHead]]]
"""Titles of held documents by their first letters."""


class TitleFinder:
    """Looks up all titles that an entry may contain in one query."""

    def __init__(self, beginning: Heads) -> None:
        self._beginning = beginning

    def begun_with(self, title: str) -> Iterator[str]:
        """Yield documents whose title begins with ``title`` if that is long: people leave out the end of titles."""
        asked = letters(title)
        if len(asked) >= _LONG:
            for held in self._beginning([asked[:HEAD]]).get(asked[:HEAD], ()):
                if held.letters.startswith(asked):
                    yield held.document

    def find(self, entry: str) -> Iterator[tuple[str, bool, str]]:
        """Yield for each title in the entry: the document, whether its whole title is there, and the text before it."""
        starts = [
            (match.start(), letters(entry[match.start() : match.start() + 400])) for match in _WORD.finditer(entry)
        ]
        by_head = self._beginning({rest[:HEAD] for _, rest in starts})
        for start, rest in starts:
            for title in by_head.get(rest[:HEAD], ()):
                end = _end(entry, start, title.letters) if rest.startswith(title.letters) else None
                if end is not None and _BEFORE.search(entry[:start]) and _AFTER.match(entry, end):
                    yield title.document, title.whole, entry[:start]


def _end(entry: str, start: int, title: str) -> int | None:
    """Return where a title that begins at ``start`` ends, or None if that is inside a word."""
    count = 0
    for index in range(start, len(entry)):
        count += len(letters(entry[index]))
        if count >= len(title):
            after = entry[index + 1 : index + 2]
            return None if after.isalnum() else index + 1
    return None
