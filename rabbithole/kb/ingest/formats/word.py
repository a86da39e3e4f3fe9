"""Reads Word documents into blocks: headings by style, numbers as Word shows them, footnotes, tables, links."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml.ns import qn
from lxml import etree

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.page.lines import LONGEST_REPEATED
from rabbithole.kb.models import Scalar
from rabbithole.kb.notation.raised_digits import raised_digits

from .archive import require_archive
from .blocks import Flow
from .word_numbering import Numbering, numbering_of
from .writer import MOST_COLUMNS, BlockWriter

_SKIPPED = frozenset(map(qn, ("w:del", "w:moveFrom", "w:rPr", "w:pPr", "w:tblPr", "w:tcPr", "w:trPr"))) | {
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
}
_CONTENTS = ("toc ", "table of figures", "verzeichnis ")
MAX_BASED_ON = 20


def read_word(path: Path) -> Flow:
    """Read a document as it is after all changes are accepted. Macros, pictures and embedded files are ignored.

    Raises IngestError if the file is damaged, encrypted or too large.
    """
    if "word/document.xml" not in require_archive(path, "Word (.docx)"):
        raise IngestError(f"{path.name} is not a Word document: its archive has no word/document.xml.")
    try:
        document = docx.Document(str(path))
    except (PackageNotFoundError, KeyError, ValueError, AttributeError, etree.XMLSyntaxError) as error:
        if "macroEnabled" in str(error):
            raise IngestError(f"{path.name} is a Word file with macros; save it as .docx without them.") from error
        raise IngestError(f"{path.name} is damaged: its Word content cannot be read; save it again.") from error
    reader = _Reader(document)
    reader.body(document.element.body)
    return Flow(tuple(reader.writer.blocks), _properties(document))


def _properties(document: WordDocument) -> dict[str, Scalar]:
    try:
        core = document.core_properties
        found: dict[str, Scalar] = {
            "title": core.title, "author": core.author, "subject": core.subject, "keywords": core.keywords,
            "created": core.created.date().isoformat() if core.created else "",
            "modified": core.modified.date().isoformat() if core.modified else "",
        }  # fmt: skip
    except (KeyError, ValueError, AttributeError):
        return {}  # a file whose properties cannot be read has none
    made_up = {"author": "python-docx", "created": "2013-12-23", "title": "Word Document"}
    return {name: value for name, value in found.items() if value and value != made_up.get(name)}


class _Reader:
    def __init__(self, document: WordDocument) -> None:
        self.writer = BlockWriter()
        part = document.part
        self._links = {key: rel.target_ref for key, rel in part.rels.items() if rel.is_external}
        self._styles = {each.get(qn("w:styleId")): each for each in document.styles.element.iterchildren(qn("w:style"))}
        self._default = next((key for key, each in self._styles.items() if _is_default(each)), "")
        self._numbering: Numbering = numbering_of(_root(part, RELATIONSHIP_TYPE.NUMBERING))
        self._notes = {
            "w:footnoteReference": _notes(_root(part, RELATIONSHIP_TYPE.FOOTNOTES)),
            "w:endnoteReference": _notes(_root(part, RELATIONSHIP_TYPE.ENDNOTES)),
        }
        self._shown = 0

    def body(self, parent: Any) -> None:
        """Write the paragraphs and tables in an element, including those in content controls."""
        stack = [iter(parent)]
        while stack:
            for child in stack[-1]:
                if child.tag == qn("w:p"):
                    self._paragraph(child)
                elif child.tag == qn("w:tbl"):
                    self._table(child)
                elif child.tag == qn("w:sdt") and not _is_contents(child):
                    content = child.find(qn("w:sdtContent"))
                    stack.append(iter(content if content is not None else ()))
                    break
                elif child.tag in (qn("w:ins"), qn("w:moveTo"), qn("w:customXml")):
                    stack.append(iter(child))
                    break
            else:
                stack.pop()

    def _paragraph(self, paragraph: Any) -> None:
        chain = list(self._chain(_val(paragraph, "w:pPr/w:pStyle") or self._default))
        names = [(_val(style, "w:name") or "").casefold() for style in chain]
        if any(name.startswith(_CONTENTS) for name in names):
            return
        level = self._level(paragraph, chain, names)
        marker = self._marker(paragraph, chain)
        if marker and any(True for _ in paragraph.iter(qn("w:t"))):
            self.writer.mark(marker)
        notes = self._words(paragraph)
        self.writer.end_block(level=level)
        for note in notes:
            self.writer.text(note)
            self.writer.end_block(kind="note")

    def _words(self, element: Any) -> list[str]:
        """Write the text of a paragraph or cell; return the notes it refers to."""
        notes: list[str] = []
        skipped = None
        for event, node in etree.iterwalk(element, events=("start", "end")):
            if event == "end":
                if node is skipped:
                    skipped = None
                elif skipped is None and node.tag == qn("w:hyperlink"):
                    self.writer.close_link()
                continue
            if skipped is not None:
                continue
            if node.tag in _SKIPPED:
                skipped = node
            elif node.tag == qn("w:t"):
                self.writer.text(node.text or "", bold=_is_bold(node.getparent()))
            elif node.tag in (qn("w:tab"), qn("w:br"), qn("w:cr")) or (node.tag == qn("w:p") and node is not element):
                self.writer.blank()
            elif node.tag == qn("w:noBreakHyphen"):
                self.writer.text("-")
            elif node.tag == qn("w:hyperlink"):
                target = self._links.get(node.get(qn("r:id")) or "", "")
                anchor = node.get(qn("w:anchor"))
                self.writer.open_link(f"{target}#{anchor}" if anchor else target)
            elif node.tag == qn("w:bookmarkStart"):
                self.writer.anchor(node.get(qn("w:name")) or "")
            elif node.tag in (qn("w:footnoteReference"), qn("w:endnoteReference")):
                kind = "w:footnoteReference" if node.tag == qn("w:footnoteReference") else "w:endnoteReference"
                note = self._notes[kind].get(node.get(qn("w:id")) or "")
                if note:
                    self._shown += 1
                    mark = raised_digits(str(self._shown))
                    self.writer.text(mark)
                    notes.append(f"{mark} {note}")
        return notes

    def _table(self, table: Any) -> None:
        rows = list(table.iterchildren(qn("w:tr")))
        cells = [list(row.iterchildren(qn("w:tc"))) for row in rows]
        if max((len(row) for row in cells), default=0) < 2 or any(
            next(cell.iterdescendants(qn("w:tbl")), None) is not None for row in cells for cell in row
        ):
            for row in cells:
                for cell in row:
                    self.body(cell)
            return
        notes: list[str] = []
        above: dict[int, str] = {}  # column -> the words of a cell that the rows below continue
        for index, row in enumerate(cells):
            column = 0
            for cell in row:
                self.writer.cell()
                if _continues(cell) and column in above:
                    self.writer.text(above[column])
                else:
                    above[column] = _short_words(cell)
                    notes += self._words(cell)
                columns = min(int(_val(cell, "w:tcPr/w:gridSpan") or 1), MOST_COLUMNS)
                for _ in range(columns - 1):
                    self.writer.cell()
                column += columns
            self.writer.row()
            if index == 0:
                self.writer.rule(column)
        for note in notes:
            self.writer.text(note)
            self.writer.end_block(kind="note")

    def _chain(self, style: str) -> Iterator[Any]:
        """Yield a style and the styles it is based on."""
        for _ in range(MAX_BASED_ON):
            if style not in self._styles:
                return
            yield self._styles[style]
            style = _val(self._styles[style], "w:basedOn") or ""

    def _level(self, paragraph: Any, chain: list[Any], names: list[str]) -> int:
        said = _val(paragraph, "w:pPr/w:outlineLvl") or next(
            (value for style in chain if (value := _val(style, "w:pPr/w:outlineLvl"))), ""
        )
        if said.isdigit():
            return int(said) + 1 if int(said) < 9 else 0
        for name in names:
            if name.startswith("heading ") and name[8:9].isdigit():
                return int(name[8])
            if name == "title":
                return 1
        return 0

    def _marker(self, paragraph: Any, chain: list[Any]) -> str:
        for holder in (paragraph, *chain):
            number, level = _val(holder, "w:pPr/w:numPr/w:numId"), _val(holder, "w:pPr/w:numPr/w:ilvl")
            if number == "0":
                return ""
            if number:
                if not level and holder is not paragraph:
                    level = next(
                        (str(int(said)) for said in [_val(holder, "w:pPr/w:outlineLvl")] if said.isdigit()), ""
                    )
                return self._numbering.next(number, int(level) if level.isdigit() else 0)
        return ""


def _root(part: Any, kind: str) -> Any | None:
    """Return the XML of a related part, parsed without entities and network; None if it is missing or broken."""
    try:
        blob = part.part_related_by(kind).blob
    except KeyError:
        return None
    try:
        return etree.fromstring(blob, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError:
        return None  # a list of notes or numbers that cannot be read is left out


def _notes(root: Any | None) -> dict[str, str]:
    """Return the text of each note by id; separators have no text and are left out."""
    if root is None:
        return {}
    return {
        note.get(qn("w:id")) or "": words
        for note in root
        if (words := " ".join("".join(each.text or "" for each in note.iter(qn("w:t"))).split()))
    }


def _val(holder: Any, path: str) -> str:
    child = holder.find("/".join(map(qn, path.split("/"))))
    return str(child.get(qn("w:val")) or "") if child is not None else ""


def _is_default(style: Any) -> bool:
    return style.get(qn("w:default")) in ("1", "true") and style.get(qn("w:type")) == "paragraph"


def _continues(cell: Any) -> bool:
    """Return whether a cell continues the one above it."""
    merged = cell.find(f"{qn('w:tcPr')}/{qn('w:vMerge')}")
    return merged is not None and merged.get(qn("w:val")) != "restart"


def _short_words(cell: Any) -> str:
    """Return the words of a cell, to be repeated in the rows that continue it; '' if there are many."""
    words = " ".join("".join(part.text or "" for part in each.iter(qn("w:t"))) for each in cell.iterchildren(qn("w:p")))
    return words if len(words) <= LONGEST_REPEATED else ""


def _is_bold(run: Any) -> bool:
    bold = run.find(f"{qn('w:rPr')}/{qn('w:b')}") if run is not None else None
    return bold is not None and bold.get(qn("w:val")) not in ("0", "false")


def _is_contents(control: Any) -> bool:
    gallery = control.find(f"{qn('w:sdtPr')}/{qn('w:docPartObj')}/{qn('w:docPartGallery')}")
    return gallery is not None and gallery.get(qn("w:val")) == "Table of Contents"
