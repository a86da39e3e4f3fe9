"""The context of a follow-up: the previous question, the points of its answer and the place of each point."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.steps.models import Evidence
from rabbithole.steps.report_models import Citation, Report

ABOUT = {"de": "Zu: ", "en": "About: "}
"""Start of the sentence, appended to a question, that lists the topics of the previous question, by language."""
_ABOUT = re.compile(rf"\s+(?:{'|'.join(map(re.escape, ABOUT.values()))})(?P<about>[^?]+?)\.?\s*\Z")
MARKER = re.compile(r"\[\[(\d{1,4})\]\]\[s\1\]")
_WHERE = re.compile(r"\A\s*\*\*[^\n]*:\*\*\s*$", re.MULTILINE)
"""The line before a quotation that names its place."""
_ITEM = re.compile(r"(?m)^(?=(?:[-*]|\d{1,2}[.)])\s)")
_LEGAL = re.compile(r"\A(?:§§?\s*\d+\w?|Art(?:ikel|icle|\.)\s*\d+\w?)", re.IGNORECASE)
_NUMBERED = re.compile(r"\A(?P<number>\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?\s")
_ANNEX = re.compile(r"\A(?:Anhang|Anlage|Annex|Appendix)\s+[\dA-Z]+\b", re.IGNORECASE)


class Point(Model):
    """One point of an answer: a quoted passage, or a paragraph or list item that a model wrote."""

    text: str
    markers: tuple[str, ...]
    place: str = Field(default="", description="as a question can name it: '§ 5 IsoLG', 'section 6.2 of DIN 98412-3'")
    document: str = ""
    name: str = Field(default="", description="the document's name")


class Context(Model):
    """The parts of a report that a follow-up can refer to.

    ``documents`` are ids in the order of the answer's citations; ``markers`` are the numbers of all citations.
    """

    query: str
    language: Literal["de", "en"] = "en"
    about: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    documents: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    absent: tuple[str, ...] = Field(default=(), description="words of the question that stand in no document")

    @property
    def question(self) -> str:
        """The previous question without the sentence of topics appended to it."""
        return _ABOUT.sub("", self.query).strip()


def context_of(report: Report) -> Context:
    """Return the context for a follow-up to this report."""
    by_number = {one.marker.strip("[]"): one for one in report.citations}
    names = {one.key: one.short for rows in report.evidence.values() for one in rows}
    points = tuple(_point(block, by_number, names, report.language) for block in _blocks(report.answer.text))
    first = [by_number[number].document for point in points for number in point.markers if number in by_number]
    rest = [one.document for one in report.citations]
    told = _ABOUT.search(report.query)
    return Context(
        query=report.query,
        language=report.language,
        about=tuple(part.strip() for part in told["about"].split(";")) if told else (),
        points=points,
        documents=tuple(dict.fromkeys(one for one in (first or rest) if one)),
        markers=tuple(by_number),
        absent=report.answer.absent,
    )


def _blocks(answer: str) -> list[str]:
    """Return the paragraphs, quotations and list items that cite something."""
    blocks = [part for block in re.split(r"\n\s*\n(?!\s*>)", answer) for part in _ITEM.split(block)]
    return [block for block in blocks if MARKER.search(block)]


def _point(block: str, by_number: dict[str, Citation], names: dict[str, str], language: str) -> Point:
    markers = tuple(dict.fromkeys(MARKER.findall(block)))
    block = _WHERE.sub("", block)
    words = " ".join(re.sub(r"(?m)^\s*(?:>|[-*]\s|\d{1,2}[.)]\s)", " ", MARKER.sub("", block)).replace("*", "").split())
    words = words.lstrip("•▪‣◦ ")
    first = by_number.get(markers[0])
    if first is None:
        return Point(text=words, markers=markers)
    name = names.get(first.key) or first.title or first.file
    place = place_name(first.section_label, name, language)
    return Point(text=words, markers=markers, place=place, document=first.document, name=name)


def place_name(label: str, name: str, language: str) -> str:
    """Return a name of a place that search finds again, or just the document's name if its label has no number."""
    if legal := _LEGAL.match(label):
        return f"{legal.group()} {name}"
    joined = "von" if language == "de" else "of"
    if annex := _ANNEX.match(label):
        return f"{annex.group()} {joined} {name}"
    if numbered := _NUMBERED.match(label):
        return f"{'Abschnitt' if language == 'de' else 'section'} {numbered['number']} {joined} {name}"
    return name


def evidence_of(report: Report, citation: Citation) -> Evidence | None:
    """Return the evidence of a citation, or None if the report has none."""
    return next((one for rows in report.evidence.values() for one in rows if one.key == citation.key), None)
