"""Footnotes in any style written in the Citation Style Language (CSL 1.0), by citeproc-py.

A footnote style gives its note; of an in-text style ("(Roe, 2021)", "[1]") the bibliography entry is used. Section and
page are appended, as in every other footnote.
"""

from __future__ import annotations

import html
import json
import re
import warnings
from collections.abc import Sequence
from pathlib import Path

from citeproc import Citation as CslCitation
from citeproc import CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from lxml import etree

from rabbithole.kb.errors import UsageError
from rabbithole.kb.works_export import to_csl
from rabbithole.steps.page_names import cited_pages
from rabbithole.steps.report_models import Citation

from .works import source_work

LOCALES = {"de": "de-DE", "en": "en-US"}
_END = re.compile(r"[\s.,;]+\Z")
_BEGIN = re.compile(r"\A[\s.,;]+")


class CslFootnotes:
    """The footnotes of one report. Raises UsageError if the style cannot be read or applied."""

    def __init__(self, style: Path, citations: Sequence[Citation], language: str) -> None:
        self._style, self._language = style, language
        firsts = {key_of(one): one for one in reversed(citations)}
        self._keys = list(firsts)
        self._numbers = {key: number for number, key in enumerate(self._keys, 1)}
        rows = json.loads(to_csl([source_work(one, f"w{self._numbers[key]}") for key, one in firsts.items()]))
        try:
            self._texts = dict(zip(self._keys, self._rendered(rows), strict=True))
        except (OSError, etree.XMLSyntaxError, ValueError, AttributeError, TypeError, KeyError) as error:
            said = " ".join(str(error).split())[:160] or type(error).__name__
            raise UsageError(
                f"The citation style {style.name} cannot be used ({said}): set CITATION_STYLE to another .csl file."
            ) from error

    def text(self, citation: Citation) -> str:
        """Return the text of a footnote: the work as the style formats it, section and page."""
        work = self._texts[key_of(citation)]
        if citation.external:
            return f"{work}."
        page = cited_pages(citation, self._language)
        return ", ".join(part for part in (work, citation.section_label, page) if part) + "."

    def _rendered(self, rows: Sequence[dict[str, object]]) -> list[str]:
        with warnings.catch_warnings():  # third-party styles may use fields that citeproc-py does not know
            warnings.simplefilter("ignore")
            style = CitationStylesStyle(str(self._style), locale=LOCALES.get(self._language, "en-US"), validate=False)
            works = CitationStylesBibliography(style, CiteProcJSON(rows), formatter.plain)
            cited = [CslCitation([CitationItem(str(row["id"]))]) for row in rows]
            for one in cited:
                works.register(one)
            if style.root.get("class") == "note" or not style.has_bibliography():
                said = [str(works.cite(one, lambda item: None)) for one in cited]
            else:
                said = [str(entry) for entry in works.bibliography()]
        return [
            _without_number(_BEGIN.sub("", _END.sub("", html.unescape(text))), number)
            for number, text in enumerate(said, 1)
        ]


def key_of(citation: Citation) -> str:
    """Return the key of the cited work; all citations of one document share it."""
    return citation.external or citation.document


def _without_number(text: str, number: int) -> str:
    """Remove the number of a bibliography entry ("[1] Roe"), which would repeat the footnote's own number."""
    return re.sub(rf"\A\W?{number}\W\s*", "", text)
