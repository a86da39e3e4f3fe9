"""Read drafts as paragraphs from plain text, Markdown, PDF and Word files."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

import docx
from docx.document import Document as WordDocument
from docx.opc.exceptions import PackageNotFoundError
from docx.table import Table
from docx.text.paragraph import Paragraph as WordParagraph
from lxml.etree import XMLSyntaxError

from rabbithole.kb.errors import UsageError
from rabbithole.kb.ingest.run.pool import ReaderPool
from rabbithole.kb.ingest.suffixes import is_taken
from rabbithole.steps.draft_check.models import Paragraph
from rabbithole.steps.draft_check.splitting import split_text

MAX_BYTES = 50_000_000
MAX_UNPACKED = 300_000_000
TEXT_SUFFIXES = (".txt", ".md", ".markdown")


def read_draft(path: Path) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a draft, in order. Raises ``UsageError`` saying what is wrong with the file."""
    if not path.is_file():
        raise UsageError(f"There is no file {path}: give a .docx, .odt, .pdf, .html, .md or .txt file.")
    if path.stat().st_size > MAX_BYTES:
        raise UsageError(f"{path} is larger than {MAX_BYTES // 1_000_000} MB: check a shorter draft.")
    suffix = path.suffix.lower()
    if suffix == ".docx":
        texts = [paragraph.text for paragraph in word_paragraphs(open_word(path))]
    elif suffix in TEXT_SUFFIXES:
        return _not_empty(path, split_text(_decoded(path)))
    elif is_taken(path.name):
        with ReaderPool(1) as readers:  # in a process of its own, because the draft may come from anyone
            texts = readers.read(path).text.split("\n")
    else:
        raise UsageError(f"{path} cannot be read as a draft: give a .docx, .odt, .pdf, .html, .md or .txt file.")
    return _not_empty(path, tuple(Paragraph(index=at, text=text) for at, text in enumerate(texts) if text.strip()))


def _not_empty(path: Path, paragraphs: tuple[Paragraph, ...]) -> tuple[Paragraph, ...]:
    if not paragraphs:
        raise UsageError(f"{path} has no text to check.")
    return paragraphs


def open_word(path: Path) -> WordDocument:
    """Open a Word document. Raises ``UsageError`` for a damaged, encrypted or oversized one."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED:
                raise UsageError(f"{path} unpacks to more than {MAX_UNPACKED // 1_000_000} MB and is not read.")
            if archive.testzip() is not None:  # reads in pieces, because the stated sizes may be false
                raise zipfile.BadZipFile
        return docx.Document(str(path))
    except (zipfile.BadZipFile, PackageNotFoundError, KeyError, ValueError, XMLSyntaxError) as error:
        raise UsageError(f"{path} is damaged, encrypted or not a Word document: save it again as .docx.") from error


def word_paragraphs(document: WordDocument) -> list[WordParagraph]:
    """Return all paragraphs in document order, including those in table cells."""
    return list(_paragraphs(document.iter_inner_content()))


def _paragraphs(blocks: Iterable[WordParagraph | Table]) -> Iterable[WordParagraph]:
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _paragraphs(cell.iter_inner_content())
        else:
            yield block


def _decoded(path: Path) -> str:
    data = path.read_bytes()
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UsageError(f"{path} is encoded neither in UTF-8 nor in Windows-1252: save it as UTF-8.")
