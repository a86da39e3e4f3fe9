"""Teaches the reader which unit of a question answers, and prints how well it does on collections it has not seen.

Run: ``python -m bench.answering.reader.order [--steps 560] [--teacher FILE] [--measure]``. It needs torch, and takes
an hour on two cores; with a teacher, a GPU. It starts from the committed reader: ``train.py`` made the first one; this
was run on 4,750 parts of questions in 570 steps, then on 8,750 in 560, and the mean of both taken (``--mean FILE``);
then it was run with what ``teacher.py`` had written, in 460 steps of 10 units with additions of rank 16, and in 620 of
14 units with rank 32. The lower half of the layers stays as it is, unless there is a teacher; the others and the three
maps above them learn from most collections. Then it reads the others (``folds.HELD_OUT`` and the unseen sets), and
prints how often the first unit answers, and one of the first three, by the scores before and after; how often the best
sentence of a unit that answers is one that does, before and after; and how well the log-odds tell units that answer
from others (area under the curve).

Four things are learned at once: which of the units of a question answers, beside what the ranker says (softmax over the
units, as in Nogueira and Cho, 2019, with the ranker's log-odds added); whether a unit answers at all; in which sentence
the answer stands; and by which words, where a set gives them. A teacher adds a fifth: the order in which it puts the
units, of which then more are read, also those of questions that no unit answers.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor

from bench.answering.selection_sets import PUBLIC, REAL, UNSEEN, WRITTEN
from rabbithole.kb.store.encoders.e5 import E5Encoder
from rabbithole.kb.store.encoders.span_reader import MODEL, SpanModel, SpanReader, lay_out
from rabbithole.steps.selection.reading import ORDER, READ, decided
from rabbithole.steps.selection.reranking import reranked

from .cases import Case, Reading, answering_tokens, cases_of, picked
from .descent import Descent, batches
from .folds import is_held_out
from .losses import by_unit, distilled, whether
from .network import Network

RATE, BATCH, UNITS, REPEATED, MOST = 0.0007, 16, 6, 2, 300
"""Learning rate, questions a step, units a question, times that the few questions on real PDFs are repeated, and most
questions taken from a public set, spread over it."""
LOWER: Final = 6
"""Layers that stay as they are."""
RANDOM, BEST = 2, 8
"""Units of a step that are random ones, and best units to take those that do not answer from."""
OTHERS: Final = 0.3
"""Weight of each of the losses beside the first."""
TAUGHT_RATE, TAUGHT_UNITS, TRUTH = 0.0006, 14, 0.5
"""With a teacher: learning rate, units a question, and weight of the truth beside what the teacher says."""
WARMING, SEED = 40, 31
_GROUPS: Final = 4


@dataclass
class Unit:
    """A unit of a question: its score before it is read, its tokens, the tokens of its sentences, and its truth.

    ``taught`` are what a teacher says of its order and of whether it answers.
    """

    reading: Reading
    score: float
    tokens: list[int]
    spans: list[tuple[int, int]]
    words: list[tuple[int, int]]
    taught: Sequence[float] = ()


Taught = Mapping[str, Sequence[Sequence[float]]]
"""What a teacher says of the units of each question, by the question's key."""


def units_of(case: Case, encoder: E5Encoder, taught: Taught) -> list[Unit]:
    """Return the units of a question to learn from: the best, and those that answer; with a teacher, all."""
    found, said = [], taught.get(case.key, ())
    for at, one in enumerate(case.readings):
        if at < BEST or one.answers or said:
            tokens, spans = lay_out(encoder, case.question, one.passage)
            words = answering_tokens(encoder, one, spans)
            found.append(Unit(one, max(one.score), tokens, spans, words, said[at] if said else ()))
    return found


