"""Chooses the reader of a file by its suffix, and checks the first bytes in case the suffix is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from rabbithole.kb.errors import IngestError
from rabbithole.kb.files import open_regular
from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.document.pdf_file import PDF_HEAD
from rabbithole.kb.ingest.document.read_options import ReadOptions
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.ingest.suffixes import HTML, TEXT

from .blocks import Flow
from .document_builder import build
from .encoding import decoded
from .epub import read_epub
from .html.html_reader import flow_of_tree, parse_html, preformatted
from .laws.law_xml import read_law_xml
from .markdown import read_markdown
from .opendocument import read_opendocument
from .plain_text import parse_plain_text, text_with_structure
from .size_limit import read_limited
from .word import read_word

_READERS: Final[Mapping[str, Callable[[Path], Flow]]] = {
    ".md": read_markdown, ".markdown": read_markdown,
    ".docx": read_word, ".docm": read_word,
    ".odt": read_opendocument,
    ".epub": read_epub,
    ".xml": read_law_xml,
}  # fmt: skip
_ARCHIVE = b"PK\x03\x04"
_ZIPPED = (".docx", ".docm", ".odt", ".epub")


def parse_file(
    path: Path, options: ReadOptions | None = None, report: Callable[[str, int], None] | None = None
) -> ParsedDocument:
    """Read one file of any supported format.

    ``report`` is called with (stage, page) before each step that could hang. Raises IngestError with the defect in one
    sentence.
    """
    suffix = path.suffix.lower()
    tell = report or (lambda stage, page: None)
    if suffix not in (*_READERS, *HTML, *TEXT):
        return parse_pdf(path, options, report)
    tell("reading", 0)
    _require_kind(path, suffix)
    if suffix in TEXT:
        return parse_plain_text(path, tell)
    if suffix in HTML:
        return _parse_html(path, tell)
    flow = _READERS[suffix](path)
    tell("building", 0)
    return build(flow, path.name)


def _parse_html(path: Path, tell: Callable[[str, int], None]) -> ParsedDocument:
    """Read an HTML page; a page that is one preformatted text, such as an RFC, is read as plain text."""
    text, warning = decoded(read_limited(path, "HTML"), path.name)
    warnings = [warning] if warning else []
    root = parse_html(text, path.name)
    tell("building", 0)
    if lines := preformatted(root):
        return text_with_structure(lines, path.name, warnings, tell)
    return build(replace(flow_of_tree(root), warnings=tuple(warnings)), path.name)


def _require_kind(path: Path, suffix: str) -> None:
    """Raise IngestError if the content shows that the file has a wrong suffix, and say what it is."""
    with open_regular(path) as stream:
        head = stream.read(1024)
    if PDF_HEAD in head[:64]:
        raise IngestError(f"{path.name} is a PDF with another suffix; rename it to {path.stem}.pdf.")
    if head.startswith(_ARCHIVE) and suffix not in _ZIPPED:
        raise IngestError(f"{path.name} is an archive (a Word file, an EPUB or a ZIP) with another suffix; rename it.")
