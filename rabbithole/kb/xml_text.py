"""Makes document text safe inside XML and HTML."""

from __future__ import annotations

import html
import re

_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_characters(text: str) -> str:
    """Return the text without characters that XML cannot hold, for a library that escapes the rest."""
    return _UNPRINTABLE.sub("\ufffd", text)


def xml_text(text: str) -> str:
    """Return the text with its markup escaped, including quotation marks."""
    return html.escape(xml_characters(text))
