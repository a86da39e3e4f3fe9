"""Reads HTML into blocks: headings, paragraphs, lists, tables and links. Nothing is executed or fetched."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from rabbithole.kb.errors import IngestError
from rabbithole.kb.models import Scalar
from rabbithole.kb.notation.raised_digits import raised_digits
from rabbithole.kb.notation.roman import to_roman

from .blocks import Flow, SourceBlock
from .html_site import book_of, is_banner
from .html_tables import ENUMERATOR, columns_of, complete_rows, heads_row, is_data, rows_of, whole_number
from .writer import BlockWriter

_LEFT_OUT = frozenset(
    "script style noscript template svg iframe object embed applet audio video canvas map nav select button textarea "
    "input form-control head link meta source track dialog menu".split()
)
_BLOCK = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main ol p pre section summary table tbody td tfoot th thead "
    "tr ul".split()
)
_NAVIGATION = frozenset("breadcrumb breadcrumbs docnav navfooter navheader related sphinxsidebar toc".split())
"""Classes of the contents and the lines "Previous, Up, Next" that generators of manuals write on each page."""
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_SIGNS = ("¶", "#", "🔗", "\uf0c1")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?!\.)", re.I)
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
MAX_MARKER = 12
MAX_TERM = 160
"""Maximum number of characters of a term that stands on one line with its definition."""
_SENTENCE_END = (".", "?", "!")
_NOTICES = frozenset("admonition attention caution danger hint important note sidebar tip warning".split())
"""Classes of boxes in the text of manuals. Their titles begin no section, because the section goes on below the box."""
MAX_FOOTER = 120
"""Maximum number of words of a site's footer."""
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
    if any(next(each.iterancestors("pre"), None) is None for each in root.iter(*_HEADINGS)):
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


@dataclass(slots=True)
class _List:
    ordered: bool
    kind: str = "1"
    next: int = 1
    plain: bool = False


@dataclass(slots=True)
class Walk:
    """Walks through a tree once, without recursion, because pages may nest thousands of lists."""

    writer: BlockWriter
    prefix: str = ""
    lists: list[_List] = field(default_factory=list)
    tables: list[tuple[Any, bool]] = field(default_factory=list)
    heading: int = 0
    bold: int = 0
    verbatim: int = 0

    def tree(self, root: Any) -> None:
        complete_rows(root)
        skipped = None
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event == "start":
                if skipped is None and self._left_out(element):
                    skipped = element
                elif skipped is None:
                    self._start(element)
            elif event == "end":
                if skipped is None:
                    self._end(element)
                if skipped is element:
                    skipped = None
            if event != "start" and skipped is None and element.tail and element is not root:
                self._text(element.tail)
        self._flush()

    def _left_out(self, element: Any) -> bool:
        return (
            element.tag in _LEFT_OUT
            or element.get("hidden") is not None
            or element.get("aria-hidden") == "true"
            or bool(_HIDDEN.search(element.get("style") or ""))
            or element.get("role") == "navigation"
            or not _NAVIGATION.isdisjoint((element.get("class") or "").split())
            or (element.tag == "a" and _is_permalink(element))
            or (_is_footer(element) and _is_of_site(element))
            or (element.tag == "header" and is_banner(element))
        )

    def _text(self, words: str) -> None:
        if self.verbatim and not self._in_table():
            lines = words.split("\n")
            for line in lines[:-1]:
                self.writer.text(line, verbatim=True)
                self.writer.end_block(kind="code", level=self.heading)
            self.writer.text(lines[-1], verbatim=True)
            return
        if self._in_table():
            words = words.replace("|", "\\|")
        self.writer.text(words, bold=self.bold > 0 or self.heading > 0)

    def _is_first_row(self, row: Any) -> bool:
        return next(rows_of(self.tables[-1][0]), None) is row

    def _in_table(self) -> bool:
        return bool(self.tables) and self.tables[-1][1]

    def _start(self, element: Any) -> None:
        tag = element.tag
        if tag in _BLOCK:
            self._flush()
        for name in (element.get("id"), element.get("name") if tag == "a" else None):
            if name:
                self.writer.anchor(self.prefix + name)
        if level := _level(element):
            self.heading = level
        elif tag == "dd":
            self.writer.close_term()
        elif tag == "li":
            self._item(element)
        elif tag in ("ol", "ul"):
            self.lists.append(_opened(element))
        elif tag == "table":
            self.tables.append((element, is_data(element)))
        elif tag in ("td", "th") and self._in_table():
            self.writer.cell()
        elif tag == "a" and element.get("href"):
            self.writer.open_link(self._address(element.get("href")))
        elif tag in ("b", "strong"):
            self.bold += 1
        elif tag == "pre":
            self.verbatim += 1
        elif tag == "br":
            if self.heading or self._in_table():
                self.writer.blank()
            elif self.verbatim:
                self._text("\n")
            else:
                self._flush()
        elif tag == "math" and element.get("alttext"):
            self._text(element.get("alttext"))
        if element.text:
            words = element.text
            self._text(raised_digits(words) if tag == "sup" and words.strip().isdigit() else words)

    def _end(self, element: Any) -> None:
        tag = element.tag
        if tag in ("dt", "td", "th") and not self._in_table() and self._becomes_marker(tag):
            return
        if _titles_notice(element) and not self._in_table() and self._becomes_marker("dt"):
            self.writer.close_term()
            return
        if tag == "tr" and self._in_table():
            self.writer.row()
            if self._is_first_row(element) and not heads_row(element):
                self.writer.rule(sum(map(columns_of, element.iterchildren("td", "th"))))
        elif tag in ("td", "th") and self._in_table():
            for _ in range(columns_of(element) - 1):
                self.writer.cell()
        elif tag in _BLOCK:
            self._flush()
        if _level(element):
            self.heading = 0
        elif tag == "dl":
            self.writer.write_marker()
        elif tag in ("ol", "ul") and self.lists:
            self.lists.pop()
        elif tag == "table" and self.tables:
            self.tables.pop()
        elif tag == "a" and element.get("href"):
            self.writer.close_link()
        elif tag in ("b", "strong"):
            self.bold = max(self.bold - 1, 0)
        elif tag == "pre":
            self.verbatim = max(self.verbatim - 1, 0)

    def _flush(self) -> None:
        if self._in_table():
            self.writer.blank()
        elif not (self.tables and ENUMERATOR.fullmatch(self.writer.so_far) and self._becomes_marker("td")):
            self.writer.end_block(level=self.heading, kind="code" if self.verbatim else "text")

    def _becomes_marker(self, tag: str) -> bool:
        """Use a term, or '1.' in the first cell of a layout row, as the beginning of the text after it."""
        words = self.writer.so_far
        if tag == "dt":
            fits = bool(words) and (len(words) <= MAX_MARKER or (_is_term(words) and not self.writer.only_links))
        else:
            fits = len(words) <= MAX_MARKER and ENUMERATOR.fullmatch(words) is not None
        if fits:
            self.writer.take_as_marker()
        return fits

    def _item(self, element: Any) -> None:
        within = self.lists[-1] if self.lists else _List(ordered=False)
        if value := whole_number(element.get("value")):
            within.next = value
        if within.ordered:
            self.writer.mark(_marker(within.kind, within.next))
            within.next += 1
        elif not within.plain:
            self.writer.mark("•")

    def _address(self, href: str) -> str:
        return f"#{self.prefix}{href[1:]}" if self.prefix and href.startswith("#") else href


