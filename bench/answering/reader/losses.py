"""What the reader and its teacher learn by: which unit of a question answers, and whether a unit answers at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

PRIOR: Final = 0.5
"""Weight of the ranker's log-odds beside those that are learned."""
_LIKELY_WRONG: Final = 0.4
"""Weight of units that do not answer in the loss for whether units answer."""
_SOFTNESS: Final = 1.5
"""Temperature at which the reader is compared with its teacher."""


def by_unit(order: Tensor, scores: Tensor, truth: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return how unlikely the units that answer are among those of their question (Nogueira and Cho, 2019).

    ``sizes`` are the numbers of units of each question; a question without a unit that answers counts nothing.
    """
    found = []
    for own in _questions(sizes):
        odds, right = order[own] + PRIOR * scores[own], truth[own] > 0
        if bool(right.any()):
            found.append(torch.logsumexp(odds, 0) - torch.logsumexp(odds[right], 0))
    return torch.stack(found).mean() if found else order.sum() * 0.0


def whether(answers: Tensor, truth: Tensor, target: Tensor | None = None) -> Tensor:
    """Return how wrong the log-odds are that units answer; ``target`` is the probability wanted, if not the truth."""
    share = torch.where(truth > 0, 1.0, _LIKELY_WRONG)
    wanted = truth if target is None else target
    return functional.binary_cross_entropy_with_logits(answers, wanted, share, reduction="sum") / share.sum()


def distilled(order: Tensor, taught: Tensor, scores: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return how far the order of units is from the teacher's (Kullback-Leibler; Hinton et al., 2015)."""
    found = []
    for own in _questions(sizes):
        wanted, given = (
            functional.log_softmax((some[own] + PRIOR * scores[own]) / _SOFTNESS, 0) for some in (taught, order)
        )
        found.append((wanted.exp() * (wanted - given)).sum() * _SOFTNESS**2)
    return torch.stack(found).mean()


def _questions(sizes: Sequence[int]) -> Iterator[slice]:
    at = 0
    for size in sizes:
        yield slice(at, at + size)
        at += size
