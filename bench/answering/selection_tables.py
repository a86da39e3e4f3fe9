"""Builds feature tables of the question sets for training and measuring; text vectors are cached in ``build``."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.encoders.answer_reader import MODEL, AnswerReader, E5Reader
from rabbithole.kb.store.encoders.e5 import E5Encoder
from rabbithole.kb.store.encoders.span_reader import SpanModel, SpanReader
from rabbithole.kb.store.vectors.matrix import Float32
from rabbithole.steps.question import understand
from rabbithole.steps.reasoning.text.vector_cache import Embed
from rabbithole.steps.response.choosing import Chooser
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, gather, question_part
from rabbithole.steps.selection.features import NAMES
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.ranker import VERDICT
from rabbithole.steps.selection.ranker import load as load_ranker
from rabbithole.steps.selection.scoring import scored
from rabbithole.steps.selection.sentence_rows import Row
from rabbithole.steps.selection.text_vectors import TextVectors
from rabbithole.steps.selection.units.candidate_units import Opened, open_units
from rabbithole.steps.selection.weighted_question import Question

from .reader.folds import FOLDS, fold_of, reader_path
from .selection_sets import BUILD, REAL, UNSEEN, WRITTEN, Asked, Span, load
from .wild_answers import says

MOST = 150
"""Most questions taken from a set, spread over it."""
TELLING, FIGURE = 8, 4
"""Letters of what an answer must have, from which on a text that has it says it on purpose; fewer with a figure."""


@dataclass
class Table:
    """The features of one question: a row for each sentence, with its unit, its section and whether it answers.

    ``read`` is how near the reranker finds the row's unit, or NaN if the unit was not reread; ``reading`` holds the
    log-odds that a unit answers, by a reader that has not seen the question.
    """

    id: str
    group: str
    rows: Floats
    answers: Floats
    units: np.ndarray
    places: list[str]
    answerable: bool
    read: Floats
    reading: dict[int, float]


class Kept:
    """An encoder whose vectors are stored in a file between runs."""

    def __init__(self, embed: Embed, path: Path) -> None:
        self._embed = embed
        self._path = path
        self._known: dict[bytes, Float32] = {}
        if path.exists():
            with np.load(path) as held:
                self._known = {key.tobytes(): row for key, row in zip(held["keys"], held["rows"], strict=True)}
        self._size = len(self._known)

    def __call__(self, texts: Sequence[str]) -> Float32:
        keys = [hashlib.sha256(text.encode()).digest() for text in texts]
        new = [at for at, key in enumerate(keys) if key not in self._known]
        if new:
            for at, row in zip(new, self._embed([texts[at] for at in new]), strict=True):
                self._known[keys[at]] = row
        return np.stack([self._known[key] for key in keys])

    def save(self) -> None:
        if len(self._known) > self._size:
            keys = np.array([np.frombuffer(key, dtype=np.uint8) for key in self._known])
            np.savez(self._path, keys=keys, rows=np.stack(list(self._known.values())))
            self._size = len(self._known)


class KeptNearness:
    """A reader of answers whose results are stored in a file between runs."""

    def __init__(self, reader: AnswerReader, path: Path) -> None:
        self._reader = reader
        self._path = path
        self._known: dict[bytes, float] = {}
        if path.exists():
            with np.load(path) as held:
                self._known = {key.tobytes(): float(one) for key, one in zip(held["keys"], held["values"], strict=True)}
        self._size = len(self._known)

    def nearness(self, question: str, passages: Sequence[str]) -> Floats:
        keys = [hashlib.sha256(f"{question}\n{text}".encode()).digest() for text in passages]
        new = [at for at, key in enumerate(keys) if key not in self._known]
        if new:
            values = self._reader.nearness(question, [passages[at] for at in new])
            self._known.update((keys[at], float(value)) for at, value in zip(new, values, strict=True))
        return np.array([self._known[key] for key in keys])

    def save(self) -> None:
        if len(self._known) > self._size:
            keys = np.array([np.frombuffer(key, dtype=np.uint8) for key in self._known])
            np.savez(self._path, keys=keys, values=np.array(list(self._known.values())))
            self._size = len(self._known)


def kept_nearness(name: str) -> KeptNearness:
    """Return the reader of the package for a set, with what it said before, unless its weights have changed."""
    return KeptNearness(E5Reader(), BUILD / f"{name}.{weights_of(MODEL)}.read.npz")


def weights_of(*models: Path) -> str:
    """Return what tells the weights in files from others, for the names of what was made with them."""
    return hashlib.sha256(b"".join(one.read_bytes() for one in models)).hexdigest()[:12]


def labels(
    opened: Sequence[Opened],
    sentences: Sequence[Row],
    gold: Sequence[Span],
    musts: tuple[tuple[str, ...], ...] = (),
) -> Floats:
    """Return 1 for a sentence that covers half of a gold span, or that lies mostly in one, else 0.

    The sentences of a unit that has all ``musts`` count too, if it stands in a document of the gold: the same is often
    said at several places.
    """
    found = np.zeros(len(sentences))
    held = {document for document, _, _ in gold}
    stating = {at for at, one in enumerate(opened) if one.unit.document in held and states(_said(one), musts)}
    for at, row in enumerate(sentences):
        unit = opened[row.opened].unit
        start, end = unit.start + row.start, unit.start + row.end
        for document, low, high in gold:
            common = min(end, high) - max(start, low) if document == unit.document else 0
            if common > 0 and (common >= 0.5 * (high - low) or common >= 0.6 * (end - start)):
                found[at] = 1.0
        if row.opened in stating and any(says(row.text, musts)):
            found[at] = 1.0
    return found


def states(text: str, musts: tuple[tuple[str, ...], ...]) -> bool:
    """Return whether a text has all that an answer must have, and this is more than a common word such as "not"."""
    if not musts or not all(says(text, musts)):
        return False
    shortest = "".join(min(group, key=len) for group in musts)
    return len(shortest) >= (FIGURE if any(map(str.isdigit, shortest)) else TELLING)


def _said(one: Opened) -> str:
    return f"{one.unit.head}\n{one.unit.text}"


def tables(name: str, *, most: int = MOST) -> tuple[list[Table], list[Table]]:
    """Return the tables of a set's questions, and of the same questions without what answers them."""
    kb, asked = load(name)
    encoder = Kept(kb.embed, BUILD / f"{name}.vectors.npz")
    reader = kept_nearness(name)
    vectors = TextVectors(encoder, reader)
    e5 = E5Encoder()
    readers = {fold: SpanReader(SpanModel.load(e5, reader_path(fold))) for fold in range(FOLDS)}
    full, without = [], []
    with kb:
        for one in asked[:: max(1, round(len(asked) / most))]:
            parts = parts_of(kb, name, one, vectors)
            musts = one.musts if len(parts) == 1 else ()
            vectors.reader = readers[fold_of(name, one.group or one.id)]
            for part, candidates in parts:
                opened = open_units(kb, candidates)
                question = Question(part, kb.rarity)
                full.append(_table(one, question, opened, vectors, one.gold, musts, one.answerable))
                if one.gold:
                    rest = [each for each in opened if not (_touches(each, one) or states(_said(each), musts))]
                    without.append(_table(one, question, rest, vectors, (), (), False))
    encoder.save()
    reader.save()
    return full, without


