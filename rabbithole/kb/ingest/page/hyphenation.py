"""Joins lines: hyphenation at line ends is undone, real and suspended hyphens are kept."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

SOFT_HYPHEN = "\u00ad"
LONGEST = 120
_HYPHENS = ("-", "\u2010", SOFT_HYPHEN)
_ENDING = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)[-\u2010\u00ad]$")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_DIVIDED = re.compile(r"(?<![\w-])((?:[^\W\d_]+-)*[^\W\d_]{2,}-) ([a-zäöüß]{2,}(?!\w))")
_WHOLE = re.compile(r"(?<![^\W_])(?<!- )[^\W\d_]+(?:[-\u2010][^\W\d_]+)*(?!\w|[-\u2010\u00ad](?:\s|$))")
"""A word that is no part of one divided at the end of a line, or in a cell of a table."""
_CAPITAL_WITHIN = re.compile(r"[^\W\d_A-ZÄÖÜ][A-ZÄÖÜ]")
_SUSPENDED = re.compile(r"(?:und|oder|bzw|beziehungsweise|sowie|bis|noch|als|wie|and|or|nor|to|as|versus|vs)\b")
_ADDRESS = re.compile(r"[\w+.-]+://|www\.|[~.]{0,2}/|.*/.*/$")
_IN_ADDRESS = re.compile(r"[/_=?&#%~$]|\w\.\w|[a-z]\w*-\w|-\w+-")


def _goes_on(last: str, following: str) -> bool:
    """Return whether an address or two words divided by "/", broken after the slash, go on in the next line's word.

    A path may end with its line ("/usr/local/bin/" / "ab"), so a plain word does not belong to it.
    """
    if not _ADDRESS.match(last.lstrip("(<[\"'»„“‘")):
        return bool(_LETTER_OR_DIGIT.search(last)) and not following.startswith("•")
    if last.endswith("://") or following.startswith((")", ".", ",", ";", ":")):
        return True
    core = following.rstrip(".,;:!?)]>\"'”“«»")
    if (not core[:1].isalnum() and core[:1] not in ("_", "$", "#", "?", "-")) or _ADDRESS.match(core):
        return False
    if last.count("(") > last.count(")") and following.count(")") > following.count("("):
        return True
    path = "://" not in last and not last.startswith("www.")
    return bool(_IN_ADDRESS.search(core)) or (path and len(core) > 2 and core.isupper())


class Hyphens:
    """Decides, from the words seen inside lines, whether a hyphen at a line's end belongs to the word."""

    def __init__(self, lines: Iterable[str], *, keep_unknown: bool = False) -> None:
        """``keep_unknown``: unknown hyphens are kept because the text is not hyphenated (typewritten text)."""
        self._plain: set[str] = set()
        self._hyphenated: set[str] = set()
        self._capitals_within: set[str] = set()
        self._keep_unknown = keep_unknown
        for line in lines:
            for word in _WHOLE.findall(line):
                (self._hyphenated if "-" in word else self._plain).add(word.casefold())
                if _CAPITAL_WITHIN.search(word):
                    self._capitals_within.add(word)

    def join(self, before: str, after: str, *, typewritten: bool = True) -> tuple[str, str]:
        """Return ``before`` as it should read, and the separator (a blank or nothing) before ``after``.

        ``typewritten``: whether the lines are; in a manual full of programs, those of the prose are not.
        """
        keep = self._keep_unknown and typewritten
        ending = _ENDING.search(before, max(len(before) - LONGEST, 0)) if before.endswith(_HYPHENS) else None
        first = _WORD.match(after)
        if ending is None or first is None:
            if before.endswith("/") and not before.endswith(" /"):
                return before, "" if _goes_on(before.split()[-1], (after.split() or [""])[0]) else " "
            joined = before.endswith(("-", "\u2010", "–")) and not before.endswith((" -", " –"))
            return before.removesuffix(SOFT_HYPHEN), "" if joined and after[:1].isdigit() else " "
        if before.endswith(SOFT_HYPHEN):
            return before[:-1], ""
        if _SUSPENDED.match(after):
            return before, " "
        if first.group()[0].isupper():
            # "Mi-" / "LoG" is hyphenation if the text has "MiLoG" and not "Mi-LoG".
            whole = ending.group(1).rsplit("-", 1)[-1] + first.group()
            kept = f"{ending.group(1)}-{first.group()}".casefold() in self._hyphenated
            if whole in self._capitals_within and not kept:
                return before[:-1], ""
            # "STRAHLEN-" / "SCHUTZ" is hyphenation; "Strahlenschutz-" / "Verordnung" is a compound.
            shouting = ending.group(1).isupper() and first.group().isupper() and len(first.group()) > 2
            return (before[:-1], "") if shouting and not keep else (before, "")
        tail, head = ending.group(1).casefold(), first.group().casefold()
        last = tail.rsplit("-", 1)[-1]
        if last + head in self._plain or tail + head in self._hyphenated:
            return before[:-1], ""
        if f"{tail}-{head}" in self._hyphenated or f"{last}-{head}" in self._hyphenated or keep:
            return before, ""
        return before[:-1], ""

    def within(self, row: str) -> str:
        """Return a table's row, whose cells hold several lines joined with blanks, with its hyphenation undone."""

        def joined(found: re.Match[str]) -> str:
            before, after = found[1], found[2]
            left, separator = self.join(before, after)
            halves = before.rstrip("-").rsplit("-", 1)[-1].casefold(), after.casefold()
            if left != before and "".join(halves) not in self._plain and self._plain.issuperset(halves):
                return before + after  # two words that occur by themselves: "security-" / "relevant"
            return left + separator + after

        return _DIVIDED.sub(joined, row)

    def mend(self, text: str, lines: Sequence[str], *, typewritten: bool = True) -> str:
        """Return a heading of several lines, joined with blanks, with its hyphenation undone."""
        for before, after in itertools.pairwise(lines):
            left, separator = self.join(before, after, typewritten=typewritten)
            if left != before or not separator:
                text = text.replace(
                    f"{before.split()[-1]} {after.split()[0]}", f"{left.split()[-1]}{separator}{after.split()[0]}"
                )
        return text
