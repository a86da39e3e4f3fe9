"""Sources for sentences of a report that name none: those of the finding they say again.

Small models write what they were given and leave out where it stands. Attribution after the fact is what RARR (Gao et
al. 2023) does by searching; here only findings the writer was given count. Every sentence is checked against its
source later all the same.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.reasoning.text.figure_mismatch import differ
from rabbithole.steps.reasoning.text.figures import Figures, counted, numbers
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import stem_set

from .evidence_labels import KEYS

_SAID_AGAIN = 0.8  # share of a sentence's words, beside those of the question, that stand in the finding
_SAME_FIGURE = 0.5  # the same where both count the same: "zehn Jahre" in other words
_LEAST_WORDS = 3  # "Das Landesamt für Umwelt." is an answer
_NEGATION = re.compile(r"\b(?:nicht|kein\w*|nie|niemals|ohne|not|no|none|never|without|cannot|\w+n't)\b", re.IGNORECASE)
_NO_PROSE = ("#", "|", "```")


class _Said(Model):
    """A text as it is compared."""

    words: frozenset[str]
    figures: frozenset[str]
    counted: Figures
    denies: bool

    @property
    def numbers(self) -> frozenset[str]:
        """All its numbers, those in words too."""
        return self.figures | {number for number, _ in self.counted}


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
        """The keys of the finding that says most of it again, with its figures and its negation."""
        own = said.words - self._asked - said.figures
        if not own and not said.figures:
            return ""  # the question again
        fitting = [
            (share, coverage(told.words, said.words), keys)
            for told, keys in self._told
            if said.figures <= told.numbers and said.denies == told.denies and not differ(said.counted, told.counted)
            if (share := coverage(own, told.words) if own else 1.0) >= _least(said, told)
        ]
        return max(fitting, default=(0.0, 0.0, ""))[-1]

    def _said(self, text: str) -> _Said:
        bare = KEYS.sub("", text)
        return _Said(
            words=stem_set(bare, self._language),
            figures=numbers(bare),
            counted=counted(bare),
            denies=bool(_NEGATION.search(bare)),
        )


async def credited(parts: AsyncIterator[str], credit: Credit) -> AsyncIterator[str]:
    """The parts with sources behind sentences that say a finding again."""
    async for part in parts:
        yield credit.part(part)


def _least(said: _Said, told: _Said) -> float:
    """The share of words from which one says the other again."""
    return _SAME_FIGURE if said.counted and said.counted <= told.counted else _SAID_AGAIN


def _keys(text: str) -> str:
    return " ".join(dict.fromkeys(found.group(0) for found in KEYS.finditer(text)))