class Trainer:
    """Trains the upper layers of a network; with a teacher, all of them."""

    def __init__(self, encoder: E5Encoder, start: Path, taught: Taught) -> None:
        torch.manual_seed(SEED)
        self._encoder, self._taught = encoder, taught
        self._lower, self._rate, self._units = (0, TAUGHT_RATE, TAUGHT_UNITS) if taught else (LOWER, RATE, UNITS)
        self.network = Network(encoder, dropout=0.0)
        self.network.start_from(start)
        self.network.to("cuda" if torch.cuda.is_available() else "cpu")
        for layer in list(self.network.layers)[: self._lower]:
            layer.requires_grad_(requires_grad=False)

    def learn(self, cases: Sequence[Case], steps: int) -> None:
        rng = random.Random(SEED)
        made = [
            (units_of(case, self._encoder, self._taught), REPEATED if case.set in REAL else 1)
            for case in cases
            if self._taught or any(one.answers for one in case.readings)
        ]
        questions = [units for units, times in made for _ in range(times) if len(units) > 1]
        learned = [one for one in self.network.parameters() if one.requires_grad]
        descent = Descent(learned, self._rate, steps, WARMING)
        for step, some in zip(range(steps), batches(questions, BATCH, rng), strict=False):
            loss = self._loss([picked(units, _answers, self._units, RANDOM, rng) for units in some])
            descent.take(loss)
            if step % 20 == 0:
                print(f"step {step} of {steps}: loss {loss.item():.3f}", flush=True)

    def _loss(self, chosen: Sequence[Sequence[Unit]]) -> Tensor:
        """Return the loss by which unit answers, whether units answer, by sentences, by words, and by the teacher."""
        units, sizes = [one for some in chosen for one in some], [len(some) for some in chosen]
        tokens, answers, order = self._read(units)
        truth = torch.tensor([float(one.reading.answers) for one in units], device=order.device)
        scores = torch.tensor([one.score for one in units], device=order.device)
        first = by_unit(order, scores, truth, sizes)
        if self._taught:
            said = torch.tensor([list(one.taught) for one in units], device=order.device)
            target = TRUTH * truth + (1 - TRUTH) * torch.sigmoid(said[:, 1])
            loss = (
                TRUTH * first + distilled(order, said[:, 0], scores, sizes) + OTHERS * whether(answers, truth, target)
            )
        else:
            loss = first + OTHERS * whether(answers, truth)
        for some_losses in _within(tokens, units):
            loss = loss + (OTHERS * torch.stack(some_losses).mean() if some_losses else 0.0)
        return loss

    def _read(self, units: Sequence[Unit]) -> tuple[list[Tensor], Tensor, Tensor]:
        """Return what the network returns for each unit; units of like length are read together."""
        by_length = sorted(range(len(units)), key=lambda at: len(units[at].tokens))
        together = -(-len(units) // _GROUPS)
        tokens: dict[int, Tensor] = {}
        answers, order = [], []
        for start in range(0, len(units), together):
            some = by_length[start : start + together]
            with torch.no_grad():
                states = self.network.below(self.network.embedded([units[at].tokens for at in some]), self._lower)
            own, yes, better = self.network.above(states, self._lower)
            tokens.update(zip(some, own, strict=True))
            answers.append(yes)
            order.append(better)
        back = torch.tensor(np.argsort(by_length))
        return [tokens[at] for at in range(len(units))], torch.cat(answers)[back], torch.cat(order)[back]


def _answers(one: Unit) -> bool:
    return one.reading.answers


def _within(tokens: Sequence[Tensor], units: Sequence[Unit]) -> tuple[list[Tensor], list[Tensor]]:
    """Return the losses by the sentence of each unit that answers, and by the words."""
    by_sentence, by_words = [], []
    for row, one in zip(tokens, units, strict=True):
        inside = [(low, high) for low, high in one.spans if low < high]
        if not one.reading.answers or not inside:
            continue
        whole, said = torch.logsumexp(row[inside[0][0] : inside[-1][1]], 0), one.reading.sentences
        told = [row[low:high] for (low, high), yes in zip(one.spans, said, strict=True) if yes and low < high]
        if told and len(inside) > 1:
            by_sentence.append(whole - torch.logsumexp(torch.cat(told), 0))
        if one.words:
            by_words.append(whole - torch.logsumexp(torch.cat([row[low:high] for low, high in one.words]), 0))
    return by_sentence, by_words


class Measured:
    """What is right before and after reading: first unit, one of three units, sentence; and log-odds with the truth."""

    def __init__(self) -> None:
        self.units: list[tuple[bool, ...]] = []
        self.sentences: list[tuple[bool, bool]] = []
        self.answers: list[tuple[float, bool]] = []

    def add(self, case: Case, reader: SpanReader) -> None:
        """Add the results of one question."""
        units = [one for one in case.readings if one.score]
        found = reader.read(case.question, [one.passage for one in units])
        self.answers += [(each.answers, one.answers) for one, each in zip(units, found, strict=True)]
        if not any(one.answers for one in units):
            return
        before = np.array([max(one.score) for one in units])
        order = np.full(len(units), np.nan)
        for at in np.argsort(-before, kind="stable")[:READ]:
            order[at] = found[at].order
        after = reranked(before, order, ORDER)
        truth = np.array([one.answers for one in units])
        firsts = [truth[np.argsort(-scores, kind="stable")] for scores in (before, after)]
        self.units.append(tuple(bool(first[:most].any()) for most in (1, 3) for first in firsts))
        for one, each in zip(units, found, strict=True):
            if one.answers and not all(one.sentences):
                own = np.array(one.score)
                best = [int(np.argmax(way)) for way in (own, decided(own, each.sentences))]
                self.sentences.append((one.sentences[best[0]], one.sentences[best[1]]))
                break

    def line(self, name: str) -> str:
        """Return a line of the table."""
        cells = ["/".join(f"{value:.3f}" for value in np.mean(rows, axis=0)) if rows else "-"
                 for rows in (self.units, self.sentences)]  # fmt: skip
        odds, truth = np.array(self.answers).T if self.answers else (np.zeros(0), np.zeros(0))
        area = f"{roc_auc_score(truth, odds):.3f}" if 0 < truth.sum() < len(truth) else "-"
        return (
            f"{name:18} {len(self.units):4} questions {cells[0]}  sentences {cells[1]}  units {len(truth)}, AUC {area}"
        )


def write_mean(first: Path, second: Path, output: Path) -> None:
    """Write the mean of two readers, one of which was learned from the other (Wortsman et al., 2022)."""
    with np.load(first) as one, np.load(second) as other:
        pairs = {name: np.stack([one[name], other[name]]).astype(np.float32) for name in one.files}
    means: dict[str, Any] = {name: pair.mean(axis=0).astype(np.float16) for name, pair in pairs.items()}
    np.savez(output, **means)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=560)
    parser.add_argument("--output", type=Path, default=MODEL)
    parser.add_argument("--teacher", type=Path, metavar="FILE", help="learn also from what teacher.py wrote")
    parser.add_argument("--measure", action="store_true", help="learn nothing; measure the reader that is there")
    parser.add_argument("--mean", type=Path, metavar="FILE", help="learn nothing; write the mean with this reader")
    options = parser.parse_args()
    if options.mean:
        write_mean(MODEL, options.mean, options.output)
        return
    encoder = E5Encoder()
    every = (*PUBLIC, *REAL, *WRITTEN, *UNSEEN)
    if not options.measure:
        cases: list[Case] = []
        for name in every:
            if not is_held_out(name):
                own = cases_of(name)
                cases += own[:: max(1, round(len(own) / MOST))] if name in PUBLIC else own
        taught = json.loads(options.teacher.read_text("utf-8")) if options.teacher else {}
        trainer = Trainer(encoder, MODEL, taught)
        trainer.learn(cases, options.steps)
        trainer.network.save(options.output)
        print("written:", options.output)
    reader = SpanReader(SpanModel.load(encoder, options.output))
    print("held out; before/after reading: first unit answers, one of three; best sentence of a unit that answers")
    for name in filter(is_held_out, every):
        found = Measured()
        for case in cases_of(name):
            found.add(case, reader)
        if found.answers:
            print(found.line(name), flush=True)


if __name__ == "__main__":
    main()
