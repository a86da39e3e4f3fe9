"""Reads Akoma Ntoso (OASIS LegalDocML 1.0): acts, bills and documents with the structure their elements give.

Parts, chapters, sections and articles become headings; numbers of smaller units precede their text.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from rabbithole.kb.ingest.formats.blocks import Flow
from rabbithole.kb.ingest.formats.html.html_walk import Walk
from rabbithole.kb.ingest.formats.writer import BlockWriter
from rabbithole.kb.models import Scalar

from .as_html import make_heading, notes_after, remove, words

ROOT = "akomaNtoso"
_HEADED = frozenset(
    "book tome part subPart title subTitle chapter subChapter division subDivision section article rule proviso "
    "hcontainer attachment annex".split()
)
"""Units that have a heading of their own even if only a number is printed."""
_LEFT_OUT = ("meta", "noteRef", "componentInfo", "coverPage", "img")
_SPANS = (
    "mref def term date span em remark ins inline affectedDocument docTitle docNumber docType docDate docProponent "
    "docIntroducer docStage docStatus docketNumber shortTitle organization person role location quantity concept "
    "object event marker process time entity fillIn placeholder quotedText abbr mod rmod mmod"
)
_INLINE = {"ref": "a", "rref": "a", "eol": "br"} | dict.fromkeys(_SPANS.split(), "span")
_KEPT = frozenset("p table caption tr th td ul ol li div b i u sup sub br".split())
_BLOCKS = frozenset("p block td li content".split())
_TITLES = ("shortTitle", "docTitle", "longTitle")
_SIGNED = "ausfertigung-datum"
"""How LegalDocML.de marks the date a German law bears; its work is dated by the day of publication."""
_DIGITS = re.compile(r"\d+[a-z]{0,2}\.?", re.IGNORECASE)


def flow_of(root: Any, name: str) -> Flow | None:
    """Return the document in a file, or None if there is none."""
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
    document = next((each for each in root if isinstance(each.tag, str)), None)
    if document is None:
        return None
    properties = _properties(document, name)
    for contents in list(root.iter("toc")):
        remove(contents.getparent() if contents.getparent().tag == "blockContainer" else contents)
    for title in list(root.iter("longTitle")):
        if _letters(words(title)) == _letters(str(properties["title"])):
            remove(title)  # it stands above the document already
    etree.strip_elements(root, *_LEFT_OUT, with_tail=False)
    notes_after(list(root.iter("authorialNote")), _BLOCKS)
    for element in list(root.iter(etree.Element)):
        _headed(element)
    for element in root.iter(etree.Element):
        _renamed(element)
    writer = BlockWriter()
    writer.text(str(properties["title"]))
    writer.end_block(level=1)
    Walk(writer).tree(document)
    return Flow(tuple(writer.blocks), properties)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _headed(element: Any) -> None:
    """Turn number and heading of a unit into a heading; a number alone is put before its text."""
    number, heading = element.find("num"), element.find("heading")
    if heading is None and (number is None or element.tag not in _HEADED):
        if number is not None:
            number.tag = "dt"
        return
    printed = words(number)
    if element.tag == "article" and _DIGITS.fullmatch(printed):
        printed = f"Article {printed.rstrip('.')}"
    parts = [part for part in (number, heading, element.find("subheading")) if part is not None]
    text = " ".join(each for each in (printed, *map(words, parts[number is not None :])) if each)
    level = 2 + sum(each.tag == "unit" for each in element.iterancestors())
    make_heading(element, text, level, parts, element.get("eId") or element.get("id") or "")
    element.tag = "unit"


def _renamed(element: Any) -> None:
    tag = element.tag
    if tag == "a" or element.get("role") == "heading" or tag == "dt":
        return
    if (anchor := element.get("eId")) and not element.get("id"):
        element.set("id", anchor)
    element.tag = _INLINE.get(tag) or (tag if tag in _KEPT else "div")


def _properties(document: Any, name: str) -> dict[str, Scalar]:
    """Return title and date.

    The title is an alias that is a title, else the short title, the printed title or the file's name.
    """
    alias = next((each.get("value") for each in document.iter("FRBRalias") if "title" in (each.get("name") or "")), "")
    printed = [said for tag in _TITLES for each in document.iter(tag) if (said := words(each))]
    if len(printed) > 1 and printed[0].startswith("("):  # "(Testverordnung - TestV)" after the title
        printed[0] = f"{printed[1]} {printed[0]}"
    found: dict[str, Scalar] = {"title": (alias or next(iter(printed), name))[:300]}
    signed = (each.get("date") or "" for each in document.iter("date") if each.get("refersTo") == _SIGNED)
    dated = (each.get("date") or "" for each in document.iterfind(".//FRBRWork/FRBRdate"))
    day = next((each for each in (*signed, *dated) if re.match(r"\d{4}-\d\d-\d\d", each)), "")
    if day:
        found["issued"] = day[:10]
    return found
