"""Learns anew how certain an answer is, for the reader of the package, from collections that it has not seen.

Run: ``python -m bench.answering.reader.verdict [--dry]``, after ``selection_train``. That learns the verdict with three
readers, each of which has not seen a third of the questions. The readers of the package are others, and what they say
has another scale. So the weights, none of which is negative, and the constant are fitted on the sets held out of both
(``folds.is_held_out``), starting from those of ``model.json``, from which a penalty keeps them near; not on written
questions, which are easier (docs/rejected.md). Printed is how often the first unit answers, by the probability given:
before, and after with each collection left out in turn.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from bench.answering.selection_sets import REAL, UNSEEN, collection_of
from rabbithole.kb.store.encoders.answer_reader import span_reader
from rabbithole.kb.store.encoders.span_reader import SpanReader
from rabbithole.steps.selection.limits import highest
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.ranker import MODEL, VERDICT, sigmoid
from rabbithole.steps.selection.ranker import load as load_ranker

from .cases import scored_parts
from .folds import is_held_out

PENALTY: Final = 40.0
"""Weight of the squared distance from the weights before, in standard deviations of the facts."""
ABOUT: Final = (
    "weights of a conditional logit by bench.answering.selection_train, verdict by bench.answering.reader.verdict"
)
EDGES: Final = (0.0, 0.1, 0.25, 0.45, 0.6, 0.8, 1.01)


@dataclass(frozen=True)
class Fact:
    """What is known of the best unit of a part of a question; ``limit`` is the highest probability it can have."""

    collection: str
    values: tuple[float, ...]
    limit: float
    answers: bool


def facts_of(name: str, reader: SpanReader) -> Iterator[Fact]:
    """Yield the facts of the parts of a set's questions."""
    ranker = load_ranker()
    for one in scored_parts(name, ranker, reader):
        found = one.found
        best = found.sentences[int(np.argmax(found.scores))]
        own = [at for at, row in enumerate(found.sentences) if row.opened == best.opened]
        limit = highest(one.question, found.units[best.opened], best.text, ranker.answered)
        values = (*(found.facts[fact] for fact in VERDICT), 1.0)
        yield Fact(collection_of(name), values, limit, bool(one.answers[own].any()))


def fitted(facts: Sequence[Fact], before: Floats) -> Floats:
    """Return the weights and the constant, learned from the facts whose probability nothing limits."""
    some = [one for one in facts if one.limit >= 1.0]
    values, truth = np.array([one.values for one in some]), np.array([float(one.answers) for one in some])
    spread = np.append(values[:, :-1].std(axis=0), 1.0)

    def loss(weights: Floats) -> float:
        odds = values @ weights
        change = (weights - before) * spread
        return float((np.logaddexp(0.0, odds) - truth * odds).sum() + PENALTY * (change**2).sum())

    bounds = [(0.0, None)] * len(VERDICT) + [(None, None)]
    return np.asarray(minimize(loss, before, bounds=bounds).x)


def probabilities(facts: Sequence[Fact], weights: Floats) -> Floats:
    """Return the probability of each, as ``Ranker.probability`` and its limit do."""
    values = np.array([one.values for one in facts])
    return np.minimum(sigmoid(values @ weights), [one.limit for one in facts])


def _print(label: str, chance: Floats, facts: Sequence[Fact]) -> None:
    truth = np.array([one.answers for one in facts])
    loss = -np.log(np.clip(np.where(truth, chance, 1.0 - chance), 1e-3, 1.0)).mean()
    cells = []
    for low, high in itertools.pairwise(EDGES):
        own = truth[(chance >= low) & (chance < high)]
        cells.append(f"{low:.2f}: {len(own)} {own.mean() if len(own) else 0.0:.2f}")
    print(f"{label:22} AUC {roc_auc_score(truth, chance):.3f}  loss {loss:.3f}  " + "  ".join(cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dry", action="store_true", help="write no model")
    options = parser.parse_args()
    reader = span_reader()
    every = (*REAL, *UNSEEN)
    facts = [one for name in every if is_held_out(name) for one in facts_of(name, reader)]
    data: dict[str, Any] = json.loads(MODEL.read_text("utf-8"))
    before = np.array([*(data["verdict"].get(name, 0.0) for name in VERDICT), data["verdict_base"]])
    after = np.zeros(len(facts))
    for collection in {one.collection for one in facts}:
        weights = fitted([one for one in facts if one.collection != collection], before)
        own = [at for at, one in enumerate(facts) if one.collection == collection]
        after[own] = probabilities([facts[at] for at in own], weights)
    print(f"{len(facts)} parts; probability from: parts, share whose first unit answers")
    _print("before", probabilities(facts, before), facts)
    _print("after, left out", after, facts)
    if not options.dry:
        *kept, base = (round(float(value), 5) for value in fitted(facts, before))
        data |= {"about": ABOUT, "verdict": dict(zip(VERDICT, kept, strict=True)), "verdict_base": base}
        MODEL.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
        print("written:", MODEL)


if __name__ == "__main__":
    main()
