"""Trains the reader that finds where a passage answers, and prints how well it does on questions it has not seen.

Run: ``python -m bench.answering.reader.train [--epochs 5] [--start FILE] [--frozen 0] [--final]``. It needs torch, and
minutes on a GPU; on two cores hours. First it learns from two thirds of the collections and articles and reads the
others, three times, and prints for these: how often the best sentence of a unit that answers is one that does, by the
scores before, the reader alone, and both; and how well the log-odds tell units that answer from others (area under the
curve). The readers are kept below ``build``, for ``selection_train``. With ``--final`` it learns from everything but
the unseen sets, and writes ``rabbithole/kb/store/encoders/span_reader.npz``, from which ``order.py`` goes on.

Three things are learned at once: in which sentence the answer stands, by which words (where a set gives them), and
whether a passage answers at all. Half of the passages are shortened at random, and a quarter of the questions of XQuAD
are asked in the other language.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.nn import functional

from bench.answering.selection_sets import PUBLIC, REAL
from rabbithole.kb.store.encoders.e5 import E5Encoder
from rabbithole.kb.store.encoders.span_reader import MODEL, SpanModel, SpanReader, lay_out
from rabbithole.steps.selection.reading import decided

from .cases import EVERY, LEARNED, Case, Reading, answering_tokens, cases_of
from .descent import Descent, batches
from .folds import FOLDS, NEVER, reader_path
from .network import Network

RATE, BATCH, NEGATIVES, REPEATED = 0.001, 16, 2, 3
"""Learning rate, questions a step, passages a question that do not answer, and times that real PDFs are repeated."""
SHORTENED, BARE, OTHER_LANGUAGE, YES = 0.5, 0.3, 0.25, 0.7
SEED: Final = 26


@dataclass(frozen=True)
class Item:
    question: str
    reading: Reading


def shortened(reading: Reading, rng: random.Random) -> Reading:
    """Return a passage with some of its sentences, at least one that answers and one other."""
    last = len(reading.sentences) - 1
    chosen = rng.choice([at for at, answers in enumerate(reading.sentences) if answers])
    low, high = rng.randint(0, chosen), rng.randint(chosen, last)
    if low == high:
        low, high = max(0, low - 1), min(last, high + 1)
    spans = reading.passage.sentences[low : high + 1]
    first, end = spans[0][0], spans[-1][1]
    passage = replace(
        reading.passage,
        above="" if rng.random() < BARE else reading.passage.above,
        text=reading.passage.text[first:end],
        sentences=tuple((start - first, stop - first) for start, stop in spans),
    )
    inside = tuple((start - first, stop - first) for start, stop in reading.spans if first <= start and stop <= end)
    return Reading(passage, reading.sentences[low : high + 1], inside)


def items_of(cases: Sequence[Case], others: dict[tuple[str, str], str], rng: random.Random) -> list[Item]:
    """Return what to learn from for some cases: one passage that answers each, and some that do not."""
    found = []
    for case in cases:
        question = case.question
        if rng.random() < OTHER_LANGUAGE:
            twin = {"xquad_en": "xquad_de", "xquad_de": "xquad_en"}.get(case.set, "")
            question = others.get((twin, case.id), question)
        answering = [one for one in case.readings if one.answers]
        if answering:
            one = rng.choice(answering)
            several = len(one.sentences) > 1 and rng.random() < SHORTENED
            found.append(Item(question, shortened(one, rng) if several else one))
        wrong = [one for one in case.readings if not one.answers]
        found += [Item(case.question, one) for one in rng.sample(wrong, min(NEGATIVES, len(wrong)))]
    return found


class Trainer:
    """Trains one network on cases."""

    def __init__(self, encoder: E5Encoder, start: Path | None, frozen: int) -> None:
        self._encoder = encoder
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(SEED)
        self.network = Network(encoder)
        if start is not None:
            self.network.start_from(start)
        for layer in list(self.network.layers)[:frozen]:
            layer.requires_grad_(requires_grad=False)
        self.network.to(self._device)

    def learn(self, cases: Sequence[Case], epochs: int) -> None:
        rng, others = random.Random(SEED), {(case.set, case.id): case.question for case in cases}
        all_ = [case for case in cases for _ in range(REPEATED if case.set in REAL else 1)]
        learned = [one for one in self.network.parameters() if one.requires_grad]
        steps = epochs * (len(all_) // BATCH)
        descent = Descent(learned, RATE, steps, 0.1 * steps + 1)
        for step, some in zip(range(steps), batches(all_, BATCH, rng), strict=False):
            loss = self._loss(items_of(some, others, rng))
            descent.take(loss)
            if step % 50 == 0:
                print(f"step {step} of {steps}: loss {loss.item():.3f}", flush=True)
        self.network.eval()

    def _loss(self, items: Sequence[Item]) -> Tensor:
        """Return the loss by sentences, by words, and by whether passages answer."""
        laid_out = [lay_out(self._encoder, one.question, one.reading.passage) for one in items]
        tokens, passages, _ = self.network([text for text, _ in laid_out])
        answers = torch.tensor([float(one.reading.answers) for one in items], device=self._device)
        loss = YES * functional.binary_cross_entropy_with_logits(passages, answers)
        by_sentence, by_words = [], []
        for row, item, (_, spans) in zip(tokens, items, laid_out, strict=True):
            if not item.reading.answers:
                continue
            inside = torch.cat([row[start:end] for start, end in spans])
            whole = torch.logsumexp(inside, 0)
            told = [row[a:b] for (a, b), yes in zip(spans, item.reading.sentences, strict=True) if yes and a < b]
            if told:
                by_sentence.append(whole - torch.logsumexp(torch.cat(told), 0))
            if words := answering_tokens(self._encoder, item.reading, spans):
                by_words.append(whole - torch.logsumexp(torch.cat([row[a:b] for a, b in words]), 0))
        for some in (by_sentence, by_words):
            loss = loss + (torch.stack(some).mean() if some else 0.0)
        return loss


def measured(cases: Sequence[Case], reader: SpanReader) -> dict[str, list[tuple[float, ...]]]:
    """Return what is right in units that answer, by ranker, reader and both; and log-odds with the truth."""
    found: dict[str, list[tuple[float, ...]]] = {"sentences": [], "units": []}
    for case in cases:
        scored = [one for one in case.readings if one.score]
        read = reader.read(case.question, [one.passage for one in scored])
        found["units"] += [(each.answers, float(one.answers)) for one, each in zip(scored, read, strict=True)]
        for one, each in zip(scored, read, strict=True):
            if one.answers and not all(one.sentences):
                own = np.array(one.score)
                ways = (own, each.sentences, decided(own, each.sentences))
                found["sentences"].append(tuple(float(one.sentences[int(np.argmax(way))]) for way in ways))
                break
    return found


def _print(name: str, found: dict[str, list[tuple[float, ...]]]) -> None:
    ways = "/".join(f"{value:.3f}" for value in np.mean(found["sentences"], axis=0)) if found["sentences"] else "-"
    odds, truth = np.array(found["units"]).T if found["units"] else (np.zeros(0), np.zeros(0))
    area = f"{roc_auc_score(truth, odds):.3f}" if 0 < truth.sum() < len(truth) else "-"
    print(f"{name:18} {len(found['sentences']):4} sentence {ways}   {len(truth):5} units, AUC {area}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--start", type=Path, help="a reader to start from")
    parser.add_argument("--frozen", type=int, default=0, help="lower layers that stay as they are")
    parser.add_argument("--final", action="store_true", help="learn from everything and write the reader")
    options = parser.parse_args()
    encoder = E5Encoder()
    cases = {name: cases_of(name) for name in EVERY}
    learned = [case for name in LEARNED for case in cases[name]]
    print("best sentence of a unit that answers: scores before / reader alone / both")
    for fold in (NEVER,) if options.final else range(FOLDS):
        trainer = Trainer(encoder, options.start, options.frozen)
        trainer.learn([case for case in learned if case.fold != fold], options.epochs)
        place = MODEL if options.final else reader_path(fold)
        trainer.network.save(place)
        print("written:", place)
        reader = SpanReader(SpanModel.load(encoder, place))
        for name in (*PUBLIC, *(name for name in EVERY if name not in (*LEARNED, *PUBLIC)), *REAL):
            if own := [case for case in cases[name] if case.fold == fold or case.fold == NEVER]:
                _print(name, measured(own, reader))


if __name__ == "__main__":
    main()
