"""Builds the PDFs of the sample collection: ``python -m rabbithole.kb.sample.build [FOLDER]``, from ``sources/``.

Each source begins with ``key: value`` lines between two ``---``: file, title, author, header, language, year, type,
status, labels. Headings from ``##`` down become bookmarks; ``\\newpage`` begins a page. The same sources give the same
bytes with the same PyMuPDF.
"""

from __future__ import annotations

import csv
import html
import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

from rabbithole.kb.data_folder import data_folder
from rabbithole.kb.mupdf import pymupdf

SOURCES = Path(__file__).resolve().parent / "sources"
METADATA = ("year", "type", "status")
PAGE = pymupdf.paper_rect("a4")
FRAME = pymupdf.Rect(64, 84, PAGE.width - 64, PAGE.height - 84)
CREATED = "D:20220701000000Z"
CSS = """
body { font-family: serif; font-size: 10.5pt; line-height: 1.35; }
h1 { font-size: 17pt; } h2 { font-size: 13.5pt; } h3 { font-size: 11.5pt; }
table { border-collapse: collapse; width: 100%; } th, td { border: 1px solid black; padding: 3px; text-align: left; }
.newpage { page-break-before: always; }
"""


class SampleSource(NamedTuple):
    """One document: what its first lines say, and its text."""

    meta: dict[str, str]
    body: str


def read_source(path: Path) -> SampleSource:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    return SampleSource(dict(line.split(": ", 1) for line in head.splitlines()), body)


def to_html(body: str) -> str:
    # Lists would renumber "1." and set the markers apart: in a law they are part of the text.
    markdown = MarkdownIt("commonmark").enable("table").disable(["list", "code"])
    rendered: str = markdown.render(body)
    return rendered.replace("<p>\\newpage</p>", '<p class="newpage"></p>')


def label_rules(spec: str) -> list[dict[str, Any]]:
    """Return the page labels: ``roman 2`` gives i, ii, then 1, 2...; ``decimal 411`` begins at 411, '' at 1."""
    style, _, number = spec.partition(" ")
    first = {"startpage": 0, "prefix": "", "style": "r" if style == "roman" else "D", "firstpagenum": 1}
    if style == "decimal":
        return [{**first, "firstpagenum": int(number)}]
    if style == "roman":
        return [first, {"startpage": int(number), "prefix": "", "style": "D", "firstpagenum": 1}]
    return [first]


def render(source: SampleSource) -> pymupdf.Document:
    """Flow the text onto pages; bookmarks from the headings, then header and printed page label on each page."""
    story = pymupdf.Story(html=to_html(source.body), user_css=CSS)
    buffer = io.BytesIO()
    writer = pymupdf.DocumentWriter(buffer)
    headings: list[list[Any]] = []
    page, more = 0, 1
    while more:
        page += 1
        device = writer.begin_page(PAGE)
        more, _ = story.place(FRAME)
        story.element_positions(
            lambda at: headings.append([at.heading - 1, at.text.strip(), at.page]) if _opens_section(at) else None,
            {"page": page},
        )
        story.draw(device)
        writer.end_page()
    writer.close()
    document = pymupdf.open("pdf", buffer.getvalue())
    document.set_toc(headings)
    document.set_page_labels(label_rules(source.meta.get("labels", "")))
    for sheet in document.pages():
        _furnish(sheet, source.meta["header"])
    document.set_metadata(
        {
            "title": source.meta["title"],
            "author": source.meta.get("author", ""),
            "creationDate": CREATED,
            "modDate": CREATED,
            "producer": "rabbithole sample collection",
        }
    )
    return document


def _opens_section(at: Any) -> bool:
    return bool(at.open_close & 1 and at.heading and at.heading > 1)


def _furnish(sheet: pymupdf.Page, header: str) -> None:
    style = "font-family: serif; font-size: 8.5pt; text-align: center;"
    for text, top in ((header, 40), (sheet.get_label(), 785)):
        box = pymupdf.Rect(64, top, PAGE.width - 64, top + 20)
        sheet.insert_htmlbox(box, f'<p style="{style}">{html.escape(text)}</p>')


def sample_folder() -> Path:
    """Return the folder where ``make demo`` builds the sample's PDFs, knowledge base and reports."""
    return data_folder() / "sample"


def built(target: Path) -> bool:
    """Return whether the folder already holds the PDFs of the sample."""
    return all((target / read_source(path).meta["file"]).is_file() for path in SOURCES.glob("*.md"))


def build(target: Path, sources: Iterable[Path] | None = None) -> list[Path]:
    """Write every PDF and the sidecar ``metadata.csv`` into ``target``; return the PDFs by name."""
    target.mkdir(parents=True, exist_ok=True)
    built: list[Path] = []
    rows: list[dict[str, str]] = []
    for path in sorted(SOURCES.glob("*.md") if sources is None else sources):
        source = read_source(path)
        with render(source) as document:
            document.subset_fonts()
            built.append(target / source.meta["file"])
            document.save(built[-1], garbage=4, deflate=True, no_new_id=True)
        rows.append({"file": source.meta["file"], **{key: source.meta[key] for key in METADATA}})
    with (target / "metadata.csv").open("w", encoding="utf-8", newline="") as sidecar:
        table = csv.DictWriter(sidecar, ("file", *METADATA))
        table.writeheader()
        table.writerows(rows)
    return sorted(built)


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else sample_folder() / "pdf"
    files = build(target)
    sys.stdout.write(f"{len(files)} PDFs in {target}\n")


if __name__ == "__main__":
    main()
