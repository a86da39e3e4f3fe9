"""Sources for sentences of a report that name none: those of the finding they say again.

Small models write what they were given and leave out where it stands. Attribution after the fact is what RARR (Gao et
al. 2023) does by searching; here only findings the writer was given count. Every sentence is checked against its
source later all the same.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence

from ....kb.models import Model
from ..conflict import conflicts
from ..similarity import coverage
from ..terms import stem_set
from ..text import sentences
from .dig import figures
from .labels import KEYS

_SAID_AGAIN = 0.8  # share of a sentence's words, beside those of the question, that stand in the finding
_LEAST_WORDS = 3  # "Das Landesamt für Umwelt." is an answer
_NEGATION = re.compile(r"\b(?:nicht|kein\w*|nie|niemals|ohne|not|no|none|never|without|cannot|\w+n't)\b", re.IGNORECASE)
_NO_PROSE = ("#", "|", "```")


class _Said(Model):
    """A text as it is compared."""

    text: str
    words: frozenset[str]
    figures: frozenset[str]
    denies: bool


class Credit:
    """The findings a report is written from, each with its keys, by which its sentences are told again."""

    def __init__(self, findings: Sequence[str], question: str, language: str, silent: str = "") -> None:
        """``silent`` is a heading under which nothing is said of sources."""
        self._language, self._silent = language, silent.casefold()
        self._asked = stem_set(question, language)
        self._told = [(self._said(finding), keys) for finding in findings if (keys := _keys(finding))]
        self._here = ""

    def part(self, text: str) -> str:
        """The next part of the report, with keys behind the sentences of lines that have none."""
        return "\n".join(map(self._line, text.split("\n")))

    def _line(self, line: str) -> str:
        if line.lstrip().startswith("#"):
            self._here = line.strip(" #*:").casefold()
        quiet = bool(self._silent) and self._here == self._silent
        if quiet or KEYS.search(line) or line.lstrip().startswith(_NO_PROSE):
            return line
        for sentence in reversed(sentences(line)):
            if len(sentence.flat.split()) >= _LEAST_WORDS and (keys := self._source(self._said(sentence.flat))):
                line = f"{line[: sentence.end]} {keys}{line[sentence.end :]}"
        return line

    def _source(self, said: _Said) -> str:
        """The keys of the finding that has nearly all the sentence's own words, all its figures and its negation."""
        own = said.words - self._asked
        if not own and not said.figures:
            return ""  # the question again
        fitting = [
            (coverage(own, told.words) if own else 1.0, coverage(told.words, said.words), keys)
            for told, keys in self._told
            if said.figures <= told.figures and said.denies == told.denies and not conflicts(said.text, told.text)
        ]
        share, _, keys = max(fitting, default=(0.0, 0.0, ""))
        return keys if share >= _SAID_AGAIN else ""

    def _said(self, text: str) -> _Said:
        bare = KEYS.sub("", text)
        return _Said(
            text=bare,
            words=stem_set(bare, self._language),
            figures=figures(bare),
            denies=bool(_NEGATION.search(bare)),
        )


async def credited(parts: AsyncIterator[str], credit: Credit) -> AsyncIterator[str]:
    """The parts with sources behind sentences that say a finding again."""
    async for part in parts:
        yield credit.part(part)


def _keys(text: str) -> str:
    return " ".join(dict.fromkeys(found.group(0) for found in KEYS.finditer(text)))
