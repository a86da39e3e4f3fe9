"""A checked Word draft as the same document with a comment at each wrong or open place."""

from __future__ import annotations

from pathlib import Path

from docx.text.paragraph import Paragraph as WordParagraph
from docx.text.run import Run

from rabbithole.steps.draft_check.models import DraftCheck, Finding

from .draft_file import open_word, word_paragraphs
from .remarks import remark

AUTHOR = "Rabbithole"


def write_comments(draft: Path, check: DraftCheck, out: Path, language: str = "en") -> int:
    """Write ``draft`` with comments to ``out`` and return their number. Raises ``UsageError`` if it cannot be read."""
    document = open_word(draft)
    paragraphs = word_paragraphs(document)
    remarked = (*check.wrong, *check.open)
    written = 0
    for finding in remarked:
        runs = _runs(paragraphs[finding.paragraph], finding)
        if runs:
            document.add_comment(runs=runs, text=remark(finding, language), author=AUTHOR, initials="R")
            written += 1
    document.save(str(out))
    return written


def _runs(paragraph: WordParagraph, finding: Finding) -> list[Run]:
    """Return the Word runs that contain the finding's text, or all runs of the paragraph if none does."""
    chosen: list[Run] = []
    at = 0
    for run in paragraph.runs:
        end = at + len(run.text)
        if at < finding.end and end > finding.start:
            chosen.append(run)
        at = end
    return chosen or list(paragraph.runs)
