"""How words of documents and names of places stand in a report."""

from __future__ import annotations

import re

from rabbithole.steps.models import Evidence

_LONGEST_HEADING = 160


def place(evidence: Evidence) -> str:
    """Where a piece of evidence stands, as a heading would say it."""
    title = evidence.short or evidence.title or evidence.file
    section = "" if evidence.section_label in (evidence.title, title) else evidence.section_label
    return ", ".join(part for part in (title, section) if part)


def inner_quotes(text: str, language: str) -> str:
    """Quotation marks inside a quotation become single ones, so that the outer pair stays readable."""
    if language == "de":
        return re.sub(r"[„\"«]([^“”\"»]*)[“”\"»]", r"‚\1‘", text).replace("“", "‘").replace("„", "‚").replace('"', "'")
    return re.sub(r"[“„\"«]([^”“\"»]*)[”“\"»]", r"'\1'", text).replace('"', "'").replace("”", "'").replace("“", "'")


def flat(text: str) -> str:
    """One line, and no Markdown link or image: whatever a document says, its text stays text."""
    return " ".join(text.split()).replace("](", "] (")


def heading(text: str) -> str:
    """A heading's words: one line, not too long, beginning with a capital, without a full stop."""
    line = flat(text).lstrip("# ").removesuffix(".")
    if len(line) > _LONGEST_HEADING:
        line = line[:_LONGEST_HEADING].rsplit(" ", 1)[0] + " …"
    return line[:1].upper() + line[1:]
