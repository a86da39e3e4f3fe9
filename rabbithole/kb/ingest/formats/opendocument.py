"""Reads OpenDocument texts into blocks: headings with their numbers, lists, tables, notes, links."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.page.lines import LONGEST_REPEATED
from rabbithole.kb.models import Scalar
from rabbithole.kb.notation.raised_digits import raised_digits

from .archive import require_archive
from .blocks import Flow
from .safe_xml import parse_xml
from .word_numbering import Level, Numbering
from .writer import BlockWriter

_SPACES: Final = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
}
_FORMS: Final = {
    "1": "decimal",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
    "": "none",
}
_PROPERTIES = {
    "dc:title": "title", "dc:creator": "author", "meta:initial-creator": "author", "dc:subject": "subject",
    "meta:keyword": "keywords", "dc:date": "modified", "meta:creation-date": "created",
}  # fmt: skip
MAX_REPEATED = 50


def _q(name: str) -> str:
    space, local = name.split(":")
    return f"{{{_SPACES[space]}}}{local}"


_LEFT_OUT = frozenset(
    map(_q, ("text:tracked-changes", "text:table-of-content", "text:alphabetical-index", "text:illustration-index",
             "text:table-index", "text:sequence-decls", "office:annotation", "office:forms"))
)  # fmt: skip


def read_opendocument(path: Path) -> Flow:
    """Read a text. Raises IngestError if it is damaged, encrypted or too large. Scripts and pictures are ignored."""
    names = require_archive(path, "OpenDocument text (.odt)")
    if "content.xml" not in names:
        raise IngestError(f"{path.name} is not an OpenDocument text: its archive has no content.xml.")
    content = parse_xml(_part(path, "content.xml"), path.name)
    text = content.find(f"{_q('office:body')}/{_q('office:text')}")
    if text is None:
        raise IngestError(f"{path.name} is an OpenDocument file without text, such as a spreadsheet or slides.")
    styles = parse_xml(_part(path, "styles.xml"), path.name) if "styles.xml" in names else None
    reader = _Reader([root for root in (styles, content) if root is not None])
    reader.blocks(text)
    properties = _properties(parse_xml(_part(path, "meta.xml"), path.name)) if "meta.xml" in names else {}
    return Flow(tuple(reader.writer.blocks), properties)


def _part(path: Path, name: str) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
        raise IngestError(f"{path.name} is damaged: {name} in it cannot be unpacked.") from error


def _properties(root: Any) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {}
    for tag, name in _PROPERTIES.items():
        for element in root.iter(_q(tag)):
            if words := " ".join((element.text or "").split()):
                found.setdefault(name, words[:10] if name in ("created", "modified") else words[:300])
    return found


class _Reader:
    def __init__(self, roots: list[Any]) -> None:
        self.writer = BlockWriter()
        self._styles: dict[str, dict[int, Level]] = {}
        lists: dict[str, tuple[str, dict[int, Level]]] = {}
        for root in roots:
            for style in root.iter(_q("text:list-style"), _q("text:outline-style")):
                outline = style.tag == _q("text:outline-style")
                self._styles["" if outline else style.get(_q("style:name")) or "?"] = _levels(style)
        lists["outline"] = "outline", self._styles.get("", {})
        self._lists = lists
        self._numbering = Numbering(lists)
        self._shown = 0

    def blocks(self, parent: Any, marker: str = "", inside: tuple[str, int] | None = None) -> None:
        """Write paragraphs, headings, lists and tables of an element; ``inside`` is the list and level of an item."""
        for child in parent:
            if not isinstance(child.tag, str) or child.tag in _LEFT_OUT:
                continue
            if child.tag == _q("text:h"):
                self._heading(child)
            elif child.tag == _q("text:p"):
                if marker and "".join(child.itertext()).strip():
                    self.writer.mark(marker)
                    marker = ""
                self._paragraph(child)
            elif child.tag == _q("text:list"):
                self._list(child, inside)
            elif child.tag == _q("table:table"):
                self._table(child)
            else:
                self.blocks(child, "", inside)

    def _heading(self, element: Any) -> None:
        level = _integer(element.get(_q("text:outline-level")), 1)
        number = ""
        if element.get(_q("text:is-list-header")) != "true":
            number = self._numbering.next("outline", level - 1) if level - 1 in self._styles.get("", {}) else ""
        if number:
            self.writer.mark(number)
        self._paragraph(element, min(level, 9))

    def _paragraph(self, element: Any, level: int = 0) -> None:
        notes: list[str] = []
        self._words(element, notes)
        self.writer.end_block(level=level)
        self._settle(notes)

    def _settle(self, notes: list[str]) -> None:
        for note in notes:
            self.writer.text(note)
            self.writer.end_block(kind="note")

    def _words(self, element: Any, notes: list[str]) -> None:
        self.writer.text(element.text or "")
        for child in element:
            tag = child.tag
            if tag == _q("text:note"):
                self._note(child, notes)
            elif tag == _q("text:s") or tag in (_q("text:tab"), _q("text:line-break")):
                self.writer.blank()
            elif tag in (_q("text:bookmark"), _q("text:bookmark-start"), _q("text:reference-mark-start")):
                self.writer.anchor(child.get(_q("text:name")) or "")
            elif tag == _q("text:a"):
                self.writer.open_link(child.get(_q("xlink:href")) or "")
                self._words(child, notes)
                self.writer.close_link()
            elif isinstance(tag, str) and tag not in _LEFT_OUT:
                if tag == _q("text:p"):
                    self.writer.blank()
                self._words(child, notes)
            self.writer.text(child.tail or "")

    def _note(self, note: Any, notes: list[str]) -> None:
        body = note.find(_q("text:note-body"))
        words = " ".join("".join(body.itertext()).split()) if body is not None else ""
        if words:
            self._shown += 1
            mark = raised_digits(str(self._shown))
            self.writer.text(mark)
            notes.append(f"{mark} {words}")

    def _list(self, element: Any, inside: tuple[str, int] | None) -> None:
        name, level = (inside[0], inside[1] + 1) if inside else (self._new_list(element), 0)
        for item in element:
            if item.tag in (_q("text:list-item"), _q("text:list-header")):
                plain = item.tag == _q("text:list-header") or next(iter(item), None) is None
                holds_heading = next(item.iterchildren(_q("text:h")), None) is not None
                marker = "" if plain or holds_heading else self._numbering.next(name, level)
                self.blocks(item, marker, (name, level))

    def _new_list(self, element: Any) -> str:
        style = element.get(_q("text:style-name")) or "?"
        goes_on = element.get(_q("text:continue-numbering")) == "true" or element.get(_q("text:continue-list"))
        known = [name for name in self._lists if name.startswith(f"{style}#")]
        if goes_on and known:
            return known[-1]
        name = f"{style}#{len(self._lists)}"
        self._lists[name] = name, self._styles.get(style, {level: Level("bullet") for level in range(10)})
        return name

    def _table(self, table: Any) -> None:
        rows = list(table.iter(_q("table:table-row")))
        nested = next(table.iterdescendants(_q("table:table")), None) is not None
        cells = [list(row.iterchildren(_q("table:table-cell"), _q("table:covered-table-cell"))) for row in rows]
        if nested or max((len(row) for row in cells), default=0) < 2:
            for row in rows:
                for cell in row.iterchildren(_q("table:table-cell")):
                    self.blocks(cell)
            return
        notes: list[str] = []
        above: dict[int, tuple[str, int]] = {}  # column -> the words of a cell, and the last row it covers
        for index, row in enumerate(cells):
            column = 0
            for cell in row:
                for _ in range(min(_integer(cell.get(_q("table:number-columns-repeated")), 1), MAX_REPEATED)):
                    self.writer.cell()
                    words, last = above.get(column, ("", -1))
                    if cell.tag == _q("table:table-cell"):
                        self._words(cell, notes)
                        covered = _integer(cell.get(_q("table:number-rows-spanned")), 1)
                        above[column] = _short_words(cell), index + covered - 1
                    elif index <= last:
                        self.writer.text(words)
                    column += 1
            self.writer.row()
            if index == 0:
                self.writer.rule(column)
        self._settle(notes)


def _short_words(cell: Any) -> str:
    """Return the words of a cell, to be repeated in the rows below that it covers; '' if there are many."""
    words = " ".join(" ".join(part.itertext()) for part in cell.iter(_q("text:p"), _q("text:h")))
    return words if len(words) <= LONGEST_REPEATED else ""


def _levels(style: Any) -> dict[int, Level]:
    levels: dict[int, Level] = {}
    for each in style:
        index = _integer(each.get(_q("text:level")), 1) - 1
        if each.tag == _q("text:list-level-style-bullet"):
            levels[index] = Level("bullet")
        elif each.tag in (_q("text:list-level-style-number"), _q("text:outline-level-style")):
            form = _FORMS.get(each.get(_q("style:num-format")) or "", "decimal")
            shown = _integer(each.get(_q("text:display-levels")), 1)
            counts = ".".join(f"%{number + 1}" for number in range(max(index - shown + 1, 0), index + 1))
            pattern = f"{each.get(_q('style:num-prefix')) or ''}{counts}{each.get(_q('style:num-suffix')) or ''}"
            levels[index] = Level(form, pattern, _integer(each.get(_q("text:start-value")), 1))
    return {index: level for index, level in levels.items() if level.form != "none" or style.get(_q("style:name"))}


def _integer(value: str | None, default: int) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 6 else default
