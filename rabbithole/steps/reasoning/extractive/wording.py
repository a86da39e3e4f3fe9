"""Format document text and names of places for a report."""

from __future__ import annotations

import re

from rabbithole.steps.models import Evidence

_LONGEST_HEADING = 300


def place(evidence: Evidence) -> str:
    """Return the place of a piece of evidence for a heading: its document's name and section."""
    title = evidence.short or evidence.title or evidence.file
    section = "" if evidence.section_label in (evidence.title, title) else evidence.section_label
    return ", ".join(part for part in (title, section) if part)


def inner_quotes(text: str, language: str) -> str:
    """Return the text with its quotation marks made single, for use inside a quotation."""
    if language == "de":
        return re.sub(r"[„\"«]([^“”\"»]*)[“”\"»]", r"‚\1‘", text).replace("“", "‘").replace("„", "‚").replace('"', "'")
    return re.sub(r"[“„\"«]([^”“\"»]*)[”“\"»]", r"'\1'", text).replace('"', "'").replace("”", "'").replace("“", "'")


def flat(text: str) -> str:
    """Return the text as one line in which a document cannot make a Markdown link or image."""
    return " ".join(text.split()).replace("](", "] (")


def heading(text: str) -> str:
    """Return the text as a heading: one line, shortened, with a capital at the start and no full stop."""
    line = flat(text).lstrip("# ").removesuffix(".")
    if len(line) > _LONGEST_HEADING:
        line = line[:_LONGEST_HEADING].rsplit(" ", 1)[0] + " …"
    return line[:1].upper() + line[1:]
