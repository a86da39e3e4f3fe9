"""Makes the gateway to a model server. Import it only when there is a model: LlamaIndex takes a second to load."""

from __future__ import annotations

from rabbithole.steps.reasoning.settings import ReasonerSettings

from .availability import ServerFacts
from .clients import Client, OllamaClient, OpenAIClient
from .gateway import Gateway
from .thinking import ThinkingPolicy


def context_window(settings: ReasonerSettings, facts: ServerFacts, kind: str) -> int:
    """Return the context window in tokens: as set, but never more than the model supports."""
    asked = settings.ollama_num_ctx if kind == "ollama" else settings.openai_num_ctx
    if asked is None:
        return facts.context_length or settings.ollama_num_ctx
    return min(asked, facts.context_length) if facts.context_length else asked


def make_gateway(settings: ReasonerSettings, facts: ServerFacts, kind: str) -> Gateway:
    """Return the gateway for all calls to the server described by ``facts``."""
    window = context_window(settings, facts, kind)
    client: Client = OllamaClient(settings, window) if kind == "ollama" else OpenAIClient(settings, window)
    return Gateway(client, facts.model, settings, ThinkingPolicy(settings.ollama_thinking, capable=facts.thinks))
