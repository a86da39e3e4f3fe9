"""Passages cut to what speaks of the question before a model reads them: most of a long section does not.

Whole sentences only, in their order, gaps marked by "[…]". The heading a passage begins with is left out: ``where``
names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.reasoning.extractive.dig import LONGEST_QUOTE
from rabbithole.steps.reasoning.extractive.sentence_scores import heading_end, is_statement, score_sentences
from rabbithole.steps.reasoning.protocol import Passage
from rabbithole.steps.reasoning.text.sentences import Sentence, sentences_after
from rabbithole.steps.reasoning.text.similarity import Meaning

from .prompt_delimiters import without_orders

CHARACTERS = 750  # of a passage that a model reads
FOLLOWED = 600  # ... of one that a reference led to: the place is known, what it says of the question is looked for
GAP = "[…]"


class Cut(Model):
    """What is left of a passage: sentences of it, verbatim, and before which of them something is left out."""

    passage: Passage
    sentences: tuple[Sentence, ...] = ()
    gaps: frozenset[int] = frozenset()
    """Positions of sentences; one past the last: something is left out at the end."""
    scores: Mapping[int, float] = {}
    """Start of a sentence -> how well its words answer."""

    @property
    def quotable(self) -> tuple[Sentence, ...]:
        """The sentences one could quote: no headings, no drawings, none too long."""
        return tuple(one for one in self.sentences if is_statement(one) and len(one.text) <= LONGEST_QUOTE)

    def lines(self, numbers: Mapping[int, int]) -> str:
        """A line a sentence; those whose start has a number begin with it."""
        shown: list[str] = []
        for position, sentence in enumerate(self.sentences):
            shown += [GAP] if position in self.gaps else []
            mark = f"s{numbers[sentence.start]}: " if sentence.start in numbers else ""
            shown.append(f"{mark}{sentence.flat}")
        return "\n".join([*shown, GAP] if len(self.sentences) in self.gaps else shown)


def trimmed(
    question: str, task: str, language: str, passages: Sequence[Passage], characters: int | None = None
) -> tuple[Cut, ...]:
    """The passages without what speaks to machines, none much longer than ``characters`` (None: by their depth)."""
    passages = [item.model_copy(update={"text": without_orders(item.text)}) for item in passages]
    scored = score_sentences(question, task, language, passages, Meaning(None))
    scores = {(item.passage, item.sentence.start): item.score for item in scored}
    limits = [characters or (FOLLOWED if passage.depth else CHARACTERS) for passage in passages]
    return tuple(
        _cut(passage, {start: score for (number, start), score in scores.items() if number == index}, limit)
        for index, (passage, limit) in enumerate(zip(passages, limits, strict=True))
    )


def _cut(passage: Passage, scores: dict[int, float], characters: int) -> Cut:
    first = heading_end(passage)
    every = sentences_after(passage.text, first)
    kept: set[int] = set()
    left = characters
    for position in sorted(range(len(every)), key=lambda number: (-scores.get(every[number].start, 0.0), number)):
        if len(every[position].text) <= left or not kept:
            kept.add(position)
            left -= len(every[position].text)
    shown = sorted(kept)
    gaps = {place for place, position in enumerate(shown) if position != (shown[place - 1] + 1 if place else 0)}
    if shown and shown[-1] != len(every) - 1:
        gaps.add(len(shown))
    return Cut(
        passage=passage, sentences=tuple(every[position] for position in shown), gaps=frozenset(gaps), scores=scores
    )
