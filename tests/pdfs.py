"""Small PDFs made on the spot: what tests ingest instead of files kept in the repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.mupdf import pymupdf

PAGE_LINES = 45


def write_pdf(
    path: Path,
    pages: Sequence[str],
    *,
    toc: Sequence[tuple[int, str, int]] = (),
    title: str = "",
    labels: Sequence[dict[str, object]] = (),
) -> Path:
    """One text a page, written line by line (11 pt, A4). ``toc`` rows are (level, title, page from 1)."""
    document = pymupdf.open()
    for text in pages:
        page = document.new_page(width=595, height=842)
        y = 72.0
        for line in text.splitlines():
            page.insert_text((72, y), line, fontsize=11, fontname="helv")
            y += 15
    if toc:
        document.set_toc([list(row) for row in toc])
    if labels:
        document.set_page_labels(list(labels))
    if title:
        document.set_metadata({"title": title})
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(path)
    document.close()
    return path
