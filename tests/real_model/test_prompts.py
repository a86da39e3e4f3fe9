"""Each prompt once on a real model: what it answers can be used, in the person's language, on the matter."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from servers.local_model import settings

from bench.answering.judging import PROMPTS
from bench.answering.situations import load
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.recorder import Recorder

pytestmark = [pytest.mark.real_model, pytest.mark.timeout(3600)]


@pytest.mark.parametrize("name", list(PROMPTS))
def test_a_prompt_is_answered_with_something_that_can_be_used(address: str, name: str) -> None:
    ask, _ = PROMPTS[name]
    recorder = Recorder()

    async def asked() -> object:
        reasoner = await asyncio.to_thread(make_reasoner, settings(address))
        try:
            return await ask(reasoner.for_run(recorder), load()[0])
        finally:
            await reasoner.close()

    answer = asyncio.run(asked())
    assert answer or name == "questions"  # where the passages leave no choice open, it asks nothing
    cost = recorder.by_purpose.get(name)
    if cost is None:  # told by words alone: nothing was left for the model to judge
        assert name == "support"
        return
    assert cost.calls >= 1
    assert recorder.structured_valid == recorder.structured, recorder.notes
