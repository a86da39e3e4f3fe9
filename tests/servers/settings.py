"""Settings that point at a test server."""

from __future__ import annotations

from typing import Any

from rabbithole.steps.reasoning.settings import ReasonerSettings


def settings_for(url: str, **values: Any) -> ReasonerSettings:
    """Settings for a test server: short patience, no file, no environment."""
    patience: dict[str, Any] = {
        "reasoner": "ollama",
        "llm_first_token_timeout": 20.0,
        "llm_idle_timeout": 0.4,
        "llm_total_timeout": 30.0,
        "llm_attempts": 2,
    }
    return ReasonerSettings(_env_file=None, ollama_base_url=url, openai_base_url=f"{url}/v1", **{**patience, **values})
