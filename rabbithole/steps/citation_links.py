"""Where a citation leads: a file and its page, or a web address."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote as percent_encoded

from rabbithole.kb.models import Document
from rabbithole.steps.models import Citation
from rabbithole.steps.settings import ReportPaths

LINKED_WORDS = 8
"""Words of a quotation by which a browser finds its place in a file without pages."""


def link(citation: Citation, path: str) -> str:
    """Where the citation leads: the file at its physical page (from 1), or the web address.

    In formats without pages browsers go to the first words of the quotation.

    A path within the collection becomes a relative address, which tells nothing of the machine.
    """
    if citation.external:
        return citation.external
    where = Path(path).as_uri() if Path(path).is_absolute() else f"./{percent_encoded(path)}"
    suffix = Path(path).suffix.lower()
    if suffix == ".pdf" or not suffix:
        return f"{where}#page={citation.page + 1}"
    words = " ".join(citation.quote.split()[:LINKED_WORDS])
    return f"{where}#:~:text={percent_encoded(words, safe='')}" if words else where


def cited_path(document: Document, paths: ReportPaths) -> str:
    """What a report says of where a document is: its place in the collection, or on this machine."""
    return document.path if paths == "absolute" else document.file
