"""The link of a citation: a file at its page, or a web address."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote as percent_encoded

from rabbithole.kb.models import Document
from rabbithole.steps.settings import ReportPaths

from .report_models import Citation

LINKED_WORDS = 8
"""First words of a quotation put into a link, so that a browser finds the place in a file without pages."""


def link(citation: Citation, path: str) -> str:
    """Return the link of a citation: the file at its physical page (from 1), or the web address.

    In formats without pages the link names the first words of the quotation (a text fragment, which browsers find).
    A path within the collection becomes a relative address, which reveals nothing about the machine.
    """
    if citation.external:
        return citation.external
    where = Path(path).as_uri() if Path(path).is_absolute() else percent_encoded(path)
    if not where.startswith(("file:", "../")):
        where = f"./{where}"  # a colon in the name would make a scheme of what stands before it
    suffix = Path(path).suffix.lower()
    if suffix == ".pdf" or not suffix:
        return f"{where}#page={citation.page + 1}"
    words = " ".join(citation.quote.split()[:LINKED_WORDS])
    return f"{where}#:~:text={percent_encoded(words, safe='')}" if words else where


def cited_path(document: Document, paths: ReportPaths) -> str:
    """Return the path a report shows for a document: its place in the collection, or the path on this machine.

    With ``saved`` it is the place in the collection until the report is written to a file.
    """
    return document.path if paths == "absolute" else document.file


def seen_from(path: Path, folder: Path) -> str:
    """Return the path of a file relative to a folder, with slashes; unchanged if it is on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return str(path)
