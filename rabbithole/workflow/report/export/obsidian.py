"""Markdown for Obsidian: citations are ``[[file.pdf#page=3|1]]``, which open the file in the vault."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from rabbithole.steps.citation_links import link
from rabbithole.steps.report_models import Citation, Report

_CITED = re.compile(r"\[\[(\d+)\]\]\[s\1\]")
_DEFINITIONS = re.compile(r"^\[s\d+\]: <.*\n?", re.MULTILINE)
_NO_LINK = re.compile(r"[\[\]#^|\n]")
"""Characters that names of files and headings must not contain within ``[[...]]``."""


def to_obsidian(report: Report) -> str:
    """Return the report's Markdown for a vault that contains the documents."""
    citations = {one.marker.strip("[]"): one for one in report.citations}

    def linked(line: str) -> str:
        bar = r"\|" if line.startswith("|") else "|"  # in a table an unescaped bar would end the cell
        return _CITED.sub(lambda found: _link(citations.get(found[1]), found[1], bar), line)

    text = _DEFINITIONS.sub("", report.markdown)
    return "\n".join(linked(line) for line in text.rstrip().split("\n")) + "\n"


def _link(citation: Citation | None, number: str, bar: str) -> str:
    if citation is None:
        return f"\\[{number}\\]"
    if citation.external or _NO_LINK.search(citation.file):
        return f"[{number}](<{link(citation, citation.path)}>)"
    return f"[[{citation.file}{_place(citation)}{bar}{number}]]"


def _place(citation: Citation) -> str:
    """Return the link's anchor: the page of a PDF or the heading of a Markdown file; '' for other formats."""
    suffix = PurePosixPath(citation.file).suffix.lower()
    if suffix == ".pdf":
        return f"#page={citation.page + 1}"
    heading = " ".join(_NO_LINK.sub(" ", citation.section_label).split())
    return f"#{heading}" if suffix in (".md", ".markdown") and heading else ""
