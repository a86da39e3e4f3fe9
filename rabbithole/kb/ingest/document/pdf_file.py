"""Opens PDF files and reports each kind of failure in one sentence."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.errors import IngestError
from rabbithole.kb.files import open_regular, unreadable
from rabbithole.kb.models import Scalar
from rabbithole.kb.mupdf import pymupdf

_DATE = re.compile(r"D?:?\s*(\d{4})(\d{2})?(\d{2})?")
PDF_HEAD = b"%PDF-"


def open_pdf(path: Path, passwords: Sequence[str] = ()) -> pymupdf.Document:
    """Return an open, readable document with at least one page.

    Raises IngestError if the file is missing, empty, not a PDF, damaged, encrypted or without pages.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    pymupdf.no_recommend_layout()
    try:
        with open_regular(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            head = stream.read(1024)
    except OSError as error:
        raise IngestError(unreadable(path, error)) from error
    if size == 0:
        raise IngestError(f"{path.name} is empty (0 bytes).")
    if PDF_HEAD not in head and size < 64:
        raise IngestError(f"{path.name} is not a PDF ({size} bytes without a PDF header).")
    try:
        document = pymupdf.open(path, filetype="pdf")
    except (RuntimeError, ValueError, pymupdf.FileDataError, pymupdf.EmptyFileError) as error:
        raise IngestError(
            f"{path.name} cannot be opened: the file is damaged or not a PDF ({_reason(error)})."
        ) from error
    if not document.is_pdf:  # MuPDF goes by the content of a file, not by its name
        document.close()
        raise IngestError(f"{path.name} is not a PDF but another kind of file with the suffix .pdf.")
    try:
        if document.needs_pass and not _unlock(document, passwords):
            said = "the password is wrong" if passwords else "it is encrypted and needs a password"
            raise IngestError(
                f"{path.name} cannot be opened: {said}; give the password with --password or in the sidecar file."
            )
        pages = document.page_count
    except (RuntimeError, ValueError) as error:
        document.close()
        raise IngestError(f"{path.name} is damaged: its pages cannot be counted ({_reason(error)}).") from error
    except IngestError:
        document.close()
        raise
    if pages <= 0:
        document.close()
        raise IngestError(f"{path.name} opens but has no pages: its page tree is damaged or empty.")
    return document


def save_unlocked(path: Path, passwords: Sequence[str], target: Path) -> None:
    """Save an unencrypted copy for programs that need one. Raises IngestError like ``open_pdf``."""
    with open_pdf(path, passwords) as document:
        document.save(target, encryption=pymupdf.mupdf.PDF_ENCRYPT_NONE)


def _unlock(document: pymupdf.Document, passwords: Sequence[str]) -> bool:
    return any(bool(document.authenticate(password)) for password in ("", *passwords))


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()).replace("code=", "code ")[:120] or type(error).__name__


def properties_of(document: pymupdf.Document) -> dict[str, Scalar]:
    """Return title, author, subject, keywords and dates (ISO) from the PDF's properties; empty ones are left out."""
    raw = document.metadata or {}
    found: dict[str, Scalar] = {}
    for key in ("title", "author", "subject", "keywords"):
        value = " ".join(str(raw.get(key) or "").replace("\x00", "").split())
        if value:
            found[key] = value
    for key, name in (("creationDate", "created"), ("modDate", "modified")):
        match = _DATE.match(str(raw.get(key) or ""))
        if match and 1980 <= int(match[1]) <= 2100:
            found[name] = f"{match[1]}-{match[2] or '01'}-{match[3] or '01'}"
    return found


def free_memory() -> None:
    """Free what MuPDF has cached for files that are already closed."""
    pymupdf.TOOLS.store_shrink(100)
