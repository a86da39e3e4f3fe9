"""The report as a Word document: headings, lists, tables, a table of contents field, citations as real footnotes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import docx
from docx.document import Document as WordDocument
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph
from markdown_it.token import Token

from rabbithole.steps.citation_styles import footnote
from rabbithole.steps.report_models import Citation, Report
from rabbithole.steps.settings import CitationStyle

from .csl_footnotes import CslFootnotes
from .front import front_lines
from .outline import markdown_parser
from .word_footnotes import Footnotes

CITED = re.compile(r"\[(\d+)\]")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not allow."""
FRONT = "Front line"
FRONT_SIZE, FRONT_COLOUR = Pt(9), RGBColor(0x55, 0x55, 0x55)
"""As in the PDF."""


def to_word(report: Report, style: CitationStyle | Path = "plain") -> bytes:
    """Return the whole document. ``style`` is the citation style of its footnotes, or the path of a CSL style.

    Text from documents stays text: nothing in it becomes a field, a link or markup.
    """
    document = docx.Document()
    document.core_properties.title = printable(report.query)
    document.core_properties.author = "Rabbithole"
    writer = _Writer(document, report, style)
    writer.blocks(markdown_parser().parse(report.markdown))
    writer.footnotes.attach(document)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _notes(report: Report, style: CitationStyle | Path) -> Callable[[Citation], str]:
    """Return the function that formats a citation as a footnote."""
    if isinstance(style, Path):
        return CslFootnotes(style, report.citations, report.language).text
    return lambda citation: footnote(citation, report.language, style)


def printable(text: str) -> str:
    return CONTROL.sub("", text)


class _Writer:
    """Walks the Markdown tokens once and writes the matching Word elements."""

    def __init__(self, document: WordDocument, report: Report, style: CitationStyle | Path) -> None:
        self._document = document
        self._note = _notes(report, style)
        self._front = printable(" · ".join(front_lines(report)))
        self._titled = False
        self._citations = {one.marker.strip("[]"): one for one in report.citations}
        self._lists: list[str] = []
        self._quoted = 0
        self.footnotes = Footnotes()

    def blocks(self, tokens: Sequence[Token]) -> None:
        paragraph: Paragraph | None = None
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "heading_open":
                level = int(token.tag[1]) - 1
                paragraph = self._document.add_heading("", level=level)
            elif token.type == "heading_close" and token.tag == "h1" and not self._titled:
                self._titled = True
                self._below_title()
            elif token.type == "paragraph_open":
                paragraph = self._document.add_paragraph(style=self._style())
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                self._lists.append("List Bullet" if token.type.startswith("bullet") else "List Number")
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                self._lists.pop()
            elif token.type in ("blockquote_open", "blockquote_close"):
                self._quoted += 1 if token.type.endswith("open") else -1
            elif token.type in ("code_block", "fence"):
                self._document.add_paragraph(printable(token.content.rstrip("\n")))
            elif token.type == "table_open":
                end = next(index for index in range(at, len(tokens)) if tokens[index].type == "table_close")
                self._table(tokens[at:end])
                at = end
            elif token.type == "inline" and paragraph is not None:
                self._inline(paragraph, token.children or [])
            at += 1

    def _below_title(self) -> None:
        """Add day, collections and scope in a style of their own, and the table of contents."""
        if self._front:
            style = self._document.styles.add_style(FRONT, WD_STYLE_TYPE.PARAGRAPH)
            style.base_style = self._document.styles["Normal"]
            style.font.size, style.font.color.rgb = FRONT_SIZE, FRONT_COLOUR
            self._document.add_paragraph(self._front, style=style)
        contents(self._document.add_paragraph())

    def _style(self) -> str:
        if self._lists:
            depth = min(len(self._lists), 3)
            return self._lists[-1] if depth == 1 else f"{self._lists[-1]} {depth}"
        return "Quote" if self._quoted else "Normal"

    def _inline(self, paragraph: Paragraph, tokens: Sequence[Token]) -> None:
        bold = italic = 0
        for before, token in zip((None, *tokens), tokens, strict=False):
            if token.type in ("strong_open", "strong_close"):
                bold += 1 if token.type == "strong_open" else -1
            elif token.type in ("em_open", "em_close"):
                italic += 1 if token.type == "em_open" else -1
            elif token.type in ("text", "code_inline"):
                linked = before is not None and before.type == "link_open"  # a plain "[1]" in the text is no citation
                self._text(paragraph, token.content, bold=bool(bold), italic=bool(italic), linked=linked)
            elif token.type in ("softbreak", "hardbreak"):
                paragraph.add_run(" ")

    def _text(self, paragraph: Paragraph, text: str, *, bold: bool, italic: bool, linked: bool) -> None:
        marker = CITED.fullmatch(text) if linked else None
        citation = self._citations.get(marker[1]) if marker else None
        if citation is not None and not paragraph.runs:
            return  # in the list of sources the line itself says what the footnote would
        if citation is not None:
            self.footnotes.add(paragraph, printable(self._note(citation)))
            return
        run = paragraph.add_run(printable(text))
        run.bold, run.italic = bold or None, italic or None

    def _table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[Sequence[Token]]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token.children or [])
        table = self._document.add_table(rows=len(rows), cols=max(map(len, rows)), style="Table Grid")
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, children in zip(row.cells, cells, strict=False):
                self._inline(cell.paragraphs[0], children)
        for cell in table.rows[0].cells:
            for run in cell.paragraphs[0].runs:
                run.bold = True


def contents(paragraph: Paragraph) -> None:
    """Add a table of contents as a field; Word fills it in when its fields are updated."""
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), 'TOC \\o "1-3" \\h \\z \\u')
    paragraph._p.append(field)
