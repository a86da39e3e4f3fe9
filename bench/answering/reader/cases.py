"""Questions with passages to read: which passages answer, in which sentences, and by which words."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from bench.answering.selection_sets import BUILD, DATA, PUBLIC, REAL, UNSEEN, WRITTEN, Asked, jsonl, load
from bench.answering.selection_tables import Kept, kept_nearness, labels, parts_of, weights_of
from rabbithole.kb.store.encoders import answer_reader
from rabbithole.kb.store.encoders.e5 import E5Encoder
from rabbithole.kb.store.encoders.span_reader import PassageToRead, SpanReader
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.selection import ranker as rankers
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.ranker import Ranker
from rabbithole.steps.selection.ranker import load as load_ranker
from rabbithole.steps.selection.reading import passage_of
from rabbithole.steps.selection.scoring import ScoredSentences, scored
from rabbithole.steps.selection.sentence_rows import Row
from rabbithole.steps.selection.text_vectors import TextVectors
from rabbithole.steps.selection.units.candidate_units import Opened, open_units
from rabbithole.steps.selection.weighted_question import Question

from .folds import fold_of

T = TypeVar("T")
UNITS: Final = 16
"""Units of a question, best first; those that answer are added."""
_ANSWERING: Final = 4
_LEARNED_FROM: Final = 2
"""Most units that answer a question, of those of a step."""
EXTRA: Final = ("musique+", "hotpotqa+")
"""Single questions whose answer is a word of a passage; only learned from."""


@dataclass(frozen=True)
class Reading:
    """A passage of a question.

    ``sentences`` says for each sentence of ``passage`` whether it answers, ``spans`` where the words of the answer
    stand in its text, as far as the set gives them. ``score`` holds the scores of the sentences before they are read.
    """

    passage: PassageToRead
    sentences: tuple[bool, ...]
    spans: tuple[tuple[int, int], ...]
    score: tuple[float, ...] = ()

    @property
    def answers(self) -> bool:
        return any(self.sentences)


@dataclass(frozen=True)
class Case:
    """A question, or a part of one, with the passages that may answer it, best first."""

    set: str
    id: str
    question: str
    fold: int
    readings: tuple[Reading, ...]

    @property
    def key(self) -> str:
        """What tells a question, or a part of one, from all others."""
        return f"{self.set}\t{self.id}\t{self.question}"


def cases_of(name: str) -> tuple[Case, ...]:
    """Return the cases of a set, from ``build`` if they were made before with the weights there are."""
    place = BUILD / f"{name}.{weights_of(answer_reader.MODEL, rankers.MODEL)}.cases.pickle"
    if place.exists():
        return tuple(pickle.loads(place.read_bytes()))
    made = tuple(_extra(name) if name in EXTRA else _made(name))
    place.write_bytes(pickle.dumps(made))
    return made


@dataclass(frozen=True)
class ScoredPart:
    """A part of a question of a set, with its scored sentences, and 1 for each that answers.

    ``musts`` are what an answer must have, if the question has one part.
    """

    asked: Asked
    question: Question
    found: ScoredSentences
    answers: Floats
    musts: tuple[tuple[str, ...], ...]


def scored_parts(name: str, ranker: Ranker, reader: SpanReader | None = None) -> Iterator[ScoredPart]:
    """Yield the parts of the questions of a set that have a sentence; vectors are kept in ``build``."""
    kb, asked = load(name)
    encoder, again = Kept(kb.embed, BUILD / f"{name}.vectors.npz"), kept_nearness(name)
    vectors = TextVectors(encoder, again, reader)
    with kb:
        for one in asked:
            parts = parts_of(kb, name, one, vectors)
            musts = one.musts if len(parts) == 1 else ()
            for part, candidates in parts:
                question = Question(part, kb.rarity)
                found = scored(question, open_units(kb, candidates), vectors, ranker)
                if found.sentences:
                    answers = labels(found.units, found.sentences, one.gold, musts)
                    yield ScoredPart(one, question, found, answers, musts)
    encoder.save()
    again.save()


def _made(name: str) -> Iterator[Case]:
    words = _answers(name)
    for one in scored_parts(name, load_ranker()):
        asked, part, found = one.asked, one.question.part, one.found
        known = words.get(asked.id) or [alternative for group in one.musts for alternative in group]
        readings = _readings(found.units, found.sentences, found.scores, one.answers, known)
        yield Case(name, asked.id, part.whole or part.text, fold_of(name, asked.group or asked.id), readings)


def _readings(
    opened: Sequence[Opened], rows: Sequence[Row], scores: Floats, gold: Floats, words: Sequence[str]
) -> tuple[Reading, ...]:
    units = np.array([row.opened for row in rows])
    order = list(dict.fromkeys(units[np.argsort(-scores, kind="stable")].tolist()))
    answering = [at for at in order if gold[units == at].any()][:_ANSWERING]
    found = []
    for at in dict.fromkeys((*order[:UNITS], *answering)):
        own = np.flatnonzero(units == at).tolist()
        passage = passage_of(opened[at], [rows[row] for row in own])
        told = tuple(bool(gold[row]) for row in own)
        found.append(Reading(passage, told, _spans(passage, told, words), tuple(scores[own].tolist())))
    return tuple(found)


def _spans(passage: PassageToRead, told: Sequence[bool], words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Return where one of the words stands in the sentences that answer."""
    found = []
    for (start, end), answers in zip(passage.sentences, told, strict=True):
        for one in words if answers else ():
            pattern = r"\s+".join(map(re.escape, one.split()))
            if match := re.search(pattern, passage.text[start:end], re.IGNORECASE):
                found.append((start + match.start(), start + match.end()))
    return tuple(found)


