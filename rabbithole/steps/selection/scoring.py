"""Scores the sentences that may answer: by their features, by rereading the best units, by reading them closely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rabbithole.steps.reasoning.text.terms import stems

from .expected import figure_needed, states_figure
from .features import NAMES, features
from .likeness import alike
from .models import QuestionPart
from .nearness import Floats, Nearness
from .ranker import Ranker, verdict_facts
from .reading import located
from .reranking import reranked, reread
from .sentence_rows import Row, rows
from .text_vectors import TextVectors
from .units.candidate_units import Opened
from .weighted_question import Question

UNITS = 96
"""Maximum number of units whose sentences are scored: the best by their words and the search score."""
UNSTATED = 1.0
"""Log-odds by which a unit without the figure asked for is less likely to answer."""

NAMED_CHAPTER = 5.0
"""Log-odds by which a unit is likelier to answer that stands in a chapter whose whole heading the question names."""
_LONGEST_NAME, _RARE = 3, 0.5
"""Maximum number of words of such a heading, and least rarity of the rarest of them."""


@dataclass(frozen=True)
class ScoredSentences:
    """The sentences of the ``units`` worth scoring, their features in ``table`` and their ``scores``, a row each.

    ``read`` is how near the reranker finds the row's unit, NaN if it was not reread; it is empty without a reranker.
    ``answers`` holds the log-odds that a unit answers, for those that the reader read. ``facts`` are those from which
    the probability of an answer is told, if there is a sentence.
    """

    units: Sequence[Opened]
    sentences: tuple[Row, ...]
    table: Floats
    scores: Floats
    read: Floats
    answers: Mapping[int, float] = field(default_factory=dict)
    facts: Mapping[str, float] = field(default_factory=dict)


def scored(
    question: Question, opened: Sequence[Opened], vectors: TextVectors | None, ranker: Ranker
) -> ScoredSentences:
    """Return the scores by which an answer is chosen among units; without ``vectors``, from their words alone."""
    part = question.part
    kept, sentences, table = described(question, opened, vectors)
    scores, read = ranker.scores(table), np.zeros(0)
    if not sentences:
        return ScoredSentences(kept, sentences, table, scores, read)
    if vectors is not None and vectors.answer_reader is not None:
        read = reread(vectors.answer_reader, part, kept, sentences, scores)
        scores = reranked(scores, read, ranker.rerank)
    surer = _in_named_chapter(question, kept) - _unstated(part, kept)
    scores = scores + surer[[row.opened for row in sentences]]
    found = located(vectors.reader if vectors else None, part, kept, sentences, scores)
    of = [row.opened for row in sentences]
    places = [kept[at].unit.section or kept[at].unit.document for at in of]
    facts = verdict_facts(table, found.units, read, of, places, found.answers)
    return ScoredSentences(kept, sentences, table, found.sentences, read, found.answers, facts)


def described(
    question: Question, opened: Sequence[Opened], vectors: TextVectors | None
) -> tuple[Sequence[Opened], tuple[Row, ...], Floats]:
    """Return the units worth scoring, their sentences, and the sentences' features."""
    kept = _preselected(question, opened)
    sentences = rows(kept)
    if not sentences:
        return kept, (), np.zeros((0, len(NAMES)))
    return kept, sentences, features(question, kept, sentences, _nearness(question, kept, sentences, vectors))


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


def _unstated(part: QuestionPart, units: Sequence[Opened]) -> Floats:
    """Return by how much each unit is less likely to answer because it does not state the figure needed."""
    figure = figure_needed(part)
    if figure is None:
        return np.zeros(len(units))
    stated = [states_figure(figure, f"{one.unit.head}\n{one.unit.text}", part.text) for one in units]
    return UNSTATED * (1.0 - np.array(stated, dtype=float))


def _in_named_chapter(question: Question, units: Sequence[Opened]) -> Floats:
    """Return by how much each unit is likelier to answer because it stands below a heading that the question names.

    Manuals have a chapter for each product, game or command, with the same headings in each.
    """
    language = question.part.language
    asked = {term.stem for term in question.part.terms if term.weight >= 1}

    def is_named(heading: str) -> bool:
        words = set(stems(heading, language))
        rarest = max((question.idf.get(stem, 0.0) for stem in words), default=0.0)
        return 0 < len(words) <= _LONGEST_NAME and words <= asked and rarest >= _RARE

    named = [any(is_named(heading) for heading in one.chapters) for one in units]
    return NAMED_CHAPTER * np.array(named, dtype=float)
