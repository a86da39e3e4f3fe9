"""Collects text into blocks while a reader walks through a document: white space, list markers, links, tables."""

from __future__ import annotations

import re

from rabbithole.kb.ingest.page.lines import clean

from .blocks import BlockKind, BlockLink, SourceBlock

_BLANK = re.compile(r"[ \t\r\n\f]+")
_NUMBERING = re.compile(r"[\W\d]*(?:[ivxlcdm]+|[a-z]{0,2})(?:\W[\W\d]*)?", re.IGNORECASE)
"""A marker that counts: '1.', '(iv)', '12', 'a)', 'Nr. 3'. Anything else is a term."""
_ENDS = ".:;,]•"
_NEVER = ("javascript:", "data:", "vbscript:", "about:")
MAX_BLOCKS = 150_000
"""Maximum number of blocks collected, ten times a book of a thousand pages; ``build`` rejects documents with more."""

MOST_COLUMNS = 50
"""Maximum number of columns that one cell of a table covers."""


class BlockWriter:
    """Collects text with ``text``; ``end_block`` closes a block.

    White space is collapsed as in browsers, unless ``verbatim`` is set.
    """

    def __init__(self) -> None:
        self.blocks: list[SourceBlock] = []
        self._parts: list[str] = []
        self._length = 0
        self._bold = 0
        self._anchors: list[str] = []
        self._links: list[BlockLink] = []
        self._open: list[tuple[int, str]] = []
        self._marker = ""
        self._marked = ""

    @property
    def empty(self) -> bool:
        return not self._parts

    @property
    def so_far(self) -> str:
        return "".join(self._parts).strip()

    @property
    def only_links(self) -> bool:
        """Whether nearly all of the text written so far is links: an entry of a table of contents."""
        linked = sum(link.end - link.start for link in self._links)
        return linked >= 0.9 * len(self.so_far) > 0

    def text(self, words: str, *, bold: bool = False, verbatim: bool = False) -> None:
        words = clean(words.replace("\r\n", "\n").replace("\n", " "))
        if not verbatim:
            words = _BLANK.sub(" ", words)
            if words.startswith(" ") and (self.empty or self._parts[-1].endswith(" ")):
                words = words[1:]
        if not words:
            return
        if self.empty and self._marker:
            self._marked, self._marker = self._marker, ""
            self._add(self._marked + " ")
        self._add(words)
        self._bold += len(words) if bold else 0

    def _add(self, words: str) -> None:
        self._parts.append(words)
        self._length += len(words)

    def cell(self) -> None:
        """Write the border before a table cell."""
        self._add("| " if self.empty else " | " if not self._parts[-1].endswith(" ") else "| ")

    def blank(self) -> None:
        if not self.empty and not self._parts[-1].endswith(" "):
            self._add(" ")

    def mark(self, marker: str) -> None:
        """Set the marker the next block begins with: the number or bullet of a list item."""
        self._marker = f"{self._marker} {marker}".strip() if self._marker else marker

    def take_as_marker(self) -> None:
        """Use the text written so far as the marker of the next block."""
        words = self.so_far
        self._parts, self._links, self._length, self._bold = [], [], 0, 0
        self._open = [(0, address) for _, address in self._open]
        if words:
            self.mark(words)

    def close_term(self) -> None:
        """Add a colon to a marker in words, because its definition follows: 'timeout: Seconds to wait'."""
        if self._marker and not _NUMBERING.fullmatch(self._marker) and self._marker[-1] not in _ENDS:
            self._marker += ":"

    def write_marker(self) -> None:
        """Write a marker that no text has followed as a block of its own."""
        words, self._marker = self._marker, ""
        if words:
            self.text(words)
            self.end_block()

    def anchor(self, name: str) -> None:
        """Make links to ``name`` lead to the open or the next block."""
        if name and len(name) < 300:
            self._anchors.append(name)

    def open_link(self, address: str) -> None:
        self._open.append((self._length, address.strip()))

    def close_link(self) -> None:
        if self._open:
            start, address = self._open.pop()
            self._link(start, address)

    def _link(self, start: int, address: str) -> None:
        folded = "".join(address.split()).casefold()
        if self._length > start and address and len(address) < 2000 and not folded.startswith(_NEVER):
            self._links.append(BlockLink(start, self._length, address))

    def end_block(self, *, level: int = 0, kind: BlockKind = "text") -> None:
        """Close the block. An empty block is dropped, and its anchors move to the next one."""
        whole = "".join(self._parts)
        words = whole.rstrip()
        for start, address in self._open:
            self._link(start, address)
        if words.strip() and len(self.blocks) <= MAX_BLOCKS:
            lead = 0 if kind == "code" else len(words) - len(words.lstrip())
            length = len(words) - lead
            links = tuple(
                BlockLink(max(link.start - lead, 0), min(link.end - lead, length), link.address)
                for link in self._links
                if link.start - lead < length and words[max(link.start, lead) : link.end].strip()
            )
            plain = kind == "text" and self._marked
            self.blocks.append(
                SourceBlock(
                    text=words[lead:],
                    level=level,
                    kind="item" if plain and not level else kind,
                    bold=self._bold > 0.8 * length,
                    anchors=tuple(self._anchors),
                    links=tuple(sorted(links, key=lambda link: (link.start, link.end))),
                )
            )
            self._anchors = []
        self._parts, self._links, self._length, self._bold, self._marked = [], [], 0, 0, ""
        self._open = [(0, address) for _, address in self._open]

    def row(self) -> None:
        """Close a table row."""
        if not self.empty:
            self._add("|" if self._parts[-1].endswith(" ") else " |")
        self.end_block(kind="row")

    def rule(self, columns: int) -> None:
        """Write the line below the header of a table."""
        self._add("|" + " --- |" * columns)
        self.end_block(kind="row")
