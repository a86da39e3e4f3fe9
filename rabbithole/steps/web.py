"""Optional web search for gaps, through the user's own SearXNG instance. Results are always marked as external."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel

from rabbithole.kb.errors import RabbitholeError

from .models import Evidence

TIMEOUT_SECONDS = 15.0
SNIPPET_CHARACTERS = 600


class WebSearchError(RabbitholeError):
    """The search instance failed or did not answer as SearXNG does."""


class _Result(BaseModel):
    """The fields we use of one result."""

    url: str = ""
    title: str | None = None
    content: str | None = None


class _Answer(BaseModel):
    results: tuple[_Result, ...]


async def search_web(url: str, query: str, results: int, task: int) -> tuple[Evidence, ...]:
    """Return up to ``results`` results as external evidence: tier tertiary, never followed nor quoted as verified.

    ``url`` is the address of the instance. Raises ``WebSearchError``.
    """
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as client:
            answer = await client.get(f"{url.rstrip('/')}/search", params={"q": query, "format": "json"})
            answer.raise_for_status()
            found = _Answer.model_validate_json(answer.content).results
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise WebSearchError(f"Web search at WEB_SEARCH_URL={url} failed ({type(error).__name__}).") from error
    return tuple(_evidence(one, task) for one in found if _web(one.url))[:results]


def _web(address: str) -> bool:
    return urlsplit(address).scheme in ("http", "https")


def _evidence(result: _Result, task: int) -> Evidence:
    key = "e" + hashlib.sha256(f"{task}|{result.url}".encode()).hexdigest()[:8]
    return Evidence(
        key=key,
        task=task,
        document="",
        title=(result.title or result.url)[:200],
        file=urlsplit(result.url).netloc,
        info=" ".join((result.content or "").split())[:SNIPPET_CHARACTERS],
        tier="tertiary",
        external=result.url,
    )


def queries_for(gaps: Sequence[str], question: str, most: int = 3) -> tuple[str, ...]:
    """Return one query per gap, at most ``most``, each beginning with the question."""
    return tuple(f"{question} {gap}"[:300] for gap in gaps[:most])
