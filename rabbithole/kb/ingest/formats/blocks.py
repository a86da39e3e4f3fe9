"""The output of readers of formats without fixed pages: a document as a sequence of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rabbithole.kb.models import Scalar

BlockKind = Literal["text", "item", "row", "code", "note"]


@dataclass(frozen=True, slots=True)
class BlockLink:
    """A link on text[start:end] of its block; ``address`` as written: "#a7", "other.html#b", "https://..."."""

    start: int
    end: int
    address: str


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """One line of the document's text. ``level``: 1 and up for a heading, 0 for anything else.

    Links lead here by the names in ``anchors``. ``kind`` "row" is a table row in Markdown.
    """

    text: str
    level: int = 0
    kind: BlockKind = "text"
    bold: bool = False
    anchors: tuple[str, ...] = ()
    links: tuple[BlockLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Flow:
    """A document as read: its blocks in order, and the properties given in the file."""

    blocks: tuple[SourceBlock, ...]
    properties: Mapping[str, Scalar] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
