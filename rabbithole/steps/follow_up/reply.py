"""Answers without a search: a whole passage, the answer shortened, as a table, or limited to one subject."""

from __future__ import annotations

import re
from collections.abc import Callable

from rabbithole.steps.page_names import cited_pages, section_beside
from rabbithole.steps.phrases import counted, phrase
from rabbithole.steps.quoted_words import escaped, unescaped
from rabbithole.steps.reasoning.text.citation_markers import own_markers_only
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.report_models import Citation, Report

from .context import MARKER, Context, context_of, evidence_of, place_name
from .models import FollowUp
from .reservation import reservation

Read = Callable[[Citation], str]
LONGEST_PASSAGE = 2400
_LONGEST_CELL = 240
_MOST_POINTS = 4
_SHORTEST_STEM = 4
_BOLD = re.compile(r"(?<!\\)\*\*(.+?)(?<!\\)\*\*")
_SENTENCE = re.compile(r"(?<=[^\W\d_]{2}[.!?])\s+(?=[A-ZÄÖÜ])")


def reply(follow: FollowUp, report: Report | None, read: Read) -> str | None:
    """Return the answer in Markdown with the report's own citation markers, or None if it needs a search.

    The reservation that stands in the report above what is shown stands above it here as well.
    ``report`` is the previous report, if any. ``read`` returns the whole passage of a citation, or '' if it is gone.
    """
    if follow.kind == "courtesy":
        return phrase(follow.language, f"follow_up.{follow.said}")
    if follow.kind == "ask_back":
        return _ask_back(follow, context_of(report) if report else None)
    if report is None:
        return None
    by_number = {one.marker.strip("[]"): one for one in report.citations}
    if follow.kind == "explain":
        cited = [by_number[number] for number in follow.markers if number in by_number]
        reserved = reservation(report, follow.language, follow.markers) if cited else ""
        shown = [_whole(one, report, read, follow.language, bold=not reserved) for one in cited]
        return "\n\n".join(filter(None, (reserved, *shown))) or None
    if follow.kind == "only":
        return _only(follow, report)
    if follow.kind == "table":
        reserved = reservation(report, follow.language)
        return "\n\n".join(filter(None, (reserved, _table(report, follow.language))))
    if follow.kind == "shorten":
        return _short(follow, report)
    return None


def _ask_back(follow: FollowUp, context: Context | None) -> str:
    points = [f"({at}) {point.place or point.name}" for at, point in enumerate(context.points if context else (), 1)]
    named = "; ".join(escaped(one) for one in points[:_MOST_POINTS])
    if follow.said == "no_point":
        return counted(follow.language, "follow_up.ask.no_point", len(points), points=named)
    return phrase(follow.language, f"follow_up.ask.{follow.said}", points=named)


# --- one passage ----------------------------------------------------------------------------------------
def _whole(citation: Citation, report: Report, read: Read, language: str, *, bold: bool) -> str:
    """Return the passage with its place. ``bold``: the words quoted are in bold, as those are that answer."""
    evidence = evidence_of(report, citation)
    name = (evidence.short if evidence else "") or citation.title or citation.file
    section = section_beside(citation.section_label, citation.title, name)
    where = ", ".join(part for part in (name, section, cited_pages(citation, language)) if part)
    text = _around(read(citation) or citation.quote, citation.quote)
    lines = [f"**{_line(where)}:**", "", _quoted(text, citation.quote if bold else "", citation.marker.strip("[]"))]
    if evidence and evidence.chain:
        led = " → ".join(" ".join(link.reference.split()) for link in evidence.chain)
        lines += ["", phrase(language, "follow_up.via", chain=_line(led))]
    if evidence and evidence.note:
        lines += ["", _line(evidence.note)]
    return "\n".join(lines)


