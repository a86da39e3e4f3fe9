"""Align the sections of two editions by their words, numbers and headings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz

ALIKE = 60.0
"""Likeness (0-100) of texts from which a section under another number is the same one, moved."""
KEPT = 25.0
"""Likeness from which a section under its old number is the same one, however much was rewritten."""
LEAST = 40
"""Letters from which equal words alone make two sections one."""
MOST_COMPARED = 4_000
MOST_LONGER = 4.0
LEAST_SHARED = 0.4


class Part(NamedTuple):
    """A section prepared for comparison; ``text`` is its own, without heading and subsections."""

    number: str
    heading: str
    text: str


Pair = tuple[int | None, int | None]


def align(old: Sequence[Part], new: Sequence[Part]) -> list[Pair]:
    """Return pairs of indexes in the order of the new edition; (i, None) was removed, (None, j) added."""
    found: dict[int, int] = {}
    taken: set[int] = set()

    def pair(i: int, j: int) -> None:
        found[j] = i
        taken.add(i)

    def left() -> tuple[list[int], list[int]]:
        return [i for i in range(len(old)) if i not in taken], [j for j in range(len(new)) if j not in found]

    keys: dict[tuple[str, str, str], list[int]] = {}
    for i, part in enumerate(old):
        keys.setdefault((part.number, _squeezed(part.heading), _squeezed(part.text)), []).append(i)
    for j, part in enumerate(new):  # nothing changed
        if same := keys.get((part.number, _squeezed(part.heading), _squeezed(part.text))):
            pair(same.pop(0), j)
    if old and new and not (old[0].number or new[0].number) and 0 not in taken and 0 not in found:
        pair(0, 0)  # what stands before the first section
    for accepts in (_same_place, _equal_words):
        ours, theirs = left()
        for j in theirs:
            fitting = [i for i in ours if i not in taken and accepts(old[i], new[j])]
            if fitting:
                pair(fitting[0], j)
    ours, theirs = left()
    likely = sorted((-_likeness(old[i], new[j]), i, j) for i in ours for j in theirs if _may_be_alike(old[i], new[j]))
    for likeness, i, j in likely:
        if -likeness >= ALIKE and i not in taken and j not in found:
            pair(i, j)
    ours, theirs = left()
    for j in theirs:  # rewritten under its number
        same_number = [i for i in ours if i not in taken and new[j].number and old[i].number == new[j].number]
        if len(same_number) == 1 and _likeness(old[same_number[0]], new[j]) >= KEPT:
            pair(same_number[0], j)
    return _in_order(found, len(old), len(new))


def _same_place(old: Part, new: Part) -> bool:
    """Return whether two sections have the same number, and the same heading or a similar one with similar words."""
    if old.number != new.number or not (old.number or old.heading):
        return False
    if old.number and not old.text.strip() and not new.text.strip():  # parts that only hold sections
        return True
    return _squeezed(old.heading) == _squeezed(new.heading) or _likeness(old, new) >= ALIKE


def _equal_words(old: Part, new: Part) -> bool:
    text = _squeezed(old.text)
    return len(text) >= LEAST and text == _squeezed(new.text)


def _may_be_alike(old: Part, new: Part) -> bool:
    """Return whether two texts share enough words; a cheap test before their similarity is computed."""
    one, two = _vocabulary(old.text), _vocabulary(new.text)
    if not one or not two:
        return not one and not two
    return len(one & two) >= LEAST_SHARED * min(len(one), len(two))


@lru_cache(maxsize=4096)
def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text[:MOST_COMPARED].split())


def _likeness(old: Part, new: Part) -> float:
    """Return the similarity of headings and texts, 0-100; texts of very different length are not compared."""
    one, two = old.text[:MOST_COMPARED], new.text[:MOST_COMPARED]
    headings = fuzz.ratio(old.heading.casefold(), new.heading.casefold()) if old.heading and new.heading else 0.0
    if not one.strip() or not two.strip():
        return headings if one.strip() == two.strip() else 0.0
    if not 1 / MOST_LONGER <= len(one) / len(two) <= MOST_LONGER:
        return 0.0
    words = float(fuzz.ratio(one.split(), two.split()))
    return max(words, 0.5 * (words + headings))


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def _in_order(found: dict[int, int], old: int, new: int) -> list[Pair]:
    where = {i: j for j, i in found.items()}
    after: dict[int, list[int]] = {}
    last = -1
    for i in range(old):
        if i in where:
            last = where[i]
        else:
            after.setdefault(last, []).append(i)
    pairs: list[Pair] = [(i, None) for i in after.get(-1, [])]
    for j in range(new):
        pairs.append((found.get(j), j))
        pairs += [(i, None) for i in after.get(j, [])]
    return pairs
