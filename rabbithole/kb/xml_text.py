"""Text of documents inside XML and HTML: characters, never markup."""

from __future__ import annotations

import html
import re

_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_characters(text: str) -> str:
    """Without characters that XML cannot hold, for a library that escapes the rest."""
    return _UNPRINTABLE.sub("\ufffd", text)


def xml_text(text: str) -> str:
    """The text with its markup escaped, quotation marks too."""
    return html.escape(xml_characters(text))