def _around(text: str, quote: str) -> str:
    """Return the passage or, if it is longer than ``LONGEST_PASSAGE``, a part of it around the quotation."""
    if len(text) <= LONGEST_PASSAGE:
        return text.strip()
    at = max(text.find(quote[:60]), 0)
    start = max(0, min(at - LONGEST_PASSAGE // 3, len(text) - LONGEST_PASSAGE))
    end = start + LONGEST_PASSAGE
    start = text.find(" ", start) + 1 if start else 0
    end = text.rfind(" ", start, end) if end < len(text) else end
    return f"{'… ' if start else ''}{text[start:end].strip()}{' …' if end < len(text) else ''}"


def _quoted(text: str, quote: str, number: str) -> str:
    """Return a block quotation with its marker at the end; bold: the cited words in a line, and lines among them.

    A line of a document's text is a paragraph, an item, a row, or a line of a program.
    """
    paragraphs = [" ".join(part.split()) for part in text.splitlines()]
    wanted = " ".join(quote.split())
    shown = []
    for part in filter(None, paragraphs):
        at = part.find(wanted) if len(wanted) > 3 else -1
        if at < 0 and len(part) > 3 and f" {part} " in f" {wanted} ":
            shown.append(f"**{_line(part)}**")
        elif at < 0:
            shown.append(_line(part))
        else:
            end = at + len(wanted)
            pieces = (_line(part[:at]), f"**{_line(part[at:end])}**", _line(part[end:]))
            gaps = (" " if at and part[at - 1] == " " else "", " " if part[end : end + 1] == " " else "")
            shown.append(f"{pieces[0]}{gaps[0]}{pieces[1]}{gaps[1]}{pieces[2]}")
    shown[-1:] = [f"{shown[-1] if shown else ''} {_marker(number)}"]
    return "\n>\n".join(f"> {part}" for part in shown)


# --- the whole answer -----------------------------------------------------------------------------------
def _short(follow: FollowUp, report: Report) -> str:
    """Return the first ``follow.sentences`` answering sentences, or all from the wanted citations, with markers."""
    context = context_of(report)
    numbers = set(follow.markers)
    told: list[str] = []
    for block in report.answer.text.split("\n\n"):
        markers = MARKER.findall(block)
        if not markers or (numbers and not numbers & set(markers)):
            continue
        for sentence in _sentences(block):
            told.append(f"- {_line(sentence)} {_marker(markers[0])}")
    most = follow.sentences if not numbers else len(told)
    lead = phrase(follow.language, f"follow_up.short.{report.answer.status}")
    return "\n".join([lead, "", *(told[:most] or [f"- {_line(context.points[0].text)}"])])


def _sentences(block: str) -> list[str]:
    """Return the text in bold of a block or, if there is none, its first sentence."""
    words = MARKER.sub("", re.sub(r"(?m)^\s*>\s?", "", block))
    bold = [found.strip() for found in _BOLD.findall(words) if not found.strip().endswith(":")]
    flat = " ".join(_BOLD.sub(r"\1", words).split())
    return [" ".join(unescaped(one).split()) for one in bold] or [unescaped(_SENTENCE.split(flat)[0])]


def _table(report: Report, language: str) -> str:
    """Return a table with one row per point: its text, document and place."""
    titles = (phrase(language, f"follow_up.table.{name}") for name in ("says", "document", "place"))
    rows = [f"| {' | '.join(titles)} |", "| --- | --- | --- |"]
    by_number = {one.marker.strip("[]"): one for one in report.citations}
    for point in context_of(report).points:
        cited = by_number.get(point.markers[0])
        page = cited_pages(cited, language) if cited else ""
        section = cited.section_label if cited else ""
        place = ", ".join(part for part in (section if section != (cited.title if cited else "") else "", page) if part)
        words = f"{_cell(unescaped(point.text))} {''.join(map(_marker, point.markers))}"
        rows.append(f"| {words} | {_cell(point.name)} | {_cell(place)} |")
    return "\n".join(rows)


def _only(follow: FollowUp, report: Report) -> str | None:
    """Return the report's quotations that mention ``follow.concern``, or None if there is none."""
    wanted = {stem for stem in stem_set(follow.concern, follow.language) if len(stem) >= _SHORTEST_STEM}
    told = [one for one in report.citations if one.quote and _names(one, wanted, report.language)]
    if not told or not wanted:
        return None
    lines = [phrase(follow.language, "follow_up.only", concern=_line(follow.concern), count=len(told)), ""]
    if reserved := reservation(report, follow.language, [one.marker.strip("[]") for one in told]):
        lines += [reserved, ""]
    for one in told:
        evidence = evidence_of(report, one)
        name = (evidence.short if evidence else "") or one.title or one.file
        place = place_name(one.section_label, name, follow.language)
        lines += [
            f"**{_line(place[:1].upper() + place[1:])}:**",
            "",
            _quoted(one.quote, "", one.marker.strip("[]")),
            "",
        ]
    return "\n".join(lines).strip()


def _names(citation: Citation, wanted: set[str], language: str) -> bool:
    """Return whether quotation or heading have all wanted words, also in compounds: 'Filter' in 'Iodfilter'."""
    own = stem_set(f"{citation.quote} {citation.section_label}", language)
    return all(any(stem in other for other in own) for stem in wanted)


# --- words ----------------------------------------------------------------------------------------------
def _marker(number: str) -> str:
    return f"[[{number}]][s{number}]"


def _line(text: str) -> str:
    """Return a document's text as one escaped line in which nothing can be taken for a citation marker."""
    return own_markers_only(escaped(" ".join(text.split()))).replace("<", "&lt;")


def _cell(text: str) -> str:
    flat = " ".join(text.split())
    clipped = flat if len(flat) <= _LONGEST_CELL else f"{flat[:_LONGEST_CELL].rsplit(' ', 1)[0]} …"
    return _line(clipped).replace("|", "\\|")