def answering_tokens(encoder: E5Encoder, reading: Reading, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the tokens of the words that answer; ``spans`` are those of the sentences."""
    text, found = reading.passage.text, []
    for start, end in reading.spans:
        for (low, high), (first, last) in zip(reading.passage.sentences, spans, strict=True):
            if low <= start and end <= high:
                before = len(encoder.tokens(text[low:start].rstrip()))
                upto = max(before + 1, len(encoder.tokens(text[low:end])))
                if first + upto <= last:
                    found.append((first + before, first + upto))
    return found


def picked(units: Sequence[T], answers: Callable[[T], bool], wanted: int, drawn: int, rng: random.Random) -> list[T]:
    """Return ``wanted`` units of a question to learn from, which has them best first.

    At most two answer; of the others ``drawn`` are random ones, and the rest the best.
    """
    answering, others = [one for one in units if answers(one)], [one for one in units if not answers(one)]
    own = [*answering[:1], *rng.sample(answering[1:], min(_LEARNED_FROM - 1, max(0, len(answering) - 1)))]
    missing = wanted - len(own)
    hard, rest = others[: missing - drawn], others[missing - drawn :]
    return [*own, *hard, *rng.sample(rest, min(len(rest), missing - len(hard)))]


def _answers(name: str) -> dict[str, list[str]]:
    """Return the words that answer each question of a public set, where it gives them."""
    files = {"xquad_en": "xquad.en", "xquad_de": "xquad.de", "legalquad": "legalquad"}
    rows = jsonl(DATA / "qa" / f"{files[name]}.jsonl") if name in files else []
    return {row["id"]: [text for _, _, text in row["answers"]] for row in rows}


def _extra(name: str) -> Iterator[Case]:
    """Yield the questions of a multi-hop set that one passage answers."""
    folder = DATA / "multihop" / name.rstrip("+")
    corpus = {row["pid"]: row for row in jsonl(folder / "corpus.jsonl")}
    for row in jsonl(folder / "questions.jsonl"):
        for question, answer, pid in _single(row):
            text = corpus[pid]["text"] if pid in corpus else ""
            passage = (
                PassageToRead(corpus[pid]["title"], text, tuple((s.start, s.end) for s in sentences(text)))
                if text
                else None
            )
            if passage is None or len(passage.sentences) < 2:
                continue
            told = tuple(answer.lower() in text[start:end].lower() for start, end in passage.sentences)
            if any(told) and not all(told):
                reading = Reading(passage, told, _spans(passage, told, [answer]))
                yield Case(name, row["id"], question, fold_of(name, row["id"]), (reading,))


def _single(row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield questions with one answer and its passage: the steps of MuSiQue, the questions of HotpotQA."""
    told: list[str] = []
    for step in row.get("decomposition", ()):
        question = re.sub(r"#(\d)", lambda match: (told[int(match[1]) - 1 :] or ["?"])[0], step["question"])
        told.append(step["answer"])
        yield question.replace(" >> ", ": "), step["answer"], step["gold_pid"]
    if "level" in row and row["type"] != "comparison" and row["answer"].lower() not in ("yes", "no"):
        for pid in row["gold_pids"]:
            yield row["question"], row["answer"], pid


LEARNED: Final = (*PUBLIC, *EXTRA, *REAL, *WRITTEN)
EVERY: Final = (*LEARNED, *UNSEEN)
