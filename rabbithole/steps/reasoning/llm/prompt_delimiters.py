"""Put document text into prompts as data that cannot close its fence or pose as another role."""

from __future__ import annotations

import re

from rabbithole.steps.reasoning.text.prompt_injection import TEMPLATE, visible

OPEN, CLOSE = "<<<DOCUMENT {key}>>>", "<<<END {key}>>>"

_FENCE = re.compile(r"<{3,}|>{3,}|`{3,}|~{3,}")
_HEADING = re.compile(r"^(\s*)#{1,6}(?=\s*(?:task|input|rules|output format)\b)", re.IGNORECASE | re.MULTILINE)


def as_data(text: str) -> str:
    """Return document text that cannot close its fence, open a chat template's role or imitate a prompt's sections."""
    shown = visible(text)
    shown = TEMPLATE.sub(
        lambda match: match.group().replace("<", "‹").replace(">", "›").replace("[", "(").replace("]", ")"), shown
    )
    shown = _FENCE.sub(lambda match: " ".join(match.group()), shown)
    return _HEADING.sub(r"\1", shown)


def one_line(text: str, limit: int = 200) -> str:
    """Return metadata such as a name or title as data, on one line of at most ``limit`` characters."""
    flat = " ".join(as_data(text).split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def fenced(key: str, where: str, text: str) -> str:
    """Return a passage between its marks, with its place."""
    return f"{OPEN.format(key=key)}\n({one_line(where)})\n{as_data(text).strip()}\n{CLOSE.format(key=key)}"
