"""Small PDFs with references between them, for ingestion on a cluster."""

from __future__ import annotations

import random
from pathlib import Path

from pdfs import write_pdf

PAGES, SECTIONS = 10, 4
_WORDS = "reactor shield permit dosimetry calibration archive telescope harbour granite ledger turbine protocol".split()


def write_directives(folder: Path, count: int) -> Path:
    """Write ``count`` PDFs of ten pages, always the same; each section refers to one of another."""
    for number in range(count):
        chosen = random.Random(number)
        pages = [_page(number, page, chosen) for page in range(PAGES)]
        path = folder / f"qx{number:03d}.pdf"
        if not path.exists():
            write_pdf(path, pages, title=f"Directive QX {number:03d}")
    return folder


def _page(number: int, page: int, chosen: random.Random) -> str:
    lines = [f"Directive QX {number:03d}", ""] if page == 0 else []
    for section in range(page * SECTIONS + 1, (page + 1) * SECTIONS + 1):
        lines += [f"{section}. Rules for the {chosen.choice(_WORDS)}", ""]
        lines += [f"The {' '.join(chosen.choice(_WORDS) for _ in range(7))} follows." for _ in range(6)]
        lines += [f"Section {section} of Directive QX {(number * 7 + section) % 100:03d} applies.", ""]
    return "\n".join(lines)
