"""Compare texts word by word, ignoring line breaks and spaces."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Indel

from .models import WordChange, Words

LEAST_SAME = 2
"""Fewer unchanged words between changed ones are shown as part of the change, because they mean little ("the")."""


def compare_words(old: str, new: str) -> tuple[Words, ...]:
    """Return the runs of words in reading order; removed words come before those that replaced them."""
    before, after = old.split(), new.split()
    runs: list[tuple[WordChange, list[str]]] = []
    for step in Indel.opcodes(before, after):
        if step.tag == "equal":
            runs.append(("same", after[step.dest_start : step.dest_end]))
        elif step.tag == "delete":
            runs.append(("removed", before[step.src_start : step.src_end]))
        else:
            runs.append(("added", after[step.dest_start : step.dest_end]))
    return tuple(Words(change=change, text=" ".join(words)) for change, words in _gathered(runs))


def _gathered(runs: Sequence[tuple[WordChange, list[str]]]) -> list[tuple[WordChange, list[str]]]:
    """Merge changes with hardly a word between them: first everything removed, then everything added."""
    result: list[tuple[WordChange, list[str]]] = []
    removed: list[str] = []
    added: list[str] = []

    def close() -> None:
        if removed:
            result.append(("removed", list(removed)))
        if added:
            result.append(("added", list(added)))
        removed.clear()
        added.clear()

    for index, (change, words) in enumerate(runs):
        if change == "removed":
            removed += words
        elif change == "added":
            added += words
        elif 0 < index < len(runs) - 1 and len(words) < LEAST_SAME:
            removed += words
            added += words
        else:
            close()
            result.append(("same", words))
    close()
    return result
