"""Tree changes shared by the readers of law XML: they rename elements to HTML, which one walk reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lxml import etree

DEEPEST = 9


def words(element: Any) -> str:
    """Return the text of an element and its descendants as one line, paragraphs separated by a space; '' for None."""
    if element is None:
        return ""
    if paragraphs := element.findall("P"):
        return " ".join(filter(None, map(words, paragraphs)))
    return " ".join("".join(element.itertext()).split())


def make_heading(element: Any, text: str, level: int, parts: Iterable[Any], anchor: str = "") -> None:
    """Insert a heading at the start of ``element`` in place of the ``parts`` it was made of."""
    for part in parts:
        remove(part)
    heading = etree.Element("div", {"role": "heading", "aria-level": str(min(level, DEEPEST))})
    if anchor:
        heading.set("id", anchor)
    heading.text = text
    element.insert(0, heading)
    element.text = None


def remove(element: Any) -> None:
    """Remove an element but keep the text after it."""
    parent, before = element.getparent(), element.getprevious()
    if element.tail:
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def notes_after(notes: Iterable[Any], blocks: frozenset[str]) -> None:
    """Move each note behind its block, so that it does not interrupt a sentence."""
    for note in notes:
        block = next((one for one in note.iterancestors() if one.tag in blocks), None)
        if block is None or block.getparent() is None:
            continue
        remove(note)
        note.tag, note.tail = "div", None
        block.addnext(note)
