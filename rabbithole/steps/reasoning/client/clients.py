"""Clients for model servers, through LlamaIndex. Each event loop has its own HTTP client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal, Protocol
from weakref import WeakKeyDictionary

import httpx
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.llms.ollama import Ollama
from llama_index.llms.openai_like import OpenAILike
from ollama import AsyncClient

from rabbithole.kb.models import Model
from rabbithole.steps.reasoning.settings import ReasonerSettings


class Call(Model):
    """One call to a model. ``schema_`` is a JSON schema, or None for prose."""

    model: str
    prompt: str
    max_tokens: int
    schema_: Mapping[str, Any] | None = None
    think: bool | None = None


class Delta(Model):
    """A piece of an answer; the last one has the token counts."""

    text: str = ""
    thinking: bool = False
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    finish: str = ""


class Client(Protocol):
    """Streams the answer to one call. Cancelling the consumer closes the connection."""

    kind: Literal["ollama", "openai"]
    context_window: int

    def stream(self, call: Call) -> AsyncIterator[Delta]: ...

    async def close(self) -> None: ...


class OllamaClient:
    """Ollama's native protocol. LlamaIndex fixes the options per ``Ollama`` object, so each call makes its own."""

    kind: Literal["ollama", "openai"] = "ollama"

    def __init__(self, settings: ReasonerSettings, context_window: int) -> None:
        self._settings = settings
        self.context_window = context_window
        self._http: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncClient] = WeakKeyDictionary()

    def _client(self) -> AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._http:
            # No time-out here: the gateway enforces them, as it can tell loading, thinking and idling apart.
            self._http[loop] = AsyncClient(host=self._settings.ollama_base_url, timeout=None, trust_env=False)
        return self._http[loop]

    def _llm(self, call: Call) -> Ollama:
        settings = self._settings
        return Ollama(
            model=call.model,
            base_url=settings.ollama_base_url,
            temperature=settings.llm_temperature,
            context_window=self.context_window,
            request_timeout=settings.llm_total_timeout,
            keep_alive=settings.ollama_keep_alive,
            thinking=call.think,
            additional_kwargs={"num_predict": call.max_tokens, "seed": settings.llm_seed},
            async_client=self._client(),
        )

    async def stream(self, call: Call) -> AsyncIterator[Delta]:
        options = {"format": dict(call.schema_)} if call.schema_ is not None else {}
        async for response in await self._llm(call).astream_chat(_messages(call.prompt), **options):
            raw: Mapping[str, Any] = response.raw if isinstance(response.raw, Mapping) else {}
            yield Delta(
                text=response.delta or "",
                thinking=bool(response.additional_kwargs.get("thinking_delta")),
                prompt_tokens=raw.get("prompt_eval_count"),
                output_tokens=raw.get("eval_count"),
                finish=str(raw.get("done_reason") or "") if raw.get("done") else "",
            )

    async def close(self) -> None:
        client = self._http.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()  # type: ignore[no-untyped-call]


class OpenAIClient:
    """Any server with OpenAI's protocol: llama.cpp, vLLM, LM Studio."""

    kind: Literal["ollama", "openai"] = "openai"

    def __init__(self, settings: ReasonerSettings, context_window: int) -> None:
        self._settings = settings
        self.context_window = context_window
        self._http: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()

    def _client(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._http:
            self._http[loop] = httpx.AsyncClient(timeout=None, trust_env=False)
        return self._http[loop]

    def _llm(self, call: Call) -> OpenAILike:
        settings = self._settings
        return OpenAILike(
            model=call.model,
            api_base=settings.openai_base_url,
            api_key=settings.openai_api_key,
            temperature=settings.llm_temperature,
            context_window=self.context_window,
            is_chat_model=True,
            max_retries=0,
            timeout=settings.llm_total_timeout,
            async_http_client=self._client(),
        )

    async def stream(self, call: Call) -> AsyncIterator[Delta]:
        options: dict[str, Any] = {"max_tokens": call.max_tokens, "stream_options": {"include_usage": True}}
        options["seed"] = self._settings.llm_seed
        if call.schema_ is not None:
            named = {"name": "answer", "schema": dict(call.schema_), "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": named}
        if call.think is not None:
            options["extra_body"] = {"chat_template_kwargs": {"enable_thinking": call.think}}
        async for response in await self._llm(call).astream_chat(_messages(call.prompt), **options):
            yield _openai_delta(response)

    async def close(self) -> None:
        client = self._http.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()


def _openai_delta(response: ChatResponse) -> Delta:
    raw = response.raw
    usage = getattr(raw, "usage", None)
    choices = getattr(raw, "choices", None) or []
    return Delta(
        text=response.delta or "",
        thinking=bool(response.additional_kwargs.get("thinking_delta")),
        prompt_tokens=getattr(usage, "prompt_tokens", None),
        output_tokens=getattr(usage, "completion_tokens", None),
        finish=str(getattr(choices[0], "finish_reason", None) or "") if choices else "",
    )


def _messages(prompt: str) -> list[ChatMessage]:
    return [ChatMessage(role=MessageRole.USER, content=prompt)]
