"""Selects the answer: opens candidates, scores their sentences and ranks the units with a calibrated probability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.text.terms import stems
from rabbithole.steps.reasoning.text.vector_cache import Embed, VectorCache

from .expected import figure_asked, figure_needed, states_figure
from .features import NAMES, features
from .likeness import alike
from .limits import highest
from .models import AnswerCandidate, Figure, QuestionPart, RankedUnit, ScoredSpan, Selection, SelectionStatus
from .nearness import Floats, Nearness
from .ranker import Ranker, load, sigmoid, verdict_facts
from .reading import Reader, located
from .reranking import UnitReranker, reranked
from .sentence_rows import Row, rows
from .units.candidate_units import Opened, open_units
from .weighted_question import Question, Rarity

UNITS = 96
"""Maximum number of units whose sentences are scored: the best by their words and the search score."""
KEPT = 12
ANSWER_WORDS = 100
"""Maximum number of words of units that are quoted together."""
_CHARACTERS = 400
_CACHED, _CACHED_WORDS = 8192, 60_000
UNSTATED = 1.0
"""Log-odds by which a unit without the figure asked for is less likely to answer."""
FIGURELESS = 2.0
"""Log-odds by which a sentence without the figure asked for is less likely the one that answers in its unit."""
SHORT, SURER = 5, 0.75
"""A question of fewer than ``SHORT`` words is answered from this probability on: many passages have all of them."""
_ANSWERS = 0.6
"""A unit is quoted beside the best one if it has at least this share of the best unit's probability."""


class TextVectors:
    """Cosines of texts and vectors of words, cached because the parts of a question share most of their candidates."""

    def __init__(self, embed: Embed, reranker: UnitReranker | None = None, reader: Reader | None = None) -> None:
        self._texts = VectorCache(embed, _CACHED)
        self.words = VectorCache(embed, _CACHED_WORDS)
        self.reranker = reranker
        self.reader = reader

    @classmethod
    def of(cls, kb: KnowledgeBase) -> TextVectors:
        """Return vectors from a knowledge base's encoder, with what reads the best units again if it has that."""
        again = kb.answer_reader
        if again is None:
            return cls(kb.embed)
        return cls(kb.embed, UnitReranker(again.nearness, known=again.name != kb.embedding_model), kb.span_reader)

    def cosines(self, query: str, texts: Sequence[str]) -> Floats:
        vectors = self._texts([" ".join(text.split())[:_CHARACTERS] for text in (query, *texts)])
        return np.asarray(vectors[1:] @ vectors[0], dtype=np.float64)


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
    kept, sentences, table = described(question, opened, vectors)
    if not sentences:
        return Selection(part=part)
    scores, read = ranker.scores(table), np.zeros(0)
    if vectors is not None and vectors.reranker is not None:
        read = vectors.reranker.read(part, kept, sentences, scores)
        scores = reranked(scores, read, ranker.rerank)
    scores = scores - _unstated(figure_needed(part), kept)[[row.opened for row in sentences]]
    units = [row.opened for row in sentences]
    found = located(vectors.reader if vectors else None, part, kept, sentences, scores)
    facts = verdict_facts(table, scores, read, units, [_place(kept[index]) for index in units], found.answers)
    probability, scores = ranker.probability(facts), found.scores
    at = int(np.argmax(scores))
    best = kept[units[at]]
    probability = min(probability, highest(question, best, sentences[at].text, ranker.answered))
    ranked = _ranked(kept, sentences, scores, probability, figure_asked(part))
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


def _unstated(figure: Figure | None, units: Sequence[Opened]) -> Floats:
    """Return by how much each unit is less likely to answer because it does not state the figure needed."""
    if figure is None:
        return np.zeros(len(units))
    stated = [states_figure(figure, f"{one.unit.head}\n{one.unit.text}") for one in units]
    return UNSTATED * (1.0 - np.array(stated, dtype=float))


def answered_from(part: QuestionPart, usual: float) -> float:
    """Return the probability from which on a part is answered; ``usual`` unless the question is short."""
    return max(usual, SURER) if len(part.terms) + len(part.context) < SHORT else usual


def described(
    question: Question, opened: Sequence[Opened], vectors: TextVectors | None
) -> tuple[Sequence[Opened], tuple[Row, ...], Floats]:
    """Return the units worth scoring, their sentences, and the sentences' features."""
    kept = _preselected(question, opened)
    sentences = rows(kept)
    if not sentences:
        return kept, (), np.zeros((0, len(NAMES)))
    return kept, sentences, features(question, kept, sentences, _nearness(question, kept, sentences, vectors))


def _place(one: Opened) -> str:
    return one.unit.section or one.unit.document


def _preselected(question: Question, opened: Sequence[Opened]) -> Sequence[Opened]:
    """Return the best units by their words, heading and search score, in their original order."""
    if len(opened) <= UNITS:
        return opened
    matcher, language = question.matcher, question.part.language

    def merit(one: Opened) -> float:
        own = matcher.strengths(stems(f"{one.unit.head} {one.unit.text}", language))
        heading = matcher.strengths(stems(f"{one.heading} {one.path}", language))
        named = 2.0 if one.candidate.origin == "named" else 0.0
        return matcher.coverage(own) + 0.5 * matcher.coverage(own, heading) + 0.4 * one.candidate.score + named

    best = sorted(range(len(opened)), key=lambda at: (-merit(opened[at]), at))[:UNITS]
    return [opened[at] for at in sorted(best)]


def _nearness(
    question: Question, opened: Sequence[Opened], sentences: Sequence[Row], vectors: TextVectors | None
) -> Nearness:
    if vectors is None:
        return Nearness()
    asked = question.part.text
    said = [f"{one.heading}: {one.unit.head} {one.unit.text}" for one in opened]
    units = vectors.cosines(asked, said)
    passages = np.array(
        [u if one.candidate.cosine is None else one.candidate.cosine for one, u in zip(opened, units, strict=True)]
    )
    texts = [
        text for one in opened for text in (one.unit.head, one.unit.text, one.heading, one.path, one.title, one.front)
    ]
    words = alike(vectors.words, asked, question.matcher.weights, texts, question.part.language)
    near = vectors.cosines(asked, [row.text for row in sentences])
    if not (whole := question.part.whole):
        return Nearness(near, units, passages, words, near, units)
    whole_near = vectors.cosines(whole, [row.text for row in sentences])
    return Nearness(near, units, passages, words, whole_near, vectors.cosines(whole, said))


def _ranked(
    opened: Sequence[Opened],
    sentences: Sequence[Row],
    scores: Floats,
    probability: float,
    figure: Figure | None = None,
) -> list[RankedUnit]:
    """Return the units, best first; of their sentences, those that state the ``figure`` asked for are preferred."""
    without = [figure is not None and not states_figure(figure, row.text) for row in sentences]
    chances = sigmoid(scores - FIGURELESS * np.array(without, dtype=float))
    best = float(scores.max())
    found: dict[int, list[tuple[Row, float, float]]] = {}
    for row, score, chance in zip(sentences, scores, chances, strict=True):
        found.setdefault(row.opened, []).append((row, float(score), float(chance)))
    ranked: list[RankedUnit] = []
    for index, own in found.items():
        one = opened[index]
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
