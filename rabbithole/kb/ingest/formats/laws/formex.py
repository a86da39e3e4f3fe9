"""Reads Formex 4, the XML of European Union law in EUR-Lex: acts, consolidated acts and annexes."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from rabbithole.kb.ingest.formats.blocks import Flow
from rabbithole.kb.ingest.formats.html.html_walk import Walk
from rabbithole.kb.ingest.formats.writer import BlockWriter
from rabbithole.kb.models import Scalar

from .as_html import make_heading, notes_after, words

ROOTS = ("ACT", "CONS.ACT", "ANNEX", "CONS.ANNEX", "GENERAL")
_LEFT_OUT = (
    "BIB.INSTANCE", "BIB.DATA", "INFO.CONSLEG", "INFO.PROD", "FAM.COMP", "TOC", "INCL.ELEMENT", "GR.CORRIG",
)  # fmt: skip
_TAGS = {
    "NO.PARAG": "dt", "NO.P": "dt", "TBL": "table", "ROW": "tr", "CELL": "td",
    **dict.fromkeys(("HT", "DATE", "FT", "REF.DOC.OJ", "REF.DOC", "IE", "QUOT.S", "ADDR", "NO.DOC", "LINK"), "span"),
}  # fmt: skip
_BLOCKS = frozenset({"P", "TXT", "ALINEA", "CELL", "PARAG", "NP", "VISA", "GR.CONSID.INIT", "PREAMBLE.INIT"})
_QUOTES = ("QUOT.START", "QUOT.END")
_PUBLISHED = ("DOCUMENT.REF/COLL", "DOCUMENT.REF/NO.OJ", "DOCUMENT.REF/YEAR", "PAGE.FIRST")
_BARE = 20
"""Letters up to which a title such as "ANNEX I" needs the place of its publication to tell it from others."""
_SECTION_LEVEL = 9
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)")


def flow_of(root: Any, name: str) -> Flow | None:
    """Return the act or annex in a file."""
    properties = _properties(root, name)
    etree.strip_elements(root, *_LEFT_OUT, with_tail=False)
    for mark in list(root.iter(*_QUOTES)):
        _spelled(mark)
    notes_after(list(root.iter("NOTE")), _BLOCKS)
    for table in list(root.iter("TBL")):
        _around(table)
    for title in list(root.iter("TITLE")):
        _titled(title, root)
    for article in root.iter("ARTICLE"):
        parts = [part for part in (article.find("TI.ART"), article.find("STI.ART")) if part is not None]
        make_heading(article, " ".join(map(words, parts)), _SECTION_LEVEL, parts, article.get("IDENTIFIER") or "")
    etree.strip_tags(root, "CORPUS")
    for element in root.iter(etree.Element):
        if element.get("role") != "heading":
            element.tag = _TAGS.get(element.tag, "div")
    writer = BlockWriter()
    writer.text(str(properties["title"]))
    writer.end_block(level=1)
    Walk(writer).tree(root)
    return Flow(tuple(writer.blocks), properties)


def _titled(title: Any, root: Any) -> None:
    """Turn the title of a division or annex into a heading; the act's own title is already the document's."""
    unit = title.getparent()
    text = " ".join(filter(None, (words(title.find("TI")), words(title.find("STI")))))
    if unit is None or not text:
        return
    if unit.tag in ("ACT", "CONS.DOC") or unit is root:
        unit.remove(title)
        return
    level = 2 + sum(each.tag in ("DIVISION", "GR.SEQ", "ANNEX", "CONS.ANNEX") for each in unit.iterancestors())
    make_heading(unit, text, min(level, _SECTION_LEVEL - 1), [title])


def _around(table: Any) -> None:
    """Put a table's title before it and its notes after it, and its merged cells in HTML's words."""
    for part in table.findall("TITLE"):
        table.remove(part)
        part.tag, part.tail = "P", None
        table.addprevious(part)
    for part in reversed(table.findall("GR.NOTES")):
        table.remove(part)
        part.tail = None
        table.addnext(part)
    for cell in table.iter("CELL"):
        for name in ("COLSPAN", "ROWSPAN"):
            if said := cell.get(name):
                cell.set(name.lower(), said)


def _spelled(mark: Any) -> None:
    """Replace a quotation mark written as an element with a character code by the character."""
    code = mark.get("CODE") or "22"
    mark.tag, mark.text = "QUOT.S", chr(int(code, 16)) if re.fullmatch(r"[0-9A-Fa-f]{2,4}", code) else '"'


def _gazette(root: Any) -> str:
    """Return where an act or annex was published ("OJ L 334, 2011, p. 26"); '' if the file does not say."""
    said = root.find("BIB.INSTANCE")
    parts = [words(said.find(path)) if said is not None else "" for path in _PUBLISHED]
    return "OJ {} {}, {}, p. {}".format(*parts) if all(parts) else ""


def _properties(root: Any, name: str) -> dict[str, Scalar]:
    title = next(iter(root.iter("TITLE")), None)
    printed = " ".join(filter(None, (words(title.find("TI")), words(title.find("STI"))))) if title is not None else ""
    if len(printed) <= _BARE and (gazette := _gazette(root)):
        printed = f"{printed} ({gazette})"
    found: dict[str, Scalar] = {"title": (printed or name)[:300]}
    dates = [*(title.iter("DATE") if title is not None else ()), *root.iterfind("BIB.INSTANCE/DATE")]
    days = (each.get("ISO") or "" for each in dates)
    if day := next((match for match in map(_DAY.fullmatch, days) if match), None):
        found["issued"] = "-".join(day.groups())
    return found
