"""Decides by suffix which files are documents, and says in one sentence why others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PDF: Final = (".pdf",)
TEXT: Final = (".txt", ".text")
HTML: Final = (".html", ".htm", ".xhtml")
TAKEN: Final = (
    *PDF, *TEXT, *HTML, ".md", ".markdown", ".docx", ".docm", ".odt", ".epub", ".xml",
)  # fmt: skip
NAMED: Final = "PDF, HTML, Markdown, plain text, Word (.docx), OpenDocument (.odt), EPUB"
_ADVICE: Final = {
    **dict.fromkeys((".doc", ".rtf", ".wpd", ".pages", ".dot", ".dotx"), "save it as .docx or PDF"),
    **dict.fromkeys((".ppt", ".pptx", ".odp", ".key", ".xls", ".xlsx", ".ods", ".numbers"), "save it as PDF"),
    **dict.fromkeys((".ps", ".djvu", ".xps", ".tex", ".dvi"), "save it as PDF"),
    **dict.fromkeys((".mobi", ".azw", ".azw3", ".fb2"), "convert it to EPUB"),
    **dict.fromkeys((".zip", ".tar", ".gz", ".7z", ".rar", ".bz2", ".xz"), "unpack it into the folder"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".webp", ".heic"), "save scans as PDF"),
    **dict.fromkeys((".eml", ".msg", ".mbox", ".mht", ".mhtml"), "save it as HTML or PDF"),
}
_BESIDE: Final = (".json", ".css", ".js", ".ds_store", ".bib", ".ris", ".lock", ".part", ".crdownload", ".tmp")
_BESIDE_NAMES: Final = ("metadata.csv", "thumbs.db", "desktop.ini")


def other_than_pdf(name: str) -> str:
    """Return the suffix of a file that is not a PDF, else ''."""
    suffix = Path(name).suffix.lower()
    return "" if suffix in PDF else suffix


def is_taken(name: str) -> bool:
    return name.lower().endswith(TAKEN)


def is_beside(path: Path) -> bool:
    """Return whether a file only accompanies documents: metadata, a page's style, a system's own files."""
    name = path.name.lower()
    return name.startswith((".", "~$")) or name in _BESIDE_NAMES or name.endswith(_BESIDE) or _of_page(path)


def _of_page(path: Path) -> bool:
    """Return whether a file is in the folder a browser saves beside a page: 'page_files', 'page-Dateien'."""
    return any(part.name.lower().endswith(("_files", "-dateien")) for part in path.parents)


def why_not(name: str) -> str:
    """Return one sentence that says what the file is not and what to do."""
    suffix = Path(name).suffix.lower()
    advice = _ADVICE.get(suffix, f"taken are {NAMED}")
    return f"{Path(name).name} has a format that cannot be read ({suffix or 'no suffix'}): {advice}."
