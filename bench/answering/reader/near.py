"""Teaches E5 which passages are near a question, and prints how well the nearest units answer on unseen collections.

Run: ``python -m bench.answering.reader.near [--steps 240] [--teacher FILE] [--output FILE] [--measure]``. It needs
torch, and a GPU to end in minutes. It starts from the committed adapter (``kb/store/encoders/answer_reader.npz``); that
was made from plain E5 in 240 steps of 40 questions, with what ``teacher.py`` had written.

Question and passage are encoded apart, and compared as ``kb/store/encoders/answer_reader.py`` does: as a whole and word
by word (ColBERT; Khattab and Zaharia, 2020). Two things are learned at once: which of the units of a question answers,
beside what the ranker says (softmax over the units), and the order in which the teacher puts them. Public sets are left
out, so that what is measured on them is not what was learned from.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bench.answering.selection_sets import PUBLIC, REAL, UNSEEN, WRITTEN
from rabbithole.kb.store.encoders.answer_reader import MODEL, WORDS
from rabbithole.kb.store.encoders.e5 import LAYERS, E5Encoder
from rabbithole.steps.selection.ranker import load as load_ranker

from .cases import Case, cases_of, picked
from .descent import Descent, batches
from .folds import is_held_out
from .losses import PRIOR, by_unit, distilled
from .network import Network
from .order import Taught

RATE, BATCH, UNITS, RANDOM, WARMING, SEED = 0.0006, 40, 12, 3, 40, 34
"""Learning rate, questions a step, units a question and how many of these are random ones, steps of warming, seed."""
TRUTH: Final = 0.5
"""Weight of the truth beside the teacher's order, if there is a teacher."""
REPEATED: Final = 2
"""Times that the few questions on real PDFs are repeated."""
_TOGETHER: Final = 48


@dataclass
class Unit:
    """A unit of a question: its tokens, whether it answers, its log-odds without nearness, and those of a teacher."""

    tokens: list[int]
    answers: bool
    score: float
    base: float = 0.0
    taught: float | None = None


@dataclass
class Asked:
    """A question with its units, best first."""

    tokens: list[int]
    units: list[Unit]


