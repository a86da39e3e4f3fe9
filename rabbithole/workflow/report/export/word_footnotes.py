"""Footnotes in Word documents, which python-docx does not write: the footnotes part and the marks in the text.

Source of the format: ECMA-376, Part 1, 17.11 (footnotes and endnotes).
"""

from __future__ import annotations

from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.text.paragraph import Paragraph
from lxml import etree

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SEPARATORS = (("separator", "-1"), ("continuationSeparator", "0"))


class Footnotes:
    """The footnotes of one document, numbered from 1 in the order they are added. Call ``attach`` once at the end."""

    def __init__(self) -> None:
        self._root = etree.Element(qn("w:footnotes"), nsmap={"w": NAMESPACE})
        self._count = 0
        for kind, number in SEPARATORS:
            note = etree.SubElement(self._root, qn("w:footnote"), {qn("w:type"): kind, qn("w:id"): number})
            run = etree.SubElement(etree.SubElement(note, qn("w:p")), qn("w:r"))
            etree.SubElement(run, qn(f"w:{kind}"))

    def add(self, paragraph: Paragraph, text: str) -> None:
        """Add a footnote and its mark at the end of the paragraph."""
        self._count += 1
        number = str(self._count)
        mark = OxmlElement("w:footnoteReference")
        mark.set(qn("w:id"), number)
        run = paragraph.add_run()
        run.font.superscript = True
        run._r.append(mark)
        note = etree.SubElement(self._root, qn("w:footnote"), {qn("w:id"): number})
        body = etree.SubElement(note, qn("w:p"))
        own = etree.SubElement(body, qn("w:r"))
        look = etree.SubElement(own, qn("w:rPr"))
        etree.SubElement(look, qn("w:vertAlign"), {qn("w:val"): "superscript"})
        etree.SubElement(own, qn("w:footnoteRef"))
        words = etree.SubElement(etree.SubElement(body, qn("w:r")), qn("w:t"))
        words.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        words.text = f" {text}"

    def attach(self, document: WordDocument) -> None:
        blob = etree.tostring(self._root, xml_declaration=True, encoding="UTF-8", standalone=True)
        part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE, blob, document.part.package)
        document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
