"""Make text from documents and users safe to insert into Markdown."""

from __future__ import annotations

import re

LONGEST_NAME = 140
_SPECIAL = re.compile(r"([\\`*_<\[\]]|\A>|(?<!\s)>|>(?!\s))")
"""Signs with a meaning in Markdown; ">" between spaces has none: it separates headings."""
ADDRESS = re.compile(r"<?\bhttps?://\S+>?")


def plain(text: str) -> str:
    """Return text as one line that Markdown shows unchanged: no links, no HTML, no emphasis.

    Web addresses become code, because many viewers turn a bare address into a link.
    """
    parts = re.split(f"({ADDRESS.pattern})", " ".join(text.split()))
    return "".join(
        f"`{part.replace('`', '')}`" if at % 2 else _SPECIAL.sub(r"\\\1", part) for at, part in enumerate(parts)
    )


def short_name(name: str) -> str:
    """Return a document's name short enough for a list, without the web addresses a bibliography entry may have.

    A name that is nothing but an address stays as it is.
    """
    flat = " ".join(ADDRESS.sub("", name).split()).rstrip(" ,.") or " ".join(name.split())
    return flat if len(flat) <= LONGEST_NAME else flat[: LONGEST_NAME - 1].rsplit(" ", 1)[0] + " …"
