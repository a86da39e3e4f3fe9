"""Which passages are kept back of a question whose words stand nowhere in the documents."""

from __future__ import annotations

import pytest

from rabbithole.steps.question import Strange
from rabbithole.steps.response.models import Block
from rabbithole.steps.response.respond import is_noise


@pytest.mark.parametrize(
    ("strange", "probabilities", "expected"),
    [
        (Strange(words=1), [0.005], True),
        (Strange(words=1), [0.02], False),
        (Strange(words=2), [0.05], True),
        (Strange(words=2), [0.05, 0.07], False),
        (Strange(words=3), [0.3], True),
        (Strange(words=4, only="welt"), [0.05], True),
        (Strange(words=4, only="welt"), [0.3], False),
    ],
)
def test_noise(strange: Strange, probabilities: list[float], expected: bool) -> None:
    blocks = [Block(parts=("?",), finding="none", probability=one) for one in probabilities]
    assert is_noise(strange, blocks) is expected
