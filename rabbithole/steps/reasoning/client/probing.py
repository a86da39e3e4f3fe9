"""Test a model server's claims with real calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import Annotated, Literal

import httpx
from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.reasoning.text.check_result import CheckResult

from .answer_shape import Shape, json_schema
from .availability import PATIENCE, ServerFacts
from .clients import Call
from .gateway import TROUBLE, Gateway, in_words
from .gateway_factory import context_window, make_gateway
from .streaming import timed
from .structured import InvalidAnswer, parse
from .thinking import RESERVE

# Typical research on three questions about German laws. Prompt tokens as counted by bench/running/reasoning.py; output
# tokens for a two-page report and findings of one sentence each, more than that benchmark's made-up answers have.
TYPICAL_PROMPT_TOKENS = 40_000
TYPICAL_OUTPUT_TOKENS = 7_000
_FILLER = "Die Messung der Ortsdosisleistung erfolgt an jedem Messpunkt dreimal, der Mittelwert wird eingetragen. "
_FILLER_TOKENS = 5_000  # least; servers that ignore the requested window fall back to 2,048 or 4,096
_WHOLE = 0.85  # share of the expected tokens from which a text counts as read whole
_FILLING_SECONDS = 20.0  # reading time to spend, so that more of the window is tested on a fast machine
_PROSE = "Write one friendly sentence about the sea. Do not write JSON."
_TALE = "Explain in about eighty words what radiation protection is."


class ProbeShape(Shape):
    answer: Literal["four", "five"]
    count: Annotated[int, Field(ge=0, le=9)]


class _Timed(Model):
    """One measured call. ``first`` and ``total`` are the seconds to the first token and to the end."""

    text: str
    prompt_tokens: int
    output_tokens: int
    first: float
    total: float


async def calls(settings: ReasonerSettings, facts: ServerFacts, kind: str) -> tuple[CheckResult, ...]:
    gateway = make_gateway(settings, facts, kind)
    try:
        structured = await _structured(gateway, settings, facts)
        speed, reading, dense = await _speed(gateway, settings)
        window = await asyncio.to_thread(_reported_window, settings, facts) if kind == "ollama" else None
        tried = max(_FILLER_TOKENS, int(reading * _FILLING_SECONDS))
        context = await _context(
            gateway, context_window(settings, facts, kind), facts.context_length, window, tried, dense
        )
    except TROUBLE as error:
        return (CheckResult(name="answer", status="fail", detail=in_words(error), remedy="check the server's log"),)
    finally:
        await gateway.close()
    return context, structured, speed


async def _ask(
    gateway: Gateway, prompt: str, tokens: int, *, shaped: bool = False, think: bool | None = None
) -> _Timed:
    loop = asyncio.get_running_loop()
    call = Call(
        model=gateway.model,
        prompt=prompt,
        max_tokens=tokens + (RESERVE if think else 0),
        schema_=json_schema(ProbeShape) if shaped else None,
        think=think,
    )
    started, first, said, read, wrote = loop.time(), 0.0, list[str](), 0, 0
    async with aclosing(timed(gateway.client, call, gateway.clocks)) as deltas:
        async for delta in deltas:
            first = first or (loop.time() - started if delta.text or delta.thinking else 0.0)
            said.append(delta.text)
            read, wrote = delta.prompt_tokens or read, delta.output_tokens or wrote
    total = loop.time() - started
    return _Timed(text="".join(said), prompt_tokens=read, output_tokens=wrote, first=first or total, total=total)


async def _structured(gateway: Gateway, settings: ReasonerSettings, facts: ServerFacts) -> CheckResult:
    """Ask for prose under a schema; only if the schema is enforced does the answer still have its shape."""
    for think in _combinations(settings, facts):
        answer = await _ask(gateway, _PROSE, 200, shaped=True, think=think)
        if _is_shaped(answer.text):
            gateway.thinking.think = think
            setting = {None: "", True: ", thinking on", False: ", thinking off"}[think]
            if think and settings.ollama_thinking == "auto":
                detail = "the schema is ignored while thinking is off, so thinking is switched on"
                remedy = "update the server, or set OLLAMA_THINKING=on"
                return CheckResult(name="structured output", status="warn", detail=detail, remedy=remedy)
            return CheckResult(name="structured output", status="ok", detail=f"the schema is enforced{setting}")
    detail = "the schema is not enforced; invalid answers are repaired, requested again or replaced by extractive ones"
    return CheckResult(
        name="structured output", status="warn", detail=detail, remedy="update the server or use another model"
    )


def _combinations(settings: ReasonerSettings, facts: ServerFacts) -> Sequence[bool | None]:
    if not facts.thinks:
        return (None,)
    return {"auto": (False, True), "on": (True,), "off": (False,)}[settings.ollama_thinking]


def _is_shaped(text: str) -> bool:
    try:
        _, repaired = parse(text, ProbeShape)
    except InvalidAnswer:
        return False
    return not repaired


def _reported_window(settings: ReasonerSettings, facts: ServerFacts) -> int | None:
    """Return the context window the loaded model runs with, or None if the server does not report it."""
    try:
        with httpx.Client(base_url=settings.ollama_base_url, timeout=PATIENCE, trust_env=False) as http:
            rows = http.get("/api/ps").raise_for_status().json().get("models") or []
    except (httpx.HTTPError, ValueError):
        return None
    found = (row.get("context_length") for row in rows if facts.model in (row.get("name"), row.get("model")))
    return next((int(length) for length in found if length), None)


async def _context(
    gateway: Gateway, wanted: int, made: int | None, reported: int | None, tried: int, dense: float
) -> CheckResult:
    """Check the requested context window as the server reports it, else with a text of up to ``tried`` tokens.

    ``dense`` is the measured number of characters per token in such a text.
    """
    made_for = f"; the model was made for {made:,}" if made else ""
    if reported is not None and reported < wanted:
        detail = f"the server provides {reported:,} of the {wanted:,} tokens requested"
        return CheckResult(name="context window", status="warn", detail=detail, remedy=f"set OLLAMA_NUM_CTX={reported}")
    if reported is not None:
        return CheckResult(
            name="context window", status="ok", detail=f"{reported:,} tokens, as the server reports{made_for}"
        )
    sent = min(tried, int(wanted * 0.8))
    text = _FILLER * int(sent * dense / len(_FILLER))
    # The text begins differently from the last prompt, because servers do not count a cached prefix.
    read = (await _ask(gateway, f"Protokoll.\n{text}\nAnswer with the word yes.", 4)).prompt_tokens
    if read and read < _WHOLE * sent:
        detail = f"the server read {read:,} tokens of a text of about {sent:,}: it cuts off prompts"
        remedy = f"start it with a larger window, or set OLLAMA_NUM_CTX={read}"
        return CheckResult(name="context window", status="fail", detail=detail, remedy=remedy)
    arrived = (
        f"a text of {read:,} tokens arrived complete"
        if read
        else "not tested, because the server does not count tokens"
    )
    return CheckResult(name="context window", status="ok", detail=f"{wanted:,} tokens asked for; {arrived}{made_for}")


async def _speed(gateway: Gateway, settings: ReasonerSettings) -> tuple[CheckResult, float, float]:
    """Return the estimated duration of research, the reading speed in tokens per second, and characters per token."""
    prompt = f"{_FILLER * 30}\n{_TALE}"
    answer = await _ask(gateway, prompt, 160, think=gateway.thinking.think)
    reading = (answer.prompt_tokens or len(prompt) / 3.5) / max(answer.first, 1e-3)
    writing = (answer.output_tokens or len(answer.text) / 3.5) / max(answer.total - answer.first, 1e-3)
    seconds = TYPICAL_PROMPT_TOKENS / reading + TYPICAL_OUTPUT_TOKENS / (writing * _gain(settings.llm_concurrency))
    minutes = max(1, round(seconds / 60))
    detail = f"reads {reading:,.0f} and writes {writing:,.0f} tokens a second; a research run takes about {minutes} min"
    slow = minutes > 60
    remedy = "use a smaller model (OLLAMA_MODEL) or set REASONER=extractive" if slow else ""
    dense = (
        len(prompt) / answer.prompt_tokens if answer.prompt_tokens else gateway.counter("extract").characters_per_token
    )
    return CheckResult(name="speed", status="warn" if slow else "ok", detail=detail, remedy=remedy), reading, dense


def _gain(concurrency: int) -> float:
    """Return the speed-up by parallel slots on one machine: about 1.5 times with two, 2.3 times with four."""
    return float(concurrency**0.6)
