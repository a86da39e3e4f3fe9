"""The learned ranker: feature weights for sentences, and the probability that the best sentence answers.

The model is a small JSON file made by ``bench/answering/selection_train.py``; using it needs only numpy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .features import NAMES
from .nearness import Floats
from .reranking import USUAL

MODEL = Path(__file__).with_name("model.json")
_SPREAD_OVER_SETS = 0.025
"""Standard deviation of the reranker's cosines over the question sets."""
VERDICT: tuple[str, ...] = (
    "lead",
    "mean_of_next",
    "said_sentence",
    "said_unit",
    "said_everywhere",
    "rarest",
    "second_rarest",
    "together_unit",
    "near_sentence",
    "holds_kind",
    "title_gap",
    "search_rank",
    "names_said",
    "agreement",
    "read_again",
)
"""Inputs of the answer probability: scores of the best sentences and features of the best one."""


@dataclass(frozen=True)
class Ranker:
    """The weights of the ranker.

    ``weights`` belong to the features, ``rerank`` to the cosine of a reread unit, ``verdict`` to the facts about the
    best sentence. ``answered`` and ``partly`` are the least probabilities at which a question counts as answered and at
    which the closest passages may answer it.
    """

    weights: Floats
    rerank: float
    verdict: Mapping[str, float]
    verdict_base: float
    answered: float
    partly: float

    def scores(self, table: Floats) -> Floats:
        """Return the log-odds of each row being the answer; they are comparable only within one question."""
        return np.asarray(table @ self.weights)

    def probability(self, facts: Mapping[str, float]) -> float:
        """Return the probability that the best sentence answers, from the values of ``VERDICT``."""
        total = self.verdict_base + sum(weight * facts[name] for name, weight in self.verdict.items())
        return float(sigmoid(np.array(total)))


def sigmoid(values: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0))))


def verdict_facts(
    table: Floats, scores: Floats, read: Floats, units: Sequence[int], places: Sequence[str]
) -> dict[str, float]:
    """Return the values of ``VERDICT`` for a question.

    ``read`` holds the reranker's cosine of each row, or is empty; ``units`` the unit of each row, ``places`` its
    section.
    """
    best = int(np.argmax(scores))
    row = dict(zip(NAMES, table[best], strict=True))
    first: dict[int, tuple[float, str]] = {}
    for at in np.argsort(-scores, kind="stable"):
        first.setdefault(int(units[at]), (float(scores[at]), places[at]))
    others = [value for unit, value in first.items() if unit != units[best]]
    second = others[0][0] if others else float(scores[best]) - 1.0
    following = float(np.mean([score for score, _ in others[:5]])) if others else second
    agreeing = sum(place == places[best] for _, place in others[:4]) / 4
    own = {"lead": float(scores[best]) - second, "mean_of_next": float(scores[best]) - following,
           "agreement": agreeing, "read_again": _read_again(read, best)}  # fmt: skip
    return {name: own[name] if name in own else float(row[name]) for name in VERDICT}


def _read_again(read: Floats, best: int) -> float:
    """Return how far the best row's cosine is from the usual one, in standard deviations (-3 to 3); 0 if not reread."""
    if not len(read) or not np.isfinite(read[best]):
        return 0.0
    return float(np.clip((read[best] - USUAL) / _SPREAD_OVER_SETS, -3.0, 3.0))


@cache
def load(path: Path = MODEL) -> Ranker:
    """Return the ranker stored in a file. Raises ValueError if it was trained for other features."""
    return load_model(json.loads(path.read_text("utf-8")))


def load_model(data: Mapping[str, Any]) -> Ranker:
    """Return the ranker from a file's content. Raises ValueError if it names unknown features."""
    unknown = sorted({*data["weights"]} - {*NAMES} | {*data["verdict"]} - {*VERDICT})
    if unknown:
        raise ValueError(f"The ranker was trained for other features ({', '.join(unknown)}); train it anew.")
    return Ranker(
        weights=np.array([float(data["weights"].get(name, 0.0)) for name in NAMES]),
        rerank=float(data["rerank"]),
        verdict={name: float(value) for name, value in data["verdict"].items()},
        verdict_base=float(data["verdict_base"]),
        answered=float(data["answered"]),
        partly=float(data["partly"]),
    )
