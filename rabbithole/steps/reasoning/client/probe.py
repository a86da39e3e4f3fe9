"""The checks of ``rabbithole doctor`` on a model server: is it available, does it do what it claims, how fast is it.

Each claim is tested: the schema by asking for prose under a schema, the context window by a text longer than the window
servers fall back to, the speed by measuring it.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.reasoning.text.check_result import CheckResult, Status

from .availability import ModelMissing, ServerFacts, ServerUnavailable, ollama_facts, openai_facts


def probe(settings: ReasonerSettings) -> tuple[CheckResult, ...]:
    """Return all results, in the order in which to fix problems. Takes some seconds; runs its own event loop."""
    if settings.reasoner == "extractive":
        return (
            CheckResult(
                name="reasoner", status="ok", detail="extractive, as set by REASONER=extractive; no model is needed"
            ),
        )
    kind: Literal["ollama", "openai"] = "openai" if settings.reasoner == "openai" else "ollama"
    try:
        facts = ollama_facts(settings) if kind == "ollama" else openai_facts(settings)
    except ServerUnavailable as error:
        return _without_server(settings, str(error))
    except ModelMissing as error:
        status: Status = "warn" if settings.reasoner == "auto" else "fail"
        instead = "; research works extractively, that is, without a model" if settings.reasoner == "auto" else ""
        return (CheckResult(name="model", status=status, detail=f"{error.what}{instead}", remedy=error.remedy),)
    # See the reasoner's factory: LlamaIndex is loaded only when there is a model.
    from .probing import calls  # noqa: PLC0415

    return (*_about(settings, facts, kind), *asyncio.run(calls(settings, facts, kind)))


def _without_server(settings: ReasonerSettings, why: str) -> tuple[CheckResult, ...]:
    if settings.reasoner == "auto":
        detail = f"{why}; research works extractively, that is, without a model"
        return (CheckResult(name="server", status="warn", detail=detail, remedy="start Ollama (`ollama serve`)"),)
    remedy = "start the server, wait until it has loaded its model, or set REASONER=extractive"
    return (CheckResult(name="server", status="fail", detail=why, remedy=remedy),)


def _about(settings: ReasonerSettings, facts: ServerFacts, kind: str) -> tuple[CheckResult, ...]:
    base = settings.ollama_base_url if kind == "ollama" else settings.openai_base_url
    version = f", version {facts.version}" if facts.version else ""
    server = CheckResult(name="server", status="ok", detail=f"{base}{version}")
    if facts.fallback:
        detail = f"{facts.model} (fallback: {settings.ollama_model} is not there)"
        model = CheckResult(name="model", status="warn", detail=detail, remedy=f"ollama pull {settings.ollama_model}")
    else:
        model = CheckResult(name="model", status="ok", detail=facts.model)
    others = sorted(set(settings.llm_models.values()) - set(facts.models))
    if others and facts.models:
        detail = f"LLM_MODELS names models that are not available: {', '.join(others)}"
        missing = CheckResult(name="models by purpose", status="fail", detail=detail, remedy=f"ollama pull {others[0]}")
        return server, model, missing
    return server, model
