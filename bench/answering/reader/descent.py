"""What both trainings of the reader share: batches of questions, and steps of descent with a rate that falls."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import torch
from torch import Tensor, nn

T = TypeVar("T")
_LEAST: Final = 0.02
"""Least share of the learning rate."""


class Descent:
    """Steps of AdamW whose rate rises during the first ``warming`` of ``steps`` and then falls linearly."""

    def __init__(self, learned: Sequence[nn.Parameter], rate: float, steps: int, warming: float) -> None:
        self._learned, self._rate, self._steps, self._warming = learned, rate, steps, warming
        self._optimizer = torch.optim.AdamW(learned, lr=rate, weight_decay=0.01)
        self._step = 0

    def take(self, loss: Tensor) -> None:
        """Take a step down a loss, with gradients of at most norm 1."""
        for group in self._optimizer.param_groups:
            group["lr"] = (
                self._rate * min(1.0, (self._step + 1) / self._warming) * max(_LEAST, 1 - self._step / self._steps)
            )
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._learned, 1.0)
        self._optimizer.step()
        self._step += 1


def batches(items: list[T], size: int, rng: random.Random) -> Iterator[list[T]]:
    """Yield batches for ever; the items are shuffled before each pass, and those left over are left out."""
    while True:
        rng.shuffle(items)
        for at in range(0, len(items) - size + 1, size):
            yield items[at : at + size]
