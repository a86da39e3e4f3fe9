"""Escape text of a document for Markdown, and recover it from a quotation that may have words in bold."""

from __future__ import annotations

import re

from rabbithole.steps.reasoning.text.markdown_tables import is_rule

_SPECIAL = re.compile(r"([\\`*])")
_ESCAPED = re.compile(r"\\([\\`*.>])")
_PROMPT = re.compile(r"\A(\s*)>")
"""A sign at the start of a line that Markdown would take for a quotation within the quotation."""
_BOLD = re.compile(r"(?<!\\)\*\*")


def escaped(text: str) -> str:
    """Return the text escaped so that Markdown shows it without emphasis, code or links."""
    return _PROMPT.sub(r"\1\\>", _SPECIAL.sub(r"\\\1", text)).replace("](", "] (")


def unescaped(text: str) -> str:
    """Return the text of quoted lines as in the document, without the bold and the rules of tables."""
    lines = (_ESCAPED.sub(r"\1", _BOLD.sub("", line)) for line in text.splitlines() if not is_rule(line))
    return "\n".join(lines).replace("] (", "](")
