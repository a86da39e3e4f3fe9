"""Document text inside prompts: declared as data, unable to leave its fence or to speak as somebody else."""

from __future__ import annotations

import re
import unicodedata

OPEN, CLOSE = "<<<DOCUMENT {key}>>>", "<<<END {key}>>>"

# Characters a reader cannot see: zero width, direction marks, tags, variation selectors beyond the common ones.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# What chat templates and tool callers take for structure.
_TEMPLATE = re.compile(
    r"<\|[^|>\n]{0,60}\|>|<\s*/?\s*(?:s|think|tool_call|tool_response|function_calls?|invoke|system|assistant|user|im_start|"
    r"im_end)\s*>|\[/?(?:INST|SYS|TOOL_CALLS|AVAILABLE_TOOLS)\]|<<\s*/?\s*SYS\s*>>|<\s*(?:start|end)_of_turn\s*>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"<{3,}|>{3,}|`{3,}|~{3,}")
_HEADING = re.compile(r"^(\s*)#{1,6}(?=\s*(?:task|input|rules|output format)\b)", re.IGNORECASE | re.MULTILINE)


def visible(text: str) -> str:
    """The text without what a reader cannot see."""
    return _CONTROL.sub(" ", _INVISIBLE.sub("", text))


def as_data(text: str) -> str:
    """Document text that cannot close its fence, open a role of a chat template or imitate a prompt's sections."""
    shown = visible(text)
    shown = _TEMPLATE.sub(
        lambda match: match.group().replace("<", "‹").replace(">", "›").replace("[", "(").replace("]", ")"), shown
    )
    shown = _FENCE.sub(lambda match: " ".join(match.group()), shown)
    return _HEADING.sub(r"\1", shown)


def one_line(text: str, limit: int = 200) -> str:
    """A name, title or file name on one line: metadata is data too."""
    flat = " ".join(as_data(text).split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def fenced(key: str, where: str, text: str) -> str:
    """A passage between its marks, with where it stands."""
    return f"{OPEN.format(key=key)}\n({one_line(where)})\n{as_data(text).strip()}\n{CLOSE.format(key=key)}"


def is_suspicious(text: str) -> bool:
    """Whether a text holds invisible or template characters worth telling the person about."""
    return bool(_TEMPLATE.search(text)) or any(unicodedata.category(character) == "Cf" for character in text)
