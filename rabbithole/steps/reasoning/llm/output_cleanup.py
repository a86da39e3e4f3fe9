"""Remove what small models copy into a report: lists of sources, lines of the prompt, the question."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence

from rabbithole.steps.language import Supported
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import stem_set

from .evidence_labels import KEYS

# Sections of the report that we generate ourselves.
_OURS = tuple(f"report.{name}.title" for name in ("missing", "skipped", "external", "sources", "checks"))
_LISTS = frozenset(
    "quellenverzeichnis quellenangaben literatur literaturverzeichnis belege belegstellen fundstellen zitate "
    "references bibliography citations evidence quotations".split()
)
_PLACEHOLDER = re.compile(r"#\s*\W*(?:title|titel)\W*", re.IGNORECASE)
"""The title of the output format, copied as it stands: "# (title)"."""
_ASKED_AGAIN = 0.9  # share of a line's words found in the question or a task, from which it is a copy
_ALL_OF_IT = 0.6  # share of the question's or task's words in the line: a line on only a part of it is kept


class OutputCleaner:
    """Cleans one report, part by part."""

    def __init__(self, language: Supported, asked: Sequence[str]) -> None:
        """``asked`` holds the question and the tasks, which do not count as open points."""
        self._language = language
        self._lists = _LISTS | {phrase(language, key).casefold() for key in _OURS}
        self._open = phrase(language, "reasoning.open").casefold()
        self._asked = [stem_set(text, language) for text in asked]
        self._here, self._said = "", True
        self._told = list[frozenset[str]]()

    def part(self, text: str) -> str:
        """Return the part without copied lines; '' if nothing else is left."""
        kept = list[str]()
        for line in text.split("\n"):
            rest = self.rest()
            keeps = self._keeps(line)
            if rest and self._here != self._open:
                kept.append(rest)
            if keeps:
                kept.append(line)
        return "\n".join(kept) if any(line.strip() for line in kept) else ""

    def rest(self) -> str:
        """Return a sentence for the section "open points" if it has been left empty, else ''."""
        return "" if self._said else f"{phrase(self._language, 'reasoning.open_none')}\n"

    def _keeps(self, line: str) -> bool:
        bare = KEYS.sub("", line).strip(" *_:.-\t")
        if _PLACEHOLDER.fullmatch(bare):
            return False
        if bare.startswith("#"):
            self._here = bare.strip("# *_").casefold() if not bare.startswith("# ") else ""
            self._said = self._here != self._open
            return self._here not in self._lists
        if self._here in self._lists:
            return False
        if self._here != self._open or not line.strip():
            self._told += [stem_set(each.text, self._language) for each in sentences(bare)]
            return True
        keeps = not self._copied(bare)
        self._said = self._said or keeps
        return keeps

    def _copied(self, bare: str) -> bool:
        """Return whether a line under "open points" only repeats the question, a task or a sentence of the report."""
        if re.fullmatch(r"\W*|(?i:gaps|task|aufgabe|lücken)\W*", bare):
            return True
        words = stem_set(bare, self._language)
        if not words or words in self._told:
            return bool(words)
        return any(
            coverage(words, asked) >= _ASKED_AGAIN and coverage(asked, words) >= _ALL_OF_IT for asked in self._asked
        )


async def cleaned(parts: AsyncIterator[str], cleaner: OutputCleaner) -> AsyncIterator[str]:
    """Yield the parts without copied lines."""
    async for part in parts:
        if kept := cleaner.part(part):
            yield kept
    if rest := cleaner.rest():
        yield rest
