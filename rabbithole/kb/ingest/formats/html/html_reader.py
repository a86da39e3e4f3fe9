"""Reads HTML into blocks and properties. Nothing is executed or fetched."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.formats.blocks import Flow, SourceBlock
from rabbithole.kb.ingest.formats.writer import BlockWriter
from rabbithole.kb.models import Scalar

from .html_elements import HEADINGS
from .html_site import book_of
from .html_walk import Walk

_META = {
    "author": "author",
    "dc.creator": "author",
    "citation_author": "author",
    "description": "subject",
    "keywords": "keywords",
    "dc.date": "date",
    "citation_publication_date": "date",
    "citation_doi": "doi",
}
LISTED = 0.9
LEAST_LISTED = 3
MOSTLY = 0.8


def flow_of_html(text: str, name: str) -> Flow:
    return flow_of_tree(parse_html(text, name))


def flow_of_tree(root: Any) -> Flow:
    writer = BlockWriter()
    Walk(writer).tree(root)
    return Flow(without_contents(writer.blocks), properties_of(root))


def parse_html(text: str, name: str) -> Any:
    """Return the tree of an HTML page; entities are not expanded and nothing is loaded. Raises IngestError."""
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text[:1000]) + text[1000:]
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise IngestError(f"{name} cannot be read as HTML: {' '.join(str(error).split())[:120]}.") from error
    if any("depth" in entry.message for entry in parser.error_log):
        raise IngestError(f"{name} has elements nested thousands deep and is not read.")
    if root is None:
        raise IngestError(f"{name} has no text.")
    return root


def preformatted(root: Any) -> str:
    """Return the text of a page that is mostly preformatted, with form feeds between its parts; '' for other pages.

    A page with headings around the preformatted text, such as a listing in a manual, is an ordinary page.
    """
    if any(next(each.iterancestors("pre"), None) is None for each in root.iter(*HEADINGS)):
        return ""
    parts = ["".join(each.itertext()) for each in root.iter("pre")]
    inside = sum(len("".join(part.split())) for part in parts)
    if inside < MOSTLY * sum(len("".join(words.split())) for words in root.itertext()):
        return ""
    return "\f".join(part.strip("\n\f") for part in parts)


def properties_of(root: Any) -> dict[str, Scalar]:
    """Return the title, author, date and other properties from the page's head."""
    found: dict[str, Scalar] = {}
    for element in root.iter("title"):
        if words := " ".join("".join(element.itertext()).split()):
            found["title"] = words[:300]
            break
    for element in root.iter("meta"):
        name = _META.get(str(element.get("name") or element.get("property") or "").casefold())
        value = " ".join(str(element.get("content") or "").split())
        if name and value:
            found.setdefault(name, value[:500])
    if book := book_of(root):
        found["book"] = book
    return found


def without_contents(blocks: list[SourceBlock]) -> tuple[SourceBlock, ...]:
    """Return the blocks without printed tables of contents: runs of lines that are only links within the page."""
    gone: set[int] = set()
    run: list[int] = []
    for index in range(len(blocks) + 1):
        block = blocks[index] if index < len(blocks) else None
        if block is not None and not block.level and _only_leads_inside(block):
            run.append(index)
            continue
        if len(run) >= LEAST_LISTED:
            gone.update(run)
        run = []
    return tuple(block for index, block in enumerate(blocks) if index not in gone)


def _only_leads_inside(block: SourceBlock) -> bool:
    inside = sum(link.end - link.start for link in block.links if link.address.startswith("#"))
    return bool(inside) and inside >= LISTED * len(block.text.lstrip("•| 0123456789.-").rstrip("| 0123456789."))
