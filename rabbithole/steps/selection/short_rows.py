"""Which items of a list of keywords a question is about: those with its own words, not those scored like a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rabbithole.steps.reasoning.text.terms import stem_set

from .sentence_rows import Row

LONGEST = 8
"""Maximum number of words of an item that is no sentence: "8 GB of RAM"."""
LEAST_ROWS = 3


def wordless(rows: Sequence[Row], terms: Mapping[str, float], language: str) -> list[bool]:
    """Return for each row whether it has no word of the question while another item of its short list has one.

    ``terms``: the stems of the question with their weights.
    """
    lists: dict[int, list[int]] = {}
    for at, row in enumerate(rows):
        lists.setdefault(row.opened, []).append(at)
    found = [False] * len(rows)
    for own in lists.values():
        if len(own) < LEAST_ROWS or any(len(rows[at].text.split()) > LONGEST for at in own):
            continue
        said = {at: sum(terms.get(stem, 0.0) for stem in stem_set(rows[at].text, language)) for at in own}
        for at in own:
            found[at] = not said[at] and max(said.values()) > 0
    return found
