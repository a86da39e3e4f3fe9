"""Ask the model and, if it gives no usable answer, fall back with a note to the user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from rabbithole.steps.reasoning.client.gateway import CallFailed
from rabbithole.steps.reasoning.llm.prompt_runner import Talk, supported
from rabbithole.steps.reasoning.protocol import Purpose

T = TypeVar("T")


async def or_else(
    talk: Talk, purpose: Purpose, language: str, asked: Awaitable[T], instead: Callable[[], Awaitable[T]]
) -> T:
    """Return the model's answer or, if its call fails, the result of ``instead``, with a note in the recorder."""
    try:
        return await asked
    except CallFailed as error:
        talk.degraded(purpose, supported(language), error)
        return await instead()


async def or_this(talk: Talk, purpose: Purpose, language: str, asked: Awaitable[T], known: T) -> T:
    """Return the model's answer or, if its call fails, ``known``, with a note in the recorder."""

    async def instead() -> T:
        return known

    return await or_else(talk, purpose, language, asked, instead)
