"""Text of documents and people inside Markdown, as text."""

from __future__ import annotations

import re

LONGEST_NAME = 140
ADDRESS = re.compile(r"<?\bhttps?://\S+>?")


def plain(text: str) -> str:
    """Text of documents and people as one line that Markdown leaves as it is: no links, no HTML, no emphasis.

    An address becomes code: left bare, many readers make a link of it.
    """
    parts = re.split(f"({ADDRESS.pattern})", " ".join(text.split()))
    return "".join(
        f"`{part.replace('`', '')}`" if at % 2 else re.sub(r"([\\`*_<>\[\]|])", r"\\\1", part)
        for at, part in enumerate(parts)
    )


def short_name(name: str) -> str:
    """A document's name short enough for a list: an entry of a list of literature without its addresses."""
    flat = " ".join(ADDRESS.sub("", name).split()).rstrip(" ,.")
    return flat if len(flat) <= LONGEST_NAME else flat[: LONGEST_NAME - 1].rsplit(" ", 1)[0] + " …"