def _is_footer(element: Any) -> bool:
    return element.tag == "footer" or (
        element.tag == "div" and (element.get("class") == "footer" or element.get("role") == "contentinfo")
    )


def _is_of_site(footer: Any) -> bool:
    """Return whether a footer belongs to the site (copyright, imprint) rather than to an article, and has no notes."""
    if next(footer.iterancestors("article", "section", "main", "blockquote", "td"), None) is not None:
        return False
    noted = next(footer.iterdescendants("ol", "dl", "h1", "h2", "h3"), None)
    return noted is None and len("".join(footer.itertext()).split()) <= MAX_FOOTER


def _opened(element: Any) -> _List:
    plain = "list-style-type:none" in "".join((element.get("style") or "").split()).casefold()
    return _List(
        element.tag == "ol" and not plain, element.get("type") or "1", whole_number(element.get("start")) or 1, plain
    )


def _is_permalink(link: Any) -> bool:
    """Return whether a link is the sign after a heading or a term ("¶") that leads to the place itself."""
    sign, heading = "".join(link.itertext()).strip(), link.getparent()
    if sign in _SIGNS and str(link.get("href") or "").startswith("#"):
        return True
    return heading is not None and heading.tag in _HEADINGS and not any(map(str.isalnum, sign))


def _is_term(words: str) -> bool:
    return len(words) <= MAX_TERM and not words.endswith(_SENTENCE_END)


def _titles_notice(element: Any) -> bool:
    """Return whether an element is the title of a box: a heading or the first line of <div class="note">."""
    heading = element.tag in _HEADINGS
    if not heading and element.tag not in ("p", "div"):
        return False
    if "admonition-title" in (element.get("class") or "").split():
        return True
    box = element.getparent()
    if not heading or box is None or box.tag not in ("div", "aside", "section"):
        return False
    return not _NOTICES.isdisjoint((box.get("class") or "").casefold().split())


def _level(element: Any) -> int:
    tag = element.tag
    if _titles_notice(element):
        return 0
    if tag in _HEADINGS:
        return int(tag[1])
    if element.get("role") == "heading":
        return min(whole_number(element.get("aria-level")) or 2, 9)
    return 0


def _marker(kind: str, number: int) -> str:
    """Return an item's number as '1.', 'a.' or 'i.'."""
    if kind in "aA" and number <= 26:
        return f"{chr(ord(kind) + number - 1)}."
    if kind in "iI" and number < 40:
        return f"{to_roman(number).lower() if kind == 'i' else to_roman(number)}."
    return f"{number}."
