"""Says which files of the collections searched could not be read, first those that bear on the question."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

from rabbithole.steps.phrases import counted, phrase
from rabbithole.steps.reasoning.text.terms import stems

from .plain_text import plain

SHOWN = 5
"""Most files named; the others are counted."""
_LEAST_LETTERS = 5
"""Letters that a word of a file's name has to share with one of the question: 'Promotion', 'Promotionsordnung'."""
_PARTS = re.compile(r"[\W_]+")
_SPELT: dict[int, str] = {ord(sign): spelt for sign, spelt in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))}


def unread_said(files: Sequence[str], language: str) -> str:
    """Return one sentence as Markdown, or '' if all files were read."""
    if not files:
        return ""
    names, more = plain(", ".join(files[:SHOWN])), len(files) - SHOWN
    if more > 0:
        names = phrase(language, "report.front.more", names=names, count=more)
    return counted(language, "report.unread", len(files), names=names)


def near_first(files: Sequence[str], near: Collection[str]) -> tuple[str, ...]:
    """Return all files, first those in ``near``: the same files are named wherever the report names any."""
    return (*(file for file in files if file in near), *(file for file in files if file not in near))


def relevant_unread(files: Sequence[str], query: str, language: str, *, answered: bool) -> tuple[str, ...]:
    """Return the files that the question names and, if it is not answered, those with a name like its words."""
    asked = stems(query, language)
    return tuple(
        file
        for file in files
        if (words := _words(file, language))
        and (_named(file, query) or (not answered and any(_alike(word, other) for word in words for other in asked)))
    )


def _words(file: str, language: str) -> tuple[str, ...]:
    return stems(_PARTS.sub(" ", PurePosixPath(file).stem), language)


def _named(file: str, query: str) -> bool:
    """Return whether the question contains the file's name, with or without its ending, however it is separated."""
    said = f" {_plain(query)} "
    return any(f" {_plain(name)} " in said for name in (PurePosixPath(file).name, PurePosixPath(file).stem))


def _plain(text: str) -> str:
    return _PARTS.sub(" ", text.casefold().translate(_SPELT)).strip()


def _alike(word: str, other: str) -> bool:
    """Return whether two stems are the same word or one is the beginning of the other, as in a German compound."""
    shorter, longer = sorted((word, other), key=len)
    return len(shorter) >= _LEAST_LETTERS and longer.startswith(shorter)
