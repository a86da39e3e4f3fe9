"""Passages cut to what speaks of the question before a model reads them: most of a long section does not.

Whole sentences only, in their order, gaps marked by "[…]"; quotations taken from what is left stay verbatim.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..extractive.sentences import heading_end, score_sentences
from ..fence import without_orders
from ..protocol import Passage
from ..similarity import Meaning
from ..text import Sentence, sentences

CHARACTERS = 750  # of a passage that a model reads
FOLLOWED = 600  # ... of one that a reference led to: the place is known, what it says of the question is looked for
_GAP = " […] "


def trimmed(
    question: str, task: str, language: str, passages: Sequence[Passage], characters: int | None = None
) -> tuple[Passage, ...]:
    """The passages without what speaks to machines, none much longer than ``characters`` (None: by their depth)."""
    passages = [item.model_copy(update={"text": without_orders(item.text)}) for item in passages]
    scored = score_sentences(question, task, language, passages, Meaning(None))
    scores = {(item.passage, item.sentence.start): item.score for item in scored}
    limits = [characters or (FOLLOWED if passage.depth else CHARACTERS) for passage in passages]
    return tuple(
        passage
        if len(passage.text) <= limit
        else _cut(passage, {start: score for (number, start), score in scores.items() if number == index}, limit)
        for index, (passage, limit) in enumerate(zip(passages, limits, strict=True))
    )


def _cut(passage: Passage, scores: dict[int, float], characters: int) -> Passage:
    every = sentences(passage.text)
    first = heading_end(passage)
    order = sorted(every, key=lambda item: (item.end > first and -scores.get(item.start, 0.0), item.start))
    kept: list[Sentence] = []
    left = characters
    for item in order:
        if len(item.text) <= left or not kept:
            kept.append(item)
            left -= len(item.text)
    kept.sort(key=lambda item: item.start)
    parts: list[str] = []
    end = 0
    for item in kept:
        between = passage.text[end : item.start]
        parts.append(between if not between.strip() else _GAP)
        parts.append(item.text)
        end = item.end
    return passage.model_copy(update={"text": "".join(parts) + (_GAP.rstrip() if passage.text[end:].strip() else "")})
