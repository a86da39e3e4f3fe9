"""Find what an abbreviation stands for in the document that uses it: 'Betriebshandbuch (BHB)', or a line of a list."""

from __future__ import annotations

import re

_LONGEST = 14
"""Maximum number of words of a spelled-out name before '(ABC)'."""
_MOST = 20
"""Maximum number of occurrences of an abbreviation that are examined."""


def spelled_out(text: str, abbreviation: str) -> tuple[str, ...]:
    """Return the names that an abbreviation may stand for in ``text``, longest first at each place.

    They are candidates: the caller checks which of them is the name of a work.
    """
    found: list[str] = []
    quoted = re.escape(abbreviation)
    lead = r"(?:(?:im Folgenden|nachfolgend|kurz|hereinafter|abbreviated)\s?(?:as|auch|nur|:)?\s?)?"
    defined = re.compile(r"([^()\n]{4,200}?(?:\n[^()\n]{0,120}?)?)\s?\(\s?" + lead + rf"[\"„“‚']?{quoted}[\"“”']?\s?\)")
    listed = re.compile(rf"^[ \t|]*{quoted}[ \t|:–—-]+(?=[^\W\d_])([^\n|]{{4,160}}?)[ \t|]*$", re.M)
    for number, place in enumerate(re.finditer(rf"(?<!\w){quoted}(?!\w)", text)):
        if number >= _MOST:
            break
        around = text[max(0, place.start() - 220) : place.end() + 3]
        if definition := next(iter(list(defined.finditer(around))[-1:]), None):
            words = definition[1].split()[-_LONGEST:]
            found += [" ".join(words[first:]) for first in range(len(words))]
        line_start = text.rfind("\n", 0, place.start()) + 1
        if line := listed.match(text, line_start):
            found.append(" ".join(line[1].split()))
    return tuple(dict.fromkeys(found))
