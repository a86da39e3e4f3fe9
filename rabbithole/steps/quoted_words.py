"""Words of a document inside Markdown: as they stand there, with what answers in bold, and back again."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*])")
_ESCAPED = re.compile(r"\\([\\`*.])")
_BOLD = re.compile(r"(?<!\\)\*\*")
_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")


def escaped(text: str) -> str:
    """Words as words: no emphasis, no code, no link."""
    return _SPECIAL.sub(r"\\\1", text).replace("](", "] (")


def unescaped(text: str) -> str:
    """The words of quoted lines as they stand in the document; rules of tables left out."""
    lines = (
        _ESCAPED.sub(r"\1", _BOLD.sub("", line)) for line in text.splitlines() if not _RULE.fullmatch(line.strip())
    )
    return "\n".join(lines).replace("] (", "](")
