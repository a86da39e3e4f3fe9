"""Choose the reasoner, by the settings or by what is available, and record which one and why."""

from __future__ import annotations

import asyncio

from rabbithole.kb.knowledge_base import KnowledgeBase

from .client.availability import ModelMissing, ServerFacts, ServerUnavailable, ollama_facts, require
from .extractive import ExtractiveReasoner
from .prompts import Prompts
from .protocol import Availability, Reasoner
from .settings import ReasonerSettings


def make_reasoner(settings: ReasonerSettings | None = None, kb: KnowledgeBase | None = None) -> Reasoner:
    """Return the reasoner chosen by the settings (by default those of the environment).

    It queries the model server over HTTP; under a running event loop call ``amake_reasoner`` instead.
    Raises ``ModelError`` if the settings demand a model that is unavailable.
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
    """Do as ``make_reasoner`` does, without blocking the event loop."""
    return await asyncio.to_thread(make_reasoner, settings, kb)


def _extractive(kb: KnowledgeBase | None, reason: str) -> ExtractiveReasoner:
    if kb is None:
        return ExtractiveReasoner(None, reason)
    return ExtractiveReasoner(kb.embed, reason, rarity=kb.rarity)


def _with_model(
    settings: ReasonerSettings, facts: ServerFacts, kind: str, reason: str, kb: KnowledgeBase | None
) -> Reasoner:
    # LlamaIndex and its clients take a second to import, so they are loaded only when there is a model.
    from .client.gateway_factory import make_gateway  # noqa: PLC0415
    from .llm.reasoner import LlmReasoner  # noqa: PLC0415

    if facts.fallback:
        reason += f"; {settings.ollama_model} is not installed, so {facts.model} is used instead"
    extractive = _extractive(kb, "what the model does not answer")
    return LlmReasoner(
        make_gateway(settings, facts, kind),
        Prompts(settings.prompts_dir),
        extractive,
        Availability(name="ollama" if kind == "ollama" else "openai", model=facts.model, reason=reason),
    )