class Nearness(nn.Module):
    """E5 with an adapter, and how near it finds the units of questions."""

    def __init__(self, encoder: E5Encoder, start: Path) -> None:
        super().__init__()
        torch.manual_seed(SEED)
        self._encoder = encoder
        self.network = Network(encoder, dropout=0.0)
        self.network.start_from(start)
        self.network.to("cuda" if torch.cuda.is_available() else "cpu")

    def forward(self, some: Sequence[tuple[Asked, Sequence[Unit]]]) -> Tensor:
        """Return how near the units are, those of each question in turn."""
        questions = self._encoded([asked.tokens for asked, _ in some], query=True)
        passages = self._encoded([one.tokens for _, units in some for one in units], query=False)
        found, at = [], 0
        for number, (_, units) in enumerate(some):
            own = slice(at, at + len(units))
            words, inside, whole = (part[own] for part in passages)
            mine = questions[0][number][:, questions[1][number]]
            cosines = torch.einsum("lqw,ulnw->ulqn", mine, words).masked_fill(~inside[:, None, None], -9.0)
            found.append(whole @ questions[2][number] + WORDS * cosines.amax(-1).mean((1, 2)))
            at += len(units)
        return torch.cat(found)

    def _encoded(self, texts: Sequence[list[int]], *, query: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Return the tokens of each text (texts, layers, tokens, width), which are words, and the whole (texts, width).

        Texts of like length are encoded together.
        """
        by_length = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        words, inside, whole = [], [], []
        most = max(map(len, texts))
        for start in range(0, len(texts), _TOGETHER):
            some = [texts[at] for at in by_length[start : start + _TOGETHER]]
            *inner, last = self.network.layer_states(some, (*LAYERS, len(self.network.layers)))
            lengths = torch.tensor([len(one) for one in some], device=last.device)[:, None]
            places = torch.arange(last.shape[1], device=last.device)[None]
            mean = (last * (places < lengths)[..., None]).sum(1) / lengths
            told = (places >= self._encoder.before_words(query=query)) & (places < lengths - 1)
            beyond = most - last.shape[1]
            turned = torch.stack([functional.normalize(one, dim=-1) for one in inner], 1)
            words.append(functional.pad(turned, (0, 0, 0, beyond)))
            inside.append(functional.pad(told, (0, beyond)))
            whole.append(functional.normalize(mean, dim=-1))
        back = torch.tensor(np.argsort(by_length))
        return torch.cat(words)[back], torch.cat(inside)[back], torch.cat(whole)[back]


def asked_of(case: Case, encoder: E5Encoder, taught: Taught) -> Asked:
    """Return a question to learn from, or to measure on, with the units that have a score."""
    said = taught.get(case.key)
    units = []
    for at, one in enumerate(case.readings):
        if one.score:
            text = " ".join(f"{one.passage.above} {one.passage.text}".split())
            tokens = encoder.framed(encoder.tokens(text, query=False))
            units.append(Unit(tokens, one.answers, max(one.score), taught=said[at][0] if said else None))
    return Asked(encoder.framed(encoder.tokens(case.question, query=True)), units)


def learn(near: Nearness, questions: Sequence[Asked], steps: int, weight: float) -> None:
    """Learn from questions whose units have a ``base``; nearness counts ``weight`` log-odds per 1.0."""
    rng, order = random.Random(SEED), list(questions)
    descent = Descent(list(near.network.layers.parameters()), RATE, steps, WARMING)
    for step, some in zip(range(steps), batches(order, BATCH, rng), strict=False):
        chosen = [(asked, picked(asked.units, lambda one: one.answers, UNITS, RANDOM, rng)) for asked in some]
        units, sizes = [one for _, own in chosen for one in own], [len(own) for _, own in chosen]
        odds = PRIOR * weight * near(chosen)
        base, truth, score = (
            torch.tensor(values, device=odds.device)
            for values in zip(*[(one.base, float(one.answers), one.score) for one in units], strict=True)
        )
        loss = by_unit(odds, base, truth, sizes)
        if all(one.taught is not None for one in units):
            wanted = torch.tensor([one.taught or 0.0 for one in units], device=odds.device)
            loss = TRUTH * loss + distilled(odds + PRIOR * (base - score), wanted, score, sizes)
        descent.take(loss)
        if step % 20 == 0:
            print(f"step {step} of {steps}: loss {loss.item():.3f}", flush=True)


@torch.no_grad()
def nearness_of(near: Nearness, asked: Asked) -> np.ndarray:
    """Return how near each unit of a question is."""
    return np.asarray(near([(asked, asked.units)]).float().cpu())


def line(name: str, near: Nearness, questions: Sequence[Asked], weight: float) -> str:
    """Return how often the first unit answers, one of three, and one of eight, of a set's questions."""
    hits = []
    for asked in questions:
        truth = np.array([one.answers for one in asked.units])
        if truth.any():
            odds = np.array([one.base for one in asked.units]) + weight * nearness_of(near, asked)
            order = truth[np.argsort(-odds, kind="stable")]
            hits.append([order[:most].any() for most in (1, 3, 8)])
    return f"{name:18} {len(hits):4} questions " + "/".join(f"{value:.3f}" for value in np.mean(hits, axis=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--output", type=Path, default=MODEL)
    parser.add_argument("--teacher", type=Path, metavar="FILE", help="learn also from what teacher.py wrote")
    parser.add_argument("--measure", action="store_true", help="learn nothing; measure the adapter that is there")
    options = parser.parse_args()
    encoder, weight = E5Encoder(), load_ranker().rerank
    taught = json.loads(options.teacher.read_text("utf-8")) if options.teacher else {}
    near = Nearness(encoder, MODEL)

    def questions_of(name: str) -> list[Asked]:
        found = [asked_of(case, encoder, taught) for case in cases_of(name)]
        found = [one for one in found if len(one.units) > 1]
        for one in found:
            for unit, value in zip(one.units, nearness_of(near, one), strict=True):
                unit.base = unit.score - weight * float(value)
        return found

    held_out = {name: questions_of(name) for name in (*PUBLIC, *REAL, *WRITTEN, *UNSEEN)
                if name in PUBLIC or is_held_out(name)}  # fmt: skip
    if not options.measure:
        learned: list[Asked] = []
        for name in (*REAL, *WRITTEN):
            if not is_held_out(name):
                own = [one for one in questions_of(name) if taught or any(unit.answers for unit in one.units)]
                learned += own * (REPEATED if name in REAL else 1)
        learn(near, learned, options.steps, weight)
        near.network.save(options.output)
        print("written:", options.output)
    print("held out; first unit answers, one of three, one of eight, by the ranker and nearness")
    for name, questions in held_out.items():
        if any(unit.answers for one in questions for unit in one.units):
            print(line(name, near, questions, weight), flush=True)


if __name__ == "__main__":
    main()
