"""Reports pages without text: scans and letters drawn as outlines need OCR."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.page.lines import UNREADABLE
from rabbithole.kb.ingest.page.ocr import INSTALL
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.store.records import NEEDS_OCR
from rabbithole.kb.store.records import UNREADABLE as UNREADABLE_LAYER

_ADDRESS = re.compile(r"https?://\S+|www\.\S+|\S+@\S+")
_WORD = re.compile(r"\w")


def _has_words(parsed: ParsedDocument) -> bool:
    """Return whether anything can be read; addresses alone on a page mean that the rest of its text cannot."""
    text = parsed.text.replace(UNREADABLE, "")
    return bool(_WORD.search(_ADDRESS.sub(" ", text)) if parsed.paged else text.strip())


def judge_text(parsed: ParsedDocument, file: str) -> list[str]:
    """Return warnings about a document that is accepted. Raises IngestError for one without any text."""
    warnings = list(parsed.warnings)
    drawn = parsed.drawn_pages
    if not _has_words(parsed):
        if not parsed.paged:
            raise IngestError(f"{file} has no text.")
        drawn = drawn or parsed.garbled_pages
        pages = len(parsed.page_starts)
        what = "its only page" if pages == 1 else f"any of its {pages} pages"
        if drawn and parsed.ocr_done:
            raise IngestError(f"{file} has no text on {what}, and OCR found none either.")
        if drawn and parsed.warnings:
            raise IngestError(f"{file} has no text on {what} and {NEEDS_OCR}: {'; '.join(parsed.warnings)}.")
        if drawn:
            raise IngestError(
                f"{file} has no text on {what} and {NEEDS_OCR}; install it with `{INSTALL}` and ingest again."
            )
        hint = f" ({'; '.join(warnings)})" if warnings else ""
        raise IngestError(
            f"{file} has no text: {'its page is' if pages == 1 else f'all {pages} pages are'} blank{hint}."
        )
    if parsed.garbled_pages and not parsed.ocr_done:
        warnings.append(
            f"some words on {page_list(parsed.garbled_pages)} could not be read, because their font does not say "
            f"which letters it shows; this text {NEEDS_OCR}: install it with `{INSTALL}` and ingest again"
        )
    if drawn and not parsed.ocr_done:
        warnings.append(f"{NEEDS_OCR} on {page_list(drawn)}; install it with `{INSTALL}` and ingest again")
    return warnings


def unreadable_layer(parsed: ParsedDocument) -> str:
    """Return the warning about a document whose text is that of no language, and what may help."""
    if not parsed.paged:
        return UNREADABLE_LAYER
    if parsed.ocr_done:
        return f"{UNREADABLE_LAYER}, even after OCR"
    return f"{UNREADABLE_LAYER} and {NEEDS_OCR}; install it with `{INSTALL}` and ingest again"


def page_list(pages: Sequence[int]) -> str:
    """Return "page 3", "pages 1-4 and 7" for indexes from 0."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    said = [str(low + 1) if low == high else f"{low + 1}-{high + 1}" for low, high in runs]
    if len(said) == 1:
        return f"page{'' if runs[0][0] == runs[0][1] else 's'} {said[0]}"
    return f"pages {', '.join(said[:-1])} and {said[-1]}"
