"""Teaches a larger model which unit of a question answers, and writes what it says, for the reader to learn from.

Run: ``python -m bench.answering.reader.teacher MODEL OUTPUT [--steps 250]``, then ``python -m
bench.answering.reader.order --teacher OUTPUT``. MODEL is a folder with EmbeddingGemma 300M (Gemma terms), which is only
measured with: neither its weights nor additions to them are in the package. It needs torch and, to end in minutes, a
GPU. The model learns from the same collections as the reader, and has never seen those that are held out.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

from bench.answering.selection_sets import PUBLIC, REAL, UNSEEN, WRITTEN

from .cases import Case, Reading, cases_of, picked
from .descent import Descent, batches
from .folds import is_held_out
from .losses import by_unit, whether

RATE, BATCH, UNITS, RANDOM, OTHERS, WARMING, SEED = 3e-5, 16, 8, 3, 0.3, 60, 33
_TOKENS: Final = 420
_TOGETHER: Final = 64


class Teacher(nn.Module):
    """Reads questions and units together; two linear maps above the mean of the last layer give their log-odds."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        torch.manual_seed(SEED)
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self.body = AutoModel.from_pretrained(folder)
        self.body.get_input_embeddings().requires_grad_(requires_grad=False)
        width = self.body.config.hidden_size
        self.answers, self.order = nn.Linear(width, 1), nn.Linear(width, 1)
        for one in (self.answers, self.order):
            nn.init.zeros_(one.weight)

    def forward(self, pairs: Sequence[tuple[str, Reading]]) -> tuple[Tensor, Tensor]:
        """Return the log-odds that each unit answers, and those that put the units of a question in order."""
        texts = [f"task: question answering | query: {asked}\ntext: {_whole(one)}" for asked, one in pairs]
        tokens = self._tokenizer(texts, padding=True, truncation=True, max_length=_TOKENS, return_tensors="pt")
        tokens = tokens.to(self.answers.weight.device)
        with torch.autocast(self.answers.weight.device.type, dtype=torch.bfloat16):
            states = self.body(**tokens).last_hidden_state.float()
        mask = tokens["attention_mask"][..., None]
        mean = (states * mask).sum(1) / mask.sum(1)
        return self.answers(mean)[:, 0], self.order(mean)[:, 0]

    def learn(self, cases: Sequence[Case], steps: int) -> None:
        rng = random.Random(SEED)
        questions = [case for case in cases if any(one.answers for one in case.readings)]
        descent = Descent([one for one in self.parameters() if one.requires_grad], RATE, steps, WARMING)
        device = self.answers.weight.device
        for step, some in zip(range(steps), batches(questions, BATCH, rng), strict=False):
            chosen = [picked(case.readings, _answers, UNITS, RANDOM, rng) for case in some]
            answers, order = self([(case.question, one) for case, own in zip(some, chosen, strict=True) for one in own])
            truth = torch.tensor([float(one.answers) for own in chosen for one in own], device=device)
            scores = torch.tensor([max(one.score) for own in chosen for one in own], device=device)
            loss = by_unit(order, scores, truth, [len(own) for own in chosen]) + OTHERS * whether(answers, truth)
            descent.take(loss)
            if step % 20 == 0:
                print(f"step {step} of {steps}: loss {loss.item():.3f}", flush=True)

    @torch.no_grad()
    def said(self, case: Case) -> list[tuple[float, float]]:
        """Return for each unit of a question the log-odds of its order, and that it answers."""
        found: list[tuple[float, float]] = []
        for at in range(0, len(case.readings), _TOGETHER):
            answers, order = self([(case.question, one) for one in case.readings[at : at + _TOGETHER]])
            found += zip(np.round(order.tolist(), 3).tolist(), np.round(answers.tolist(), 3).tolist(), strict=True)
        return found


def _whole(one: Reading) -> str:
    return " ".join(f"{one.passage.above} {one.passage.text}".split())


def _answers(one: Reading) -> bool:
    return one.answers


def _cases(*, held_out: bool) -> Iterator[Case]:
    for name in (*PUBLIC, *REAL, *WRITTEN, *UNSEEN):
        if is_held_out(name) == held_out:
            yield from cases_of(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, default=250)
    options = parser.parse_args()
    teacher = Teacher(options.model).to("cuda" if torch.cuda.is_available() else "cpu")
    learned = list(_cases(held_out=False))
    teacher.learn(learned, options.steps)
    options.output.write_text(json.dumps({case.key: teacher.said(case) for case in learned}), "utf-8")
    right, first, questions = 0, 0, 0
    for case in _cases(held_out=True):
        if any(one.answers for one in case.readings):
            before = np.array([max(one.score) for one in case.readings])
            order = np.array([order for order, _ in teacher.said(case)])
            questions += 1
            first += case.readings[int(np.argmax(before))].answers
            right += case.readings[int(np.argmax(before + 2.0 * order))].answers
    print(f"held out: {questions} questions; first unit answers {first / questions:.3f}, then {right / questions:.3f}")


if __name__ == "__main__":
    main()
