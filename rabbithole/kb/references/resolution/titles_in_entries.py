"""Held works whose title stands in an entry of a list of literature, whatever the style around it.

Where names end and a title begins differs by style; that a known title stands there as a whole does not. Titles are
compared by their letters, so that hyphens and blanks do not matter, and found by their first letters: the cost of an
entry is linear in its length, whatever the number of titles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rabbithole.kb.references.names.name_tables import TitleHead
from rabbithole.kb.references.names.title_keys import HEAD, letters

_LONG = 30
"""Letters of an entry's title from which the beginning of a held title is enough."""
_BEFORE = re.compile(r"(?:\A|[.,:;)\]\"“”„‘’'–—-]|\d)\s*(?:(?:The|An?|Der|Die|Das)\s)?\Z", re.I)
_AFTER = re.compile(r"\s*(?:\Z|[.,:;?!\"“”’'(\[–—-]|(?:In|Proc|Proceedings|ACM|IEEE|Technical|Tech)\b)")
_WORD = re.compile(r"[^\W_]+")


Heads = Callable[[Collection[str]], Mapping[str, Sequence[TitleHead]]]
"""Titles of held documents by their first letters."""


class TitleFinder:
    """Asks for the titles that an entry may hold, all at once."""

    def __init__(self, beginning: Heads) -> None:
        self._beginning = beginning

    def begun_with(self, title: str) -> Iterator[str]:
        """Documents whose title begins with an entry's, as long as it is: people leave out a title's end."""
        asked = letters(title)
        if len(asked) >= _LONG:
            for held in self._beginning([asked[:HEAD]]).get(asked[:HEAD], ()):
                if held.letters.startswith(asked):
                    yield held.document

    def find(self, entry: str) -> Iterator[tuple[str, bool, str]]:
        """(document, whether its whole title stands there, what stands before it), for each title in the entry."""
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
    """Where a title that begins at ``start`` ends: all its letters, and the end of a word."""
    count = 0
    for index in range(start, len(entry)):
        count += len(letters(entry[index]))
        if count >= len(title):
            after = entry[index + 1 : index + 2]
            return None if after.isalnum() else index + 1
    return None
