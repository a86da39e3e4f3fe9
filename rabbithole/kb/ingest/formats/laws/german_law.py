"""Reads the official XML of German federal laws with its own structure of parts and sections."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from lxml import etree

from rabbithole.kb.ingest.formats.blocks import Flow
from rabbithole.kb.ingest.formats.html.html_tables import whole_number
from rabbithole.kb.ingest.formats.html.html_walk import Walk
from rabbithole.kb.ingest.formats.writer import BlockWriter
from rabbithole.kb.models import Scalar

ROOT = "dokumente"
SECTION_LEVEL = 9
_CODE = 3
"""Digits of one level in the number of a part: "010020" is the second part within the first."""
_TAGS = {
    "P": "p", "DL": "dl", "DT": "dt", "DD": "dd", "LA": "div", "BR": "br", "table": "table", "row": "tr", "entry": "td",
    "Title": "p", "Subtitle": "p", "SUP": "sup", "SUB": "sub", "B": "b", "I": "i", "pre": "pre", "thead": "thead",
    "tbody": "tbody", "tfoot": "tfoot", "Citation": "p", "Footnote": "p", "kommentar": "p", "Revision": "p",
}  # fmt: skip
_LEFT_OUT = ("IMG", "colspec", "FnR", "TOC")
_NOTES = ("", "(XXXX)")


def flow_of(root: Any, name: str) -> Flow | None:
    """Return the law in a file, or None if it has no sections."""
    norms = root.findall("norm")
    if not norms:
        return None
    writer = BlockWriter()
    head = norms[0].find("metadaten")
    title = _words(head, "langue") or _words(head, "kurzue") or name
    short = [name for name in (_words(head, "kurzue"), _words(head, "amtabk") or _words(head, "jurabk")) if name]
    writer.text(title if not short or short[0] == title else f"{title} ({' - '.join(dict.fromkeys(short))})")
    writer.end_block(level=1)
    for line in _status_lines(head):
        writer.text(line)
        writer.end_block()
    for norm in norms:
        _norm(norm, writer, first=norm is norms[0])
    return Flow(tuple(writer.blocks), _properties(head, title))


def _norm(norm: Any, writer: BlockWriter, *, first: bool) -> None:
    head = norm.find("metadaten")
    unit = head.find("gliederungseinheit") if head is not None else None
    number, title = _words(head, "enbez"), _words(head, "titel")
    if number in ("Inhaltsübersicht", "Inhaltsverzeichnis"):
        return
    if unit is not None and not number:
        label = " ".join(each for each in (_words(unit, "gliederungsbez"), _words(unit, "gliederungstitel")) if each)
        code = _words(unit, "gliederungskennzahl")
        writer.anchor(norm.get("doknr") or "")
        writer.text(label)
        writer.end_block(level=min(1 + max(len(code) // _CODE, 1), SECTION_LEVEL - 1))
    elif number and not first:
        writer.anchor(norm.get("doknr") or "")
        writer.text(f"{number} {title}".strip())
        writer.end_block(level=2 if re.match(r"Anlage|Anhang", number) else SECTION_LEVEL)
    for content in norm.iterfind("textdaten/text/Content"):
        Walk(writer).tree(_as_html(content))
    for content in norm.iterfind("textdaten/fussnoten/Content"):
        Walk(writer).tree(_as_html(content))


def _as_html(content: Any) -> Any:
    """Return a copy of a text with HTML tags, so that its lists and tables are read like those of a page."""
    copy = deepcopy(content)
    copy.tail = None
    for group in copy.iter("tgroup"):
        _span(group)
    etree.strip_elements(copy, *_LEFT_OUT, with_tail=False)
    etree.strip_tags(copy, "tgroup")
    for element in copy.iter():
        if isinstance(element.tag, str):
            element.tag = _TAGS.get(element.tag, "div" if element is copy else "span")
    return copy


def _span(group: Any) -> None:
    """Say in HTML's words which cells of a table cover several columns or rows (OASIS CALS table model)."""
    columns = {spec.get("colname"): index for index, spec in enumerate(group.iterchildren("colspec"))}
    for entry in group.iter("entry"):
        if more := whole_number(entry.get("morerows")):
            entry.set("rowspan", str(more + 1))
        first, last = columns.get(entry.get("namest")), columns.get(entry.get("nameend"))
        if first is not None and last is not None and last > first:
            entry.set("colspan", str(last - first + 1))


def _words(parent: Any, tag: str) -> str:
    element = parent.find(tag) if parent is not None else None
    if element is None:
        return ""
    return " ".join(" ".join(part for part in element.itertext()).split())


def _status_lines(head: Any) -> list[str]:
    """Return lines on the law's status: 'Ausfertigungsdatum: 2017-06-27', 'Zuletzt geändert durch ...'."""
    if head is None:
        return []
    issued = _words(head, "ausfertigung-datum")
    rows = [f"Ausfertigungsdatum: {issued}"] if issued else []
    for each in head.iterfind("standangabe"):
        kind, said = _words(each, "standtyp"), _words(each, "standkommentar")
        rows.append(f"{kind}: {said}" if kind else said)
    return [row for row in rows if row]


def _properties(head: Any, title: str) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {"title": title}
    if issued := _words(head, "ausfertigung-datum"):
        found["issued"] = issued
    if short := _words(head, "amtabk") or _words(head, "jurabk"):
        found["abbreviation"] = short
    return found
