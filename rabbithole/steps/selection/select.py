"""Selects the answer: opens candidates, scores their sentences and ranks the units with a calibrated probability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.notation.codes import codes

from .expected import figure_asked, states_figure
from .limits import highest
from .models import AnswerCandidate, QuestionPart, RankedUnit, ScoredSpan, Selection, SelectionStatus
from .ranker import Ranker, load, sigmoid
from .scoring import ScoredSentences, scored
from .sentence_rows import Row
from .short_rows import wordless
from .text_vectors import TextVectors
from .units.candidate_units import Opened, open_units
from .units.code_rows import with_rows_asked
from .units.debris import is_debris, is_title
from .weighted_question import Question, Rarity

KEPT = 12
ANSWER_WORDS = 100
"""Maximum number of words of units that are quoted together."""
FIGURELESS = 2.0
"""Log-odds by which a sentence without the figure or the words asked for is less likely what answers in its unit."""
SHORT, SURER = 5, 0.9
"""A question of fewer than ``SHORT`` words is answered from this probability on: many passages have all of them."""
_ANSWERS = 0.6
"""A unit is quoted beside the best one if it has at least this share of the best unit's probability."""


def select(
    kb: KnowledgeBase, part: QuestionPart, candidates: Sequence[AnswerCandidate], *, vectors: TextVectors | None = None
) -> Selection:
    """Return what answers a part of a question among the candidates, with a calibrated probability. Deterministic."""
    return select_units(part, open_units(kb, candidates), kb.rarity, vectors or TextVectors.of(kb))


def select_units(
    part: QuestionPart,
    opened: Sequence[Opened],
    rarity: Rarity,
    vectors: TextVectors | None = None,
    ranker: Ranker | None = None,
) -> Selection:
    """Do the same as ``select`` for units that are already open; without ``vectors``, from their words alone."""
    ranker = ranker or load()
    question = Question(part, rarity)
    found = scored(question, with_rows_asked(opened, codes(part.text)), vectors, ranker)
    if not found.sentences:
        return Selection(part=part)
    best = found.sentences[int(np.argmax(found.scores))]
    limit = highest(question, found.units[best.opened], best.text, ranker.answered)
    probability = min(ranker.probability(found.facts), limit)
    figure = figure_asked(part)
    beside = wordless(found.sentences, {term.stem: term.weight for term in part.terms}, part.language)
    without = [
        none or (figure is not None and not states_figure(figure, row.text, part.text))
        for none, row in zip(beside, found.sentences, strict=True)
    ]
    ranked = _ranked(found, probability, without)
    if ranked[0].unit != found.units[best.opened].unit:  # the best unit says nothing
        probability = ranked[0].probability
    status: SelectionStatus = (
        "answered"
        if probability >= answered_from(part, ranker.answered)
        else "partly"
        if probability >= ranker.partly
        else "none"
    )
    return Selection(
        part=part,
        units=tuple(ranked[:KEPT]),
        shown=_shown(ranked),
        probability=round(probability, 4),
        status=status,
    )


def answered_from(part: QuestionPart, usual: float) -> float:
    """Return the probability from which on a part is answered; ``usual`` unless the question is short."""
    return max(usual, SURER) if len(part.terms) + len(part.context) < SHORT else usual


def _ranked(chosen: ScoredSentences, probability: float, without: Sequence[bool]) -> list[RankedUnit]:
    """Return the units, best first; of their sentences, those ``without`` the figure or words asked for come last.

    Units that say nothing, such as lines of contents, are rated with the others, as the weights were learned with them,
    but are returned only if there are no others.
    """
    sentences, scores = chosen.sentences, chosen.scores
    chances = sigmoid(scores - FIGURELESS * np.array(without, dtype=float))
    best = float(scores.max())
    found: dict[int, list[tuple[Row, float, float]]] = {}
    for row, score, chance in zip(sentences, scores, chances, strict=True):
        found.setdefault(row.opened, []).append((row, float(score), float(chance)))
    ranked: list[RankedUnit] = []
    telling = {index for index in found if not _says_nothing(chosen.units[index])} or set(found)
    for index, own in found.items():
        if index not in telling:
            continue
        one = chosen.units[index]
        score = max(each for _, each, _ in own)
        spans = sorted(
            (ScoredSpan(start=one.unit.start + row.start, end=one.unit.start + row.end, score=round(chance, 4))
             for row, _, chance in own),
            key=lambda span: (-span.score, span.start),
        )  # fmt: skip
        relative = float(sigmoid(np.array(score - best))) * 2
        ranked.append(
            RankedUnit(
                unit=one.unit,
                score=round(score, 4),
                probability=round(min(1.0, probability * relative), 4),
                sentences=tuple(spans),
                candidate=one.position,
            )
        )
    return sorted(ranked, key=lambda each: (-each.score, each.candidate, each.unit.start))


def _says_nothing(one: Opened) -> bool:
    """Return whether a unit is a line of contents, a masthead, or the title of its document with a date."""
    return is_debris(one.unit.text) or is_title(one.unit.text, one.title)


def _shown(ranked: Sequence[RankedUnit]) -> int:
    """Return how many of the first units to quote together: nearly as good, of the same section, and short enough."""
    if not ranked:
        return 0
    first = ranked[0]
    words = 0
    for count, one in enumerate(ranked):
        words += len(one.unit.text.split()) + len(one.unit.head.split())
        beside = one.unit.document == first.unit.document and one.unit.section == first.unit.section
        if count and (words > ANSWER_WORDS or not beside or one.probability < _ANSWERS * first.probability):
            return count
    return len(ranked)
