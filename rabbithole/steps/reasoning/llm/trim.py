"""Cut passages to the sentences relevant to the question before a model reads them.

Sentences stay whole and in order; gaps are marked by "[…]". The heading at the start of a passage is left out, because
``where`` names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.reasoning.extractive.dig import LONGEST_QUOTE
from rabbithole.steps.reasoning.extractive.sentence_scores import heading_end, is_statement, score_sentences
from rabbithole.steps.reasoning.protocol import Passage
from rabbithole.steps.reasoning.text.prompt_injection import without_orders
from rabbithole.steps.reasoning.text.sentences import Sentence, sentences_after
from rabbithole.steps.reasoning.text.similarity import Meaning

CHARACTERS = 750  # maximum number of characters of a passage that a model reads
FOLLOWED = 600  # the same for a followed place, of which only what concerns the question is wanted
GAP = "[…]"


class Cut(Model):
    """The verbatim sentences left of a passage, and the positions before which something was left out."""

    passage: Passage
    sentences: tuple[Sentence, ...] = ()
    gaps: frozenset[int] = frozenset()
    """Positions of sentences with a gap before them; the position after the last means a gap at the end."""
    scores: Mapping[int, float] = {}
    """Start of a sentence -> its score as an answer."""

    @property
    def quotable(self) -> tuple[Sentence, ...]:
        """The sentences that may be quoted: statements that are not too long."""
        return tuple(one for one in self.sentences if is_statement(one) and len(one.text) <= LONGEST_QUOTE)

    def lines(self, numbers: Mapping[int, int]) -> str:
        """Return one line per sentence; ``numbers`` maps the start of a sentence to the number put before it."""
        shown: list[str] = []
        for position, sentence in enumerate(self.sentences):
            shown += [GAP] if position in self.gaps else []
            mark = f"s{numbers[sentence.start]}: " if sentence.start in numbers else ""
            shown.append(f"{mark}{sentence.flat}")
        return "\n".join([*shown, GAP] if len(self.sentences) in self.gaps else shown)


def trimmed(
    question: str, task: str, language: str, passages: Sequence[Passage], characters: int | None = None
) -> tuple[Cut, ...]:
    """Return the passages cut to about ``characters`` (None: by their depth), without text that addresses a model."""
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
