"""The gateway for all model calls.

It limits concurrency, refuses prompts that do not fit, enforces time-outs, retries failures that may pass, caches
answers, and records what each purpose cost.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from json import JSONDecodeError
from typing import TypeVar
from weakref import WeakKeyDictionary

import httpx
import openai
from ollama import ResponseError
from pydantic import ValidationError
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from rabbithole.kb.errors import UsageError, without_paths
from rabbithole.steps.reasoning.protocol import Purpose
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.scheduling.priority import Slots

from .answer_shape import Shape, json_schema, output_tokens
from .cache import AnswerCache, cache_key
from .clients import Call, Client, Delta
from .repetition import Repetition
from .streaming import CallTimeout, Clocks, timed
from .structured import Begun, InvalidAnswer, parse, plain
from .thinking import ThinkingPolicy
from .tokens import TokenCounter

S = TypeVar("S", bound=Shape)

TROUBLE = (
    ConnectionError,
    httpx.HTTPError,
    ResponseError,
    openai.OpenAIError,
    CallTimeout,
    OSError,
    JSONDecodeError,
    ValidationError,
)
_ANSWER_SHARE = 0.35  # maximum share of the context window a structured answer may take
_DOWN_AFTER = 4  # failed calls in a row after which the server counts as down
_DOWN_SECONDS = 30.0
_CORRECTION = (
    "\n\n### Correction\n\nYour last answer could not be used: {fault}. Answer again with one JSON object of exactly "
    "the shape given under Output format, and nothing else."
)


class CallFailed(Exception):
    """A call gave no usable answer; the message says why. The caller falls back to an answer without the model."""


class Gateway:
    """Shared by all runs of one reasoner; recorder and cache are passed with each call, as they belong to a run."""

    def __init__(self, client: Client, model: str, settings: ReasonerSettings, thinking: ThinkingPolicy) -> None:
        self.client = client
        self.model = model
        self.settings = settings
        self.thinking = thinking
        self.clocks = Clocks(
            first=settings.llm_first_token_timeout, idle=settings.llm_idle_timeout, total=settings.llm_total_timeout
        )
        self._slots: WeakKeyDictionary[asyncio.AbstractEventLoop, Slots] = WeakKeyDictionary()
        self._counters: dict[str, TokenCounter] = {}
        self._failures = 0
        self._down_until = 0.0

    def model_for(self, purpose: Purpose) -> str:
        return self.settings.llm_models.get(purpose, self.model)

    def counter(self, purpose: Purpose) -> TokenCounter:
        """Return the token counter of the model used for this purpose."""
        return self._counters.setdefault(self.model_for(purpose), TokenCounter())

    def bound(self, shape: type[Shape]) -> int:
        """Return the token limit of a structured answer: as its shape allows, but only a share of a small window."""
        return min(output_tokens(shape), int(_ANSWER_SHARE * self.client.context_window))

    def room(self, purpose: Purpose, prompt: str, answer: int) -> int:
        """Return the tokens left for material in a prompt. Raises UsageError if the fixed part alone does not fit."""
        limit = int(self.client.context_window * self.settings.ollama_safe_limit)
        left = limit - answer - self.thinking.reserve - self.counter(purpose).count_prompt(prompt)
        if left < 0:
            raise UsageError(
                f"The question is too long for the model's context window ({limit} tokens usable, {-left} too many): "
                "shorten it, or raise OLLAMA_NUM_CTX."
            )
        return left

    async def ask(
        self,
        purpose: Purpose,
        prompt: str,
        shape: type[S],
        recorder: Recorder,
        cache: AnswerCache,
        begun: Begun[S] | None = None,
    ) -> S:
        """Return one structured answer. ``begun`` gets its complete parts while it is streamed. Raises CallFailed."""
        schema = json_schema(shape)
        key = cache_key(self.model_for(purpose), prompt, json.dumps(schema, sort_keys=True))
        stored = await asyncio.to_thread(cache.get_answer, key)
        if stored is not None:
            recorder.add(purpose, cached=1)
            return parse(stored, shape)[0]
        fault = ""
        for attempt in range(2):
            asked = prompt + _CORRECTION.format(fault=fault) if attempt else prompt
            watch = begun.watch(shape) if begun else None
            text = await self._collect(purpose, asked, self.bound(shape), schema, recorder, watch)
            try:
                answer, repaired = parse(text, shape)
            except InvalidAnswer as error:
                fault = str(error)
                self.thinking.saw(strict=False)
                continue
            self.thinking.saw(strict=not repaired)
            recorder.add(purpose, repaired=int(repaired))
            recorder.asked_structured(valid=True)
            await asyncio.to_thread(cache.put_answer, key, answer.model_dump_json())
            return answer
        recorder.add(purpose, failed=1)
        recorder.asked_structured(valid=False)
        raise CallFailed(fault)

    async def write(
        self, purpose: Purpose, prompt: str, answer: int, recorder: Recorder, cache: AnswerCache
    ) -> AsyncGenerator[str, None]:
        """Stream prose. Raises CallFailed, possibly after some text was yielded."""
        key = cache_key(self.model_for(purpose), prompt, "")
        stored = await asyncio.to_thread(cache.get_answer, key)
        if stored is not None:
            recorder.add(purpose, cached=1)
            yield stored
            return
        said, watch = list[str](), Repetition()
        finish = ""
        call = self._call(purpose, prompt, answer, None)
        try:
            async with self._slot(), aclosing(self._metered(purpose, call, recorder)) as deltas:
                async for delta in deltas:
                    finish = delta.finish or finish
                    if delta.text:
                        said.append(delta.text)
                        yield delta.text
                    if watch.repeats(delta.text):
                        raise CallFailed("the model repeated itself")
        except TROUBLE as error:
            raise self._failed(purpose, recorder, error) from error
        text = plain("".join(said))
        if not text or finish == "length":
            recorder.add(purpose, failed=1)
            raise CallFailed(
                f"the answer was cut off after {call.max_tokens} tokens" if text else "the answer was empty"
            )
        await asyncio.to_thread(cache.put_answer, key, text)

    async def _collect(
        self,
        purpose: Purpose,
        prompt: str,
        answer: int,
        schema: dict[str, object],
        recorder: Recorder,
        heard: Callable[[str], None] | None,
    ) -> str:
        """Return the whole text of one call, retrying errors of the server that may pass."""
        call = self._call(purpose, prompt, answer, schema)
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self.settings.llm_attempts),
            wait=wait_random_exponential(multiplier=0.3, max=5),
            retry=retry_if_exception(_worth_retrying),
            reraise=True,
        )
        try:
            async for attempt in retrying:
                with attempt:
                    return await self._once(purpose, call, recorder, heard)
        except TROUBLE as error:
            raise self._failed(purpose, recorder, error) from error
        raise CallFailed("no attempt was made")

    async def _once(self, purpose: Purpose, call: Call, recorder: Recorder, heard: Callable[[str], None] | None) -> str:
        said, watch = list[str](), Repetition()
        async with self._slot(), aclosing(self._metered(purpose, call, recorder)) as deltas:
            async for delta in deltas:
                said.append(delta.text)
                if heard and "}" in delta.text:
                    heard("".join(said))
                if watch.repeats(delta.text):
                    break
        return "".join(said)

    async def _metered(self, purpose: Purpose, call: Call, recorder: Recorder) -> AsyncGenerator[Delta, None]:
        """Yield the deltas of one call and record its cost. Raises at once while the server counts as down."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._down_until:
            raise ConnectionError("the model server did not answer the last calls")
        started, said, prompt_tokens, output_tokens_ = loop.time(), 0, None, None
        try:
            with recorder.model_open():
                async with aclosing(timed(self.client, call, self.clocks)) as deltas:
                    async for delta in deltas:
                        said += len(delta.text)
                        prompt_tokens = delta.prompt_tokens or prompt_tokens
                        output_tokens_ = delta.output_tokens or output_tokens_
                        yield delta
            self._failures = 0
        finally:
            counter = self.counter(purpose)
            if prompt_tokens:
                counter.observe(call.prompt, prompt_tokens)
            recorder.add(
                purpose,
                calls=1,
                prompt_tokens=prompt_tokens or counter.count_prompt(call.prompt),
                output_tokens=output_tokens_ or int(said / counter.characters_per_token),
                seconds=loop.time() - started,
            )

    def _call(self, purpose: Purpose, prompt: str, answer: int, schema: dict[str, object] | None) -> Call:
        think = self.thinking.think
        return Call(
            model=self.model_for(purpose),
            prompt=prompt,
            max_tokens=answer + (self.thinking.reserve if think else 0),
            schema_=schema,
            think=think,
        )

    def _failed(self, purpose: Purpose, recorder: Recorder, error: Exception) -> CallFailed:
        self._failures += 1
        if self._failures >= _DOWN_AFTER:
            self._down_until = asyncio.get_running_loop().time() + _DOWN_SECONDS
        recorder.add(purpose, failed=1)
        return CallFailed(in_words(error))

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        slots = self._slots.setdefault(loop, Slots(self.settings.llm_concurrency))
        async with slots.taken():
            yield

    async def close(self) -> None:
        await self.client.close()


def _worth_retrying(error: BaseException) -> bool:
    """Return whether an error may pass, unlike a missing model, a refused request or a slow answer."""
    if isinstance(error, ResponseError):
        return error.status_code in (-1, 408, 429) or error.status_code >= 500
    if isinstance(error, openai.APIStatusError):
        return error.status_code in (408, 409, 429) or error.status_code >= 500
    passing = (ConnectionError, httpx.TransportError, openai.APIConnectionError, openai.APIError, JSONDecodeError)
    return isinstance(error, passing)


def in_words(error: Exception) -> str:
    """Describe the error of a call in one short line."""
    if isinstance(error, CallTimeout):
        return str(error)
    if isinstance(error, (ConnectionError, httpx.ConnectError, openai.APIConnectionError)):
        return "the model server cannot be reached"
    first = str(error).strip().split("\n")[0]
    return without_paths(first or type(error).__name__)[:160]
