"""Scores of one question: recall of gold passages; exact match and F1 of answers (SQuAD, Rajpurkar et al., 2016)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence

_ARTICLES = re.compile(r"\b(?:a|an|the|der|die|das|ein|eine)\b")


def recall(found: Collection[str], gold: Collection[str]) -> float:
    """Share of the gold passages found, 0-1."""
    return sum(one in found for one in gold) / len(gold) if gold else 1.0


def all_found(found: Collection[str], gold: Collection[str]) -> bool:
    return all(one in found for one in gold)


def normalised(answer: str) -> str:
    bare = "".join(" " if character in string.punctuation else character for character in answer.casefold())
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(answer: str, gold: Sequence[str]) -> float:
    return float(any(normalised(answer) == normalised(one) for one in gold))


def contains_answer(text: str, gold: Sequence[str]) -> float:
    """Whether a text holds one of the answers as whole words: what an extractive answer can be held to."""
    return float(any(one and f" {normalised(one)} " in f" {normalised(text)} " for one in gold))


def f1(answer: str, gold: Sequence[str]) -> float:
    return max((_f1(normalised(answer).split(), normalised(one).split()) for one in gold), default=0.0)


def _f1(answer: Sequence[str], gold: Sequence[str]) -> float:
    shared = sum((Counter(answer) & Counter(gold)).values())
    if not shared:
        return 0.0
    precision, reached = shared / len(answer), shared / len(gold)
    return 2 * precision * reached / (precision + reached)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
