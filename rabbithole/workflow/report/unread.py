"""Says which files of the collections searched could not be read."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.phrases import phrase

from .plain_text import plain

SHOWN = 5
"""Most files named; the others are counted."""


def unread_said(files: Sequence[str], language: str) -> str:
    """Return one sentence as Markdown, or '' if all files were read."""
    if not files:
        return ""
    names, more = plain(", ".join(files[:SHOWN])), len(files) - SHOWN
    if more > 0:
        names = phrase(language, "report.front.more", names=names, count=more)
    key = "report.unread.one" if len(files) == 1 else "report.unread"
    return phrase(language, key, count=len(files), names=names)
