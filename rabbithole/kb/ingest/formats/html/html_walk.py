"""Walks through a tree of HTML and writes its elements as blocks: headings, paragraphs, lists, tables and links."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from rabbithole.kb.ingest.formats.writer import BlockWriter
from rabbithole.kb.notation.raised_digits import raised_digits
from rabbithole.kb.notation.roman import to_roman

from .html_elements import BLOCKS, is_left_out, level_of, titles_notice
from .html_tables import ENUMERATOR, columns_of, complete_rows, heads_row, is_data, rows_of, whole_number

MAX_MARKER = 12
MAX_TERM = 160
"""Maximum number of characters of a term that stands on one line with its definition."""
_SENTENCE_END = (".", "?", "!")


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
                if skipped is None and is_left_out(element):
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
        if tag in BLOCKS:
            self._flush()
        for name in (element.get("id"), element.get("name") if tag == "a" else None):
            if name:
                self.writer.anchor(self.prefix + name)
        if level := level_of(element):
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
        if titles_notice(element) and not self._in_table() and self._becomes_marker("dt"):
            self.writer.close_term()
            return
        if tag == "tr" and self._in_table():
            self.writer.row()
            if self._is_first_row(element) and not heads_row(element):
                self.writer.rule(sum(map(columns_of, element.iterchildren("td", "th"))))
        elif tag in ("td", "th") and self._in_table():
            for _ in range(columns_of(element) - 1):
                self.writer.cell()
        elif tag in BLOCKS:
            self._flush()
        if level_of(element):
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


def _opened(element: Any) -> _List:
    plain = "list-style-type:none" in "".join((element.get("style") or "").split()).casefold()
    return _List(
        element.tag == "ol" and not plain, element.get("type") or "1", whole_number(element.get("start")) or 1, plain
    )


def _is_term(words: str) -> bool:
    return len(words) <= MAX_TERM and not words.endswith(_SENTENCE_END)


def _marker(kind: str, number: int) -> str:
    """Return an item's number as '1.', 'a.' or 'i.'."""
    if kind in "aA" and number <= 26:
        return f"{chr(ord(kind) + number - 1)}."
    if kind in "iI" and number < 40:
        return f"{to_roman(number).lower() if kind == 'i' else to_roman(number)}."
    return f"{number}."
