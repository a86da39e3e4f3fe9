"""Add missing citations: a sentence without a source gets the keys of the finding it restates.

Small models often repeat a finding without its source. RARR (Gao et al. 2023) attributes text afterwards by searching;
here only the findings given to the writer are considered. Each sentence is still checked against its source later.
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

_SAID_AGAIN = 0.8  # minimum share of a sentence's words, except those of the question, found in the finding
_SAME_FIGURE = 0.5  # the same if both have the same figure: "zehn Jahre" in other words
_LEAST_WORDS = 3  # "Das Landesamt für Umwelt." is an answer
_NEGATION = re.compile(r"\b(?:nicht|kein\w*|nie|niemals|ohne|not|no|none|never|without|cannot|\w+n't)\b", re.IGNORECASE)
_NO_PROSE = ("#", "|", "```")


class _Said(Model):
    """The features by which two texts are compared."""

    words: frozenset[str]
    figures: frozenset[str]
    counted: Figures
    denies: bool

    @property
    def numbers(self) -> frozenset[str]:
        """All its numbers, including those in words."""
        return self.figures | {number for number, _ in self.counted}


class Credit:
    """The findings a report is written from, with their keys, to attribute sentences that restate them."""

    def __init__(self, findings: Sequence[str], question: str, language: str, silent: str = "") -> None:
        """``silent`` is a heading whose section gets no citations."""
        self._language, self._silent = language, silent.casefold()
        self._asked = stem_set(question, language)
        self._told = [(self._said(finding), keys) for finding in findings if (keys := _keys(finding))]
        self._here = ""

    def part(self, text: str) -> str:
        """Return the next part of the report, with keys added to sentences in lines that have none."""
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
        """Return the keys of the finding that matches most of the sentence, with the same figures and negation."""
        own = said.words - self._asked - said.figures
        if not own and not said.figures:
            return ""  # it only repeats the question
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
    """Yield the parts with citations added to sentences that restate a finding."""
    async for part in parts:
        yield credit.part(part)


def _least(said: _Said, told: _Said) -> float:
    """Return the share of words from which one text counts as restating the other."""
    return _SAME_FIGURE if said.counted and said.counted <= told.counted else _SAID_AGAIN


def _keys(text: str) -> str:
    return " ".join(dict.fromkeys(found.group(0) for found in KEYS.finditer(text)))
