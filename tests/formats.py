"""Small documents of all formats, made on the spot."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from ebooklib import epub

_NUMBERING = (
    "<w:abstractNum {ns} w:abstractNumId='90'>"
    "<w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1'/></w:lvl>"
    "<w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.%2'/></w:lvl>"
    "<w:lvl w:ilvl='2'><w:start w:val='1'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='%3)'/></w:lvl>"
    "</w:abstractNum>"
)


def write_docx(path: Path, paragraphs: Sequence[tuple[str, str]], *, title: str = "") -> Path:
    """Rows of (style, text): "Heading 1", "Normal", "numbered 1" (a heading numbered by Word), "item", "table"."""
    document = docx.Document()
    document.core_properties.title = title
    numbering = document.part.numbering_part.element
    numbering.insert(0, parse_xml(_NUMBERING.format(ns=nsdecls("w"))))
    numbering.append(parse_xml(f"<w:num {nsdecls('w')} w:numId='90'><w:abstractNumId w:val='90'/></w:num>"))
    for style, text in paragraphs:
        if style == "table":
            rows = [row.split("|") for row in text.split("\n")]
            table = document.add_table(len(rows), len(rows[0]))
            for row, cells in zip(table.rows, rows, strict=True):
                for cell, words in zip(row.cells, cells, strict=True):
                    cell.text = words
            continue
        kind, _, level = style.partition(" ")
        name = f"Heading {level}" if kind == "numbered" else "Normal" if kind == "item" else style
        paragraph = document.add_paragraph(text, style=name)
        if kind in ("numbered", "item"):
            depth = int(level) - 1 if kind == "numbered" else 2
            paragraph._p.get_or_add_pPr().append(
                parse_xml(f"<w:numPr {nsdecls('w')}><w:ilvl w:val='{depth}'/><w:numId w:val='90'/></w:numPr>")
            )
    document.save(str(path))
    return path


_ODT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"><office:automatic-styles>{styles}</office:automatic-styles>'
    "<office:body><office:text>{body}</office:text></office:body></office:document-content>"
)


def write_odt(path: Path, body: str, *, styles: str = "", extra: Mapping[str, str] | None = None) -> Path:
    """``body`` and ``styles`` are OpenDocument XML."""
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": _ODT.format(body=body, styles=styles),
    }
    return write_zip(path, {**parts, **(extra or {})})


def write_epub(path: Path, chapters: Mapping[str, str], *, title: str = "A book") -> Path:
    """``chapters``: file name -> HTML of the body."""
    book = epub.EpubBook()
    book.set_identifier("book")
    book.set_title(title)
    book.add_author("Jane Roe")
    items = []
    for name, body in chapters.items():
        item = epub.EpubHtml(title=name, file_name=name)
        item.content = f"<html><body>{body}</body></html>"
        book.add_item(item)
        items.append(item)
    book.toc = tuple(items)
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    book.spine = ["nav", *items]
    epub.write_epub(str(path), book)
    return path


def law_xml(title: str, norms: Sequence[tuple[str, str, str]]) -> str:
    """The official XML of a law; rows of (number, title, paragraphs as XML). A number "Teil 1" is a part."""
    rows = [f"<norm><metadaten><jurabk>ProbG</jurabk><langue>{title}</langue></metadaten></norm>"]
    for count, (number, heading, content) in enumerate(norms):
        if number.startswith("Teil"):
            head = (
                f"<gliederungseinheit><gliederungskennzahl>0{count + 1}0</gliederungskennzahl>"
                f"<gliederungsbez>{number}</gliederungsbez><gliederungstitel>{heading}</gliederungstitel>"
                "</gliederungseinheit>"
            )
        else:
            head = f"<enbez>{number}</enbez><titel>{heading}</titel>"
        rows.append(
            f"<norm doknr='N{count}'><metadaten><jurabk>ProbG</jurabk>{head}</metadaten>"
            f"<textdaten><text format='XML'><Content>{content}</Content></text></textdaten></norm>"
        )
    return f"<?xml version='1.0' encoding='UTF-8'?><dokumente>{''.join(rows)}</dokumente>"


def write_zip(path: Path, parts: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path
