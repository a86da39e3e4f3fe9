"""The gateway for model calls: limits, time-outs, retries, cache, counts; with a real server on the loopback."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any, Literal

import pytest
from servers.model_server import Behaviour, ModelServer, running
from servers.settings import settings_for

from rabbithole.kb.errors import ModelError, UsageError
from rabbithole.steps.reasoning.client.availability import ServerFacts
from rabbithole.steps.reasoning.client.cache import AnswerCache, MemoryCache, SqliteCache, cache_key
from rabbithole.steps.reasoning.client.gateway import CallFailed, Gateway
from rabbithole.steps.reasoning.client.gateway_factory import make_gateway
from rabbithole.steps.reasoning.llm.schemas import QueriesShape
from rabbithole.steps.reasoning.recorder import Recorder

PROMPT = "### Task\nAsk.\n### Output format\nIn German, please."
Kind = Literal["ollama", "openai"]
KINDS: tuple[Kind, ...] = ("ollama", "openai")


def gateway(server: ModelServer, kind: Kind = "ollama", **values: Any) -> Gateway:
    facts = ServerFacts(model="qwen3:14b", context_length=40_960, thinks=kind == "ollama")
    return make_gateway(settings_for(server.url, **values), facts, kind)


async def ask(
    gate: Gateway, prompt: str = PROMPT, recorder: Recorder | None = None, cache: AnswerCache | None = None
) -> QueriesShape:
    try:
        return await gate.ask("queries", prompt, QueriesShape, recorder or Recorder(), cache or MemoryCache())
    finally:
        await gate.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_call_is_answered_counted_and_carries_schema_window_and_bound(kind: Kind) -> None:
    with running() as server:
        recorder = Recorder()
        answer = asyncio.run(ask(gateway(server, kind), recorder=recorder))
        body = server.calls[0].body
    assert answer.queries
    assert body["stream"] is True
    if kind == "ollama":
        assert body["format"]["properties"]["queries"]["maxItems"] == 2
        assert body["options"]["num_ctx"] == 32_768
        assert 0 < body["options"]["num_predict"] < 4_097
        assert body["think"] is False
    else:
        assert body["response_format"]["json_schema"]["schema"]["properties"]["queries"]["maxItems"] == 2
        assert 0 < body["max_tokens"] < 4_097
    counted = recorder.by_purpose["queries"]
    assert (counted.calls, counted.failed, counted.repaired) == (1, 0, 0)
    assert counted.prompt_tokens == len(PROMPT) // 3
    assert counted.output_tokens > 0
    assert recorder.model_seconds > 0
    assert (recorder.structured, recorder.structured_valid) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", ["refused", "status_500", "unloaded"])
def test_passing_trouble_is_tried_again(kind: Kind, fault: str) -> None:
    with running(Behaviour(script=[fault])) as server:
        assert asyncio.run(ask(gateway(server, kind))).queries
        assert len(server.calls) == 2


@pytest.mark.parametrize("fault", ["wrong_types", "empty", "refusal"])
def test_an_unusable_answer_is_asked_for_once_more_with_the_fault(fault: str) -> None:
    with running(Behaviour(script=[fault])) as server:
        assert asyncio.run(ask(gateway(server))).queries
        retry = server.calls[1].body["messages"][0]["content"]
    assert retry.startswith(PROMPT)
    assert "could not be used" in retry


def test_after_two_unusable_answers_the_call_fails() -> None:
    with running(Behaviour(script=["refusal"] * 9)) as server:
        recorder = Recorder()
        with pytest.raises(CallFailed, match="JSON"):
            asyncio.run(ask(gateway(server), recorder=recorder))
        assert len(server.calls) == 2
    assert recorder.by_purpose["queries"].failed == 1
    assert (recorder.structured, recorder.structured_valid) == (1, 0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("fault", "words"), [("timeout", "no first token"), ("hang", "no token for")])
def test_the_clocks_end_a_call_that_hangs(kind: Kind, fault: str, words: str) -> None:
    with running(Behaviour(script=[fault] * 9)) as server:
        started = time.monotonic()
        with pytest.raises(CallFailed, match=words):
            asyncio.run(ask(gateway(server, kind, llm_first_token_timeout=2.0)))
        assert time.monotonic() - started < 8
        assert idle_within(server, 2.0)


@pytest.mark.slow
def test_the_total_clock_ends_an_endless_answer() -> None:
    with running(Behaviour(seconds=8.0, pieces=40)) as server:
        gate = gateway(server, llm_total_timeout=0.7, llm_idle_timeout=0.5)
        with pytest.raises(CallFailed, match=r"longer than 0\.7 s"):
            asyncio.run(ask(gate, "in German " * 20))
        assert idle_within(server, 2.0)


def idle_within(server: ModelServer, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while server.busy and time.monotonic() < end:
        time.sleep(0.01)
    return server.busy == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_cancelled_call_leaves_the_server_idle_within_two_seconds(kind: Kind) -> None:
    async def cancelled(server: ModelServer) -> float:
        gate = gateway(server, kind, llm_first_token_timeout=30, llm_idle_timeout=30, llm_total_timeout=60)
        tasks = [
            asyncio.create_task(gate.ask("queries", f"{n}", QueriesShape, Recorder(), MemoryCache())) for n in (1, 2)
        ]
        while server.busy < 2:
            await asyncio.sleep(0.01)
        started = time.monotonic()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while server.busy:
            await asyncio.sleep(0.01)
        await gate.close()
        return time.monotonic() - started

    with running(Behaviour(seconds=20.0)) as server:
        assert asyncio.run(cancelled(server)) < 2.0


def test_a_reader_that_leaves_closes_the_stream() -> None:
    async def leave(server: ModelServer) -> None:
        gate = gateway(server, llm_idle_timeout=30, llm_total_timeout=60, llm_first_token_timeout=30)
        stream = gate.write("write", "in German", 100, Recorder(), MemoryCache())
        assert await anext(stream)
        await stream.aclose()
        await gate.close()

    with running(Behaviour(seconds=20.0, pieces=40)) as server:
        asyncio.run(leave(server))
        assert idle_within(server, 2.0)


def test_no_more_calls_at_once_than_allowed() -> None:
    async def many(server: ModelServer) -> None:
        gate = gateway(server, llm_concurrency=3, llm_first_token_timeout=20)
        calls = (gate.ask("queries", f"{number}", QueriesShape, Recorder(), MemoryCache()) for number in range(9))
        await asyncio.gather(*calls)
        await gate.close()

    with running(Behaviour(seconds=0.1)) as server:
        asyncio.run(many(server))
        assert len(server.calls) == 9
        assert server.most_busy == 3


def test_one_gateway_serves_one_event_loop_after_another() -> None:
    with running() as server:
        gate = gateway(server)
        assert asyncio.run(ask(gate)).queries
        assert asyncio.run(ask(gate, "another")).queries


def test_answers_are_cached_by_model_prompt_and_schema(tmp_path: Path) -> None:
    caches: tuple[AnswerCache, ...] = (MemoryCache(), SqliteCache(tmp_path / "answers.sqlite"))
    for cache in caches:
        with running() as server:
            recorder = Recorder()
            gate = gateway(server)
            first = asyncio.run(ask(gate, recorder=recorder, cache=cache))
            assert asyncio.run(ask(gate, recorder=recorder, cache=cache)) == first
            assert len(server.calls) == 1
        assert recorder.by_purpose["queries"].cached == 1
    assert SqliteCache(tmp_path / "answers.sqlite").get_answer("nothing") is None
    assert len({cache_key("m", "p", "s"), cache_key("mp", "", "s"), cache_key("m", "p", "")}) == 3


def test_a_cache_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ModelError, match="cannot be opened"):
        SqliteCache(tmp_path / "file" / "answers.sqlite")


def test_a_faulty_answer_is_not_cached() -> None:
    cache = MemoryCache()
    with running(Behaviour(script=["refusal", "refusal"])) as server:
        gate = gateway(server)
        with pytest.raises(CallFailed):
            asyncio.run(ask(gate, cache=cache))
        assert asyncio.run(ask(gate, cache=cache)).queries


def test_a_question_longer_than_the_window_is_one_clear_sentence() -> None:
    with running() as server, pytest.raises(UsageError, match="too long for the model's context window"):
        gateway(server, ollama_num_ctx=2048).room("write", "Wort " * 4000, 200)


def test_repetition_is_cut_off() -> None:
    async def write(server: ModelServer) -> str:
        gate = gateway(server)
        try:
            return "".join([text async for text in gate.write("write", "x", 100, Recorder(), MemoryCache())])
        finally:
            await gate.close()

    with running(Behaviour(script=["repetition"])) as server, pytest.raises(CallFailed, match="repeated"):
        asyncio.run(write(server))


def test_a_server_that_stays_down_is_not_asked_again_and_again() -> None:
    async def many(server: ModelServer) -> None:
        gate = gateway(server, llm_attempts=1)
        for number in range(12):
            with pytest.raises(CallFailed):
                await gate.ask("queries", f"{number}", QueriesShape, Recorder(), MemoryCache())
        await gate.close()

    with running(Behaviour(script=["status_500"] * 99)) as server:
        asyncio.run(many(server))
        assert len(server.calls) == 4


def test_thinking_is_switched_on_where_the_schema_is_ignored_without_it() -> None:
    async def several(server: ModelServer) -> Gateway:
        gate = gateway(server)
        for number in range(4):
            try:
                await gate.ask("queries", f"in German {number}", QueriesShape, Recorder(), MemoryCache())
            except CallFailed:
                continue
        await gate.close()
        return gate

    with running(Behaviour(ignores_schema_without_thinking=True)) as server:
        gate = asyncio.run(several(server))
        assert gate.thinking.switched
        last = server.calls[-1].body
    assert last["think"] is True
    assert last["options"]["num_predict"] > 2048


def test_models_may_differ_by_purpose() -> None:
    with running(Behaviour(models=["qwen3:14b", "small"])) as server:
        asyncio.run(ask(gateway(server, llm_models={"queries": "small"})))
        assert server.calls[0].body["model"] == "small"
