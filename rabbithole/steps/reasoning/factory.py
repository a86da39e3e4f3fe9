"""Which reasoner answers: as set, or what is there. Always says which and why."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rabbithole.kb.knowledge_base import KnowledgeBase

from .client.availability import ModelMissing, ServerFacts, ServerUnavailable, ollama_facts, require
from .extractive import ExtractiveReasoner
from .prompts import Prompts
from .protocol import Availability, Reasoner
from .settings import ReasonerSettings

if TYPE_CHECKING:
    from .client.gateway import Gateway


def make_reasoner(settings: ReasonerSettings | None = None, kb: KnowledgeBase | None = None) -> Reasoner:
    """The reasoner of the settings, those of the environment when none are given.

    ModelError when a model is demanded and not to be had.

    Asks the model server over HTTP: call it from a thread where an event loop runs (``amake_reasoner`` does).
    """
    settings = settings or ReasonerSettings()
    if settings.reasoner == "extractive":
        return _extractive(kb, "chosen by REASONER=extractive")
    if settings.reasoner == "openai":
        return _with_model(settings, require(settings, "openai"), "openai", "chosen by REASONER=openai", kb)
    if settings.reasoner == "ollama":
        return _with_model(settings, require(settings, "ollama"), "ollama", "chosen by REASONER=ollama", kb)
    try:
        facts = ollama_facts(settings)
    except (ServerUnavailable, ModelMissing) as error:
        reason = str(error).rstrip(".")
        return _extractive(kb, f"REASONER=auto: {reason}")
    return _with_model(settings, facts, "ollama", f"REASONER=auto: Ollama answers at {settings.ollama_base_url}", kb)


async def amake_reasoner(settings: ReasonerSettings | None = None, kb: KnowledgeBase | None = None) -> Reasoner:
    """As ``make_reasoner``, without holding up the event loop."""
    return await asyncio.to_thread(make_reasoner, settings, kb)


def context_window(settings: ReasonerSettings, facts: ServerFacts, kind: str) -> int:
    """Tokens the model may be given: what is asked for, never more than the model was made for."""
    asked = settings.ollama_num_ctx if kind == "ollama" else settings.openai_num_ctx
    if asked is None:
        return facts.context_length or settings.ollama_num_ctx
    return min(asked, facts.context_length) if facts.context_length else asked


def make_gateway(settings: ReasonerSettings, facts: ServerFacts, kind: str) -> Gateway:
    """The one place calls go through, for the server described by the facts."""
    # The only place where LlamaIndex and its clients are loaded: a second nobody without a model should wait.
    from .client.clients import Client, OllamaClient, OpenAIClient  # noqa: PLC0415
    from .client.gateway import Gateway  # noqa: PLC0415
    from .client.thinking import ThinkingPolicy  # noqa: PLC0415

    window = context_window(settings, facts, kind)
    client: Client = OllamaClient(settings, window) if kind == "ollama" else OpenAIClient(settings, window)
    return Gateway(client, facts.model, settings, ThinkingPolicy(settings.ollama_thinking, capable=facts.thinks))


def _extractive(kb: KnowledgeBase | None, reason: str) -> ExtractiveReasoner:
    if kb is None:
        return ExtractiveReasoner(None, reason)
    return ExtractiveReasoner(kb.embed, reason, rarity=kb.rarity)


def _with_model(
    settings: ReasonerSettings, facts: ServerFacts, kind: str, reason: str, kb: KnowledgeBase | None
) -> Reasoner:
    # See make_gateway: LlamaIndex is loaded only when a model answers.
    from .llm.reasoner import LlmReasoner  # noqa: PLC0415

    if facts.fallback:
        reason += f"; {settings.ollama_model} is not there, {facts.model} is taken instead"
    extractive = _extractive(kb, "what the model does not answer")
    return LlmReasoner(
        make_gateway(settings, facts, kind),
        Prompts(settings.prompts_dir),
        extractive,
        Availability(name="ollama" if kind == "ollama" else "openai", model=facts.model, reason=reason),
    )
