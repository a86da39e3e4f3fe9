"""Scores of one question: recall of gold passages; exact match and F1 of answers (SQuAD, Rajpurkar et al., 2016)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence

Span = tuple[str, int, int]
"""A document id and start and end offsets into its text, in characters."""
_ARTICLES = re.compile(r"\b(?:a|an|the|der|die|das|ein|eine)\b")


def recall(found: Collection[Span], gold: Sequence[Span]) -> float:
    """Return the share of gold places that some found place overlaps, 0-1."""
    return sum(_hit(one, found) for one in gold) / len(gold) if gold else 1.0


def all_found(found: Collection[Span], gold: Sequence[Span]) -> bool:
    return all(_hit(one, found) for one in gold)


def _hit(gold: Span, found: Collection[Span]) -> bool:
    document, start, end = gold
    return any(other == document and first < end and start < last for other, first, last in found)


def normalised(answer: str) -> str:
    bare = "".join(" " if character in string.punctuation else character for character in answer.casefold())
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(answer: str, gold: Sequence[str]) -> float:
    return float(any(normalised(answer) == normalised(one) for one in gold))


def contains_answer(text: str, gold: Sequence[str]) -> float:
    """Return 1.0 if the text contains one of the answers as whole words, else 0.0: the measure for quoted answers."""
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
