"""The learned ranker: boosted trees over the features of a sentence, and the probability that the best one answers.

The model is a small JSON file made by ``bench/selection_train.py``; nothing but numpy is needed to use it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .features import NAMES, Floats

MODEL = Path(__file__).with_name("model.json")
VERDICT: tuple[str, ...] = (
    "best",
    "lead",
    "mean_of_next",
    "said_sentence",
    "said_unit",
    "said_everywhere",
    "rarest",
    "second_rarest",
    "together_unit",
    "near_sentence",
    "near_passage",
    "search_score",
    "holds_kind",
    "title_gap",
    "terms",
)
"""What the probability of an answer is computed from: scores of the best sentences, features of the best one."""


@dataclass(frozen=True)
class Ranker:
    """``trees`` are arrays of nodes (feature, threshold, left, right, value); a leaf has feature -1."""

    base: float
    trees: tuple[tuple[NDArray[np.int64], Floats, NDArray[np.int64], NDArray[np.int64], Floats], ...]
    linear: Floats
    verdict: Mapping[str, float]
    verdict_base: float
    answered: float
    partly: float

    def scores(self, table: Floats) -> Floats:
        """Log-odds of every row being an answer, comparable within a question."""
        total = np.full(len(table), self.base) + table @ self.linear
        for feature, threshold, left, right, value in self.trees:
            node = np.zeros(len(table), dtype=np.int64)
            rows = np.arange(len(table))
            while True:
                asked = feature[node]
                inner = asked >= 0
                if not inner.any():
                    break
                below = table[rows, np.maximum(asked, 0)] <= threshold[node]
                node = np.where(inner, np.where(below, left[node], right[node]), node)
            total += value[node]
        return total

    def probability(self, facts: Mapping[str, float]) -> float:
        """That the best sentence answers, from the values of ``VERDICT``."""
        total = self.verdict_base + sum(weight * facts[name] for name, weight in self.verdict.items())
        return float(sigmoid(np.array(total)))


def sigmoid(values: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0))))


def verdict_facts(table: Floats, scores: Floats, units: Sequence[int], terms: int) -> dict[str, float]:
    """The values of ``VERDICT`` for a question; ``units`` says which unit each row is of. Rows must not be empty."""
    best = int(np.argmax(scores))
    row = dict(zip(NAMES, table[best], strict=True))
    others = [float(score) for score, unit in zip(scores, units, strict=True) if unit != units[best]]
    others.sort(reverse=True)
    second = others[0] if others else float(scores.min()) - 1.0
    following = float(np.mean(others[1:6])) if len(others) > 1 else second - 1.0
    own = {"best": float(scores[best]), "lead": float(scores[best]) - second,
           "mean_of_next": float(scores[best]) - following, "terms": float(min(terms, 12)) / 12}  # fmt: skip
    return {name: own[name] if name in own else float(row[name]) for name in VERDICT}


@cache
def load(path: Path = MODEL) -> Ranker:
    """The model of a file. Raises ValueError when it was made for other features."""
    return load_model(json.loads(path.read_text("utf-8")))


def load_model(data: Mapping[str, Any]) -> Ranker:
    """The model of a file's content. Raises ValueError when it was made for other features."""
    if tuple(data["features"]) != NAMES:
        raise ValueError("The ranker was trained for other features; run `python -m bench.selection_train`.")
    linear = data.get("linear", {})
    return Ranker(
        base=float(data["base"]),
        trees=tuple(_tree(one) for one in data.get("trees", ())),
        linear=np.array([float(linear.get(name, 0.0)) for name in NAMES]),
        verdict={name: float(value) for name, value in data["verdict"].items()},
        verdict_base=float(data["verdict_base"]),
        answered=float(data["answered"]),
        partly=float(data["partly"]),
    )


def _tree(
    nodes: Sequence[Sequence[float]],
) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64], NDArray[np.int64], Floats]:
    """Nodes as written: [feature, threshold, left, right] or [value]."""
    feature = np.array([int(one[0]) if len(one) > 1 else -1 for one in nodes], dtype=np.int64)
    threshold = np.array([one[1] if len(one) > 1 else 0.0 for one in nodes])
    left = np.array([int(one[2]) if len(one) > 1 else 0 for one in nodes], dtype=np.int64)
    right = np.array([int(one[3]) if len(one) > 1 else 0 for one in nodes], dtype=np.int64)
    value = np.array([0.0 if len(one) > 1 else one[0] for one in nodes])
    return feature, threshold, left, right, value
