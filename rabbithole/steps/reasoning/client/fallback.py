"""Asking the model, and answering without it where it gives no usable answer: never silently."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from rabbithole.steps.reasoning.llm.prompt_runner import Talk, supported
from rabbithole.steps.reasoning.protocol import Purpose

from .gateway import CallFailed

T = TypeVar("T")


async def or_else(
    talk: Talk, purpose: Purpose, language: str, asked: Awaitable[T], instead: Callable[[], Awaitable[T]]
) -> T:
    """The model's answer; when its call fails, the other one, and a note in the run's recorder."""
    try:
        return await asked
    except CallFailed as error:
        talk.degraded(purpose, supported(language), error)
        return await instead()


async def or_this(talk: Talk, purpose: Purpose, language: str, asked: Awaitable[T], known: T) -> T:
    """The model's answer; when its call fails, what is known already, and a note."""

    async def instead() -> T:
        return known

    return await or_else(talk, purpose, language, asked, instead)
