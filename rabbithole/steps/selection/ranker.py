"""The learned ranker: feature weights for sentences, and the probability that the best sentence answers.

The model is a small JSON file made by ``bench/answering/selection_train.py``; using it needs only numpy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from .features import NAMES
from .nearness import Floats
from .reranking import USUAL

MODEL = Path(__file__).with_name("model.json")
_SPREAD_OVER_SETS = 0.08
"""Standard deviation of the best unit's nearness over the question sets."""
_NOT_READ: Mapping[str, float] = {"read_again": 1.0, "read_ahead": 1.5, "answers": -1.8, "answers_ahead": -1.1}
"""What is taken for these facts if a unit was not read again: about the average over the question sets, but less for
``answers`` and ``answers_ahead``, because without the reader less is certain.
"""
_NEXT, _USUALLY = 4, -3.0
"""The best unit and the next three are compared; a unit that is not the best has about these log-odds."""
VERDICT: tuple[str, ...] = (
    "mean_of_next",
    "together_unit",
    "near_sentence",
    "holds_kind",
    "search_rank",
    "names_said",
    "agreement",
    "read_again",
    "read_ahead",
    "answers",
    "answers_ahead",
)
"""Inputs of the answer probability: scores of the best sentences and features of the best one."""


@dataclass(frozen=True)
class Ranker:
    """The weights of the ranker.

    ``weights`` belong to the features, ``rerank`` to how near a reread unit is, ``verdict`` to the facts about the
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
    table: Floats,
    scores: Floats,
    read: Floats,
    units: Sequence[int],
    places: Sequence[str],
    answers: Mapping[int, float] = MappingProxyType({}),
) -> dict[str, float]:
    """Return the values of ``VERDICT`` for a question.

    ``read`` holds how near each row's unit is, or is empty; ``units`` the unit of each row, ``places`` its
    section; ``answers`` the log-odds that a unit answers, for those that were read with the question.
    """
    best = int(np.argmax(scores))
    row = dict(zip(NAMES, table[best], strict=True))
    first: dict[int, tuple[float, str]] = {}
    for at in np.argsort(-scores, kind="stable"):
        first.setdefault(int(units[at]), (float(scores[at]), places[at]))
    others = [value for unit, value in first.items() if unit != units[best]]
    following = float(np.mean([score for score, _ in others[:5]])) if others else float(scores[best]) - 1.0
    agreeing = sum(place == places[best] for _, place in others[:4]) / 4
    own = {"mean_of_next": float(scores[best]) - following, "agreement": agreeing}
    own |= _reading_facts(read, units, best) | _answer_facts(answers, list(first))
    return {name: own[name] if name in own else float(row[name]) for name in VERDICT}


def _reading_facts(read: Floats, units: Sequence[int], best: int) -> dict[str, float]:
    """Return how much nearer the best unit is than usual, and than the other units reread, in standard deviations.

    Both are from -3 to 3.
    """
    if not len(read) or not np.isfinite(read[best]):
        return {name: _NOT_READ[name] for name in ("read_again", "read_ahead")}
    near = {unit: float(value) for unit, value in zip(units, read, strict=True) if np.isfinite(value)}
    others = [value for unit, value in near.items() if unit != units[best]] or [near[units[best]]]
    facts = {"read_again": USUAL, "read_ahead": float(np.mean(others))}
    return {name: float(np.clip((read[best] - from_) / _SPREAD_OVER_SETS, -3.0, 3.0)) for name, from_ in facts.items()}


def _answer_facts(answers: Mapping[int, float], order: Sequence[int]) -> dict[str, float]:
    """Return the log-odds that the best unit answers, and by how much they are above those of the next three."""
    if not order or order[0] not in answers:
        return {name: _NOT_READ[name] for name in ("answers", "answers_ahead")}
    others = [answers[unit] for unit in order[1:_NEXT] if unit in answers] or [_USUALLY]
    return {"answers": answers[order[0]], "answers_ahead": answers[order[0]] - float(np.mean(others))}


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