def parts_of(
    kb: KnowledgeBase, name: str, one: Asked, vectors: TextVectors
) -> list[tuple[QuestionPart, tuple[AnswerCandidate, ...]]]:
    """Return the parts of a question with their candidates; on real PDFs the same parts as for an answer."""
    if name not in (*REAL, *WRITTEN, *UNSEEN):
        part = question_part(one.text, one.language)
        return [(part, gather(kb, part, reader=vectors.answer_reader))]
    understood = understand(kb, one.text, "de" if one.language == "de" else "en")
    chooser = Chooser(kb, understood, (), (), (), vectors)
    return [chooser.asked(text) for text in understood.parts]


def _touches(each: Opened, one: Asked) -> bool:
    """Return whether a unit overlaps an answer or stands close to one."""
    unit = each.unit
    return any(
        document == unit.document and unit.start < high + 600 and low - 600 < unit.end
        for document, low, high in one.gold
    )


def _table(
    one: Asked,
    question: Question,
    opened: Sequence[Opened],
    vectors: TextVectors,
    gold: Sequence[Span],
    musts: tuple[tuple[str, ...], ...],
    answerable: bool,
) -> Table:
    found = scored(question, opened, vectors, load_ranker())
    return Table(
        one.id,
        one.group,
        found.table,
        labels(found.units, found.sentences, gold, musts),
        np.array([row.opened for row in found.sentences], dtype=int),
        [found.units[row.opened].unit.section or "" for row in found.sentences],
        answerable,
        found.read,
        dict(found.answers),
    )


def cached(name: str, *, fresh: bool = False) -> tuple[list[Table], list[Table]]:
    """Return ``tables`` from the cache in ``build`` if they were made for the current features."""
    place = BUILD / f"{name}.tables.pickle"
    if place.exists() and not fresh:
        names, found = pickle.loads(place.read_bytes())
        if names == (NAMES, VERDICT):
            return found
    found = tables(name)
    place.write_bytes(pickle.dumps(((NAMES, VERDICT), found)))
    return found
