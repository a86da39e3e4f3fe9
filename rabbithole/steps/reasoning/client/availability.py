"""Find out which model server is available and which models it has, once, before a run starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from rabbithole.kb.errors import ModelError
from rabbithole.kb.models import Model
from rabbithole.steps.reasoning.settings import ReasonerSettings

LOADING = 503  # the status of llama.cpp and vLLM until the model is loaded
PATIENCE = 3.0  # seconds to wait for information about the server


class ServerFacts(Model):
    """What a model server reports about itself and the chosen model."""

    version: str = ""
    models: tuple[str, ...] = ()
    model: str = ""
    fallback: bool = False
    context_length: int | None = None
    thinks: bool = False


class ServerUnavailable(Exception):
    """The server does not answer, or is no model server; the message is one clause."""


class ModelMissing(Exception):
    """The server has none of the wanted models; the message is one sentence with the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}: {remedy}.")
        self.what, self.remedy = what, remedy


def ollama_facts(settings: ReasonerSettings) -> ServerFacts:
    """Query Ollama. Raises ServerUnavailable or ModelMissing."""
    base = settings.ollama_base_url
    with httpx.Client(base_url=base, timeout=PATIENCE, trust_env=False) as http:
        tags = _json(http, "GET", "/api/tags", base)
        names = tuple(sorted(str(item.get("name") or item.get("model") or "") for item in tags.get("models") or ()))
        version = str(_json(http, "GET", "/api/version", base).get("version") or "")
        for wanted in dict.fromkeys((settings.ollama_model, settings.ollama_fallback_model)):
            found = _named(wanted, names)
            if found:
                shown = _json(http, "POST", "/api/show", base, {"model": found})
                return ServerFacts(
                    version=version,
                    models=names,
                    model=found,
                    fallback=wanted != settings.ollama_model,
                    context_length=_context_length(shown),
                    thinks="thinking" in (shown.get("capabilities") or ()),
                )
    wanted = " nor ".join(dict.fromkeys((repr(settings.ollama_model), repr(settings.ollama_fallback_model))))
    raise ModelMissing(
        f"Ollama at {base} has {'neither' if ' nor ' in wanted else 'no'} {wanted}",
        f"run `ollama pull {settings.ollama_model}`",
    )


def openai_facts(settings: ReasonerSettings) -> ServerFacts:
    """Query a server with OpenAI's protocol. Raises ServerUnavailable or ModelMissing."""
    base = settings.openai_base_url
    headers = {"Authorization": f"Bearer {settings.openai_api_key}"}
    with httpx.Client(base_url=base, timeout=PATIENCE, trust_env=False, headers=headers) as http:
        data = _json(http, "GET", "/models", base).get("data") or []
    names = tuple(str(item.get("id") or "") for item in data)
    model = settings.openai_model or next(iter(names), "")
    if not model or (names and model not in names):
        known = ", ".join(names) or "none at all"
        raise ModelMissing(f"The server at {base} has {known}, not the model {model!r}", "set OPENAI_MODEL")
    row: Mapping[str, Any] = next((item for item in data if item.get("id") == model), {})
    length = (
        row.get("max_model_len") or (row.get("meta") or {}).get("n_ctx") or (row.get("meta") or {}).get("n_ctx_train")
    )
    return ServerFacts(models=names, model=model, context_length=int(length) if length else None)


def _named(wanted: str, names: tuple[str, ...]) -> str:
    """Return the server's name for a model, exact or with the tag 'latest' that it adds, or '' if it has none."""
    for name in (wanted, f"{wanted}:latest"):
        if name in names:
            return name
    return ""


def _context_length(shown: Mapping[str, Any]) -> int | None:
    for key, value in (shown.get("model_info") or {}).items():
        if key.endswith("context_length") and isinstance(value, int):
            return value
    return None


def _json(
    http: httpx.Client, method: str, path: str, base: str, body: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    try:
        response = http.request(method, path, json=body)
        response.raise_for_status()
        answer = response.json()
    except (httpx.HTTPError, ValueError) as error:
        if isinstance(error, httpx.HTTPStatusError) and error.response.status_code == LOADING:
            raise ServerUnavailable(f"the model server at {base} is still loading its model (status 503)") from error
        raise ServerUnavailable(f"no model server answers at {base} ({_why(error)})") from error
    if not isinstance(answer, dict):
        raise ServerUnavailable(f"what answers at {base} is not a model server")
    return answer


def _why(error: Exception) -> str:
    if isinstance(error, httpx.ConnectError):
        return "connection refused"
    if isinstance(error, httpx.TimeoutException):
        return f"no answer within {PATIENCE:g} s"
    if isinstance(error, httpx.HTTPStatusError):
        return f"status {error.response.status_code}"
    return type(error).__name__


def require(settings: ReasonerSettings, kind: str) -> ServerFacts:
    """Return the server's facts. Raises ModelError with one clear sentence."""
    try:
        return ollama_facts(settings) if kind == "ollama" else openai_facts(settings)
    except ModelMissing as error:
        raise ModelError(str(error)) from error
    except ServerUnavailable as error:
        name = "OLLAMA_HOST" if kind == "ollama" else "OPENAI_BASE_URL"
        raise ModelError(
            f"REASONER={kind}, but {error}: start it or wait for it, set {name}, or choose REASONER=extractive."
        ) from error
