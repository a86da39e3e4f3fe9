"""Splits candidates into units, each with what a reader sees around it: headings, title and edition."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model, Section
from rabbithole.steps.phases.reading_units import is_literature
from rabbithole.steps.selection.models import AnswerCandidate, AnswerUnit

from .document_subjects import READ, document_subjects
from .unit_lines import UnitSpan
from .unit_splitting import split

_AROUND = 2500
"""Characters around a candidate, within its section, that are split into units too."""
_FRONT = 600


class Opened(Model):
    """A unit, its candidate and its surroundings.

    ``chapters`` are the headings above that of its section, ``subjects`` names that its document is about.
    ``outdated``: it is superseded or no longer in force.
    """

    unit: AnswerUnit
    candidate: AnswerCandidate
    position: int
    heading: str
    path: str
    title: str
    front: str
    chapters: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    outdated: bool
    units_in_section: int


def open_units(kb: KnowledgeBase, candidates: Sequence[AnswerCandidate]) -> tuple[Opened, ...]:
    """Return every unit that a candidate overlaps, each once, with its first candidate; bibliographies are left out."""
    found: dict[tuple[str, int, int], Opened] = {}
    documents = {one.document: kb.document(one.document) for one in candidates}
    beginnings = {key: kb.text(key, 0, READ) for key in documents}
    fronts = {key: " ".join(text[:_FRONT].split()) for key, text in beginnings.items()}
    subjects = {key: document_subjects(beginnings[key], one.language) for key, one in documents.items()}
    outdated = {key: bool(kb.validity_note(key)) for key in documents}
    for position, candidate in enumerate(candidates):
        document = documents[candidate.document]
        for section, low, high in _sections(kb, candidate):
            path = _path(kb, section)
            title = kb.title_at(candidate.document, section.start)
            if is_literature(section, path[:-1]):
                continue
            start = _line_start(kb, candidate.document, max(section.start, low - _AROUND), section.start)
            end = min(section.own_end, high + _AROUND)
            text = kb.text(candidate.document, start, end)
            spans = [one for one in split(text) if not _is_heading(text, one, section)]
            for index, span in enumerate(spans):
                first, last = start + span.start, start + span.end
                key = (candidate.document, first, last)
                if last <= low or first >= high or key in found:
                    continue
                found[key] = Opened(
                    unit=_unit(kb, candidate.document, section, text, start, span, index),
                    candidate=candidate,
                    position=position,
                    heading=section.label if section.label != title else "",
                    path=" ".join(path[:-1]),
                    chapters=tuple(path[:-1]),
                    title=" ".join((title, *document.synonyms)),
                    front=" ".join((fronts[candidate.document], *subjects[candidate.document])),
                    subjects=subjects[candidate.document],
                    outdated=outdated[candidate.document],
                    units_in_section=len(spans),
                )
    return tuple(found.values())


def _unit(
    kb: KnowledgeBase, document: str, section: Section, text: str, offset: int, span: UnitSpan, index: int
) -> AnswerUnit:
    head = span.head
    return AnswerUnit(
        document=document,
        section=section.id,
        page=kb.page_of(document, offset + span.start)[0],
        start=offset + span.start,
        end=offset + span.end,
        text=text[span.start : span.end],
        head=text[slice(*head)] if head else "",
        head_start=offset + head[0] if head else None,
        head_end=offset + head[1] if head else None,
        kind=span.kind,
        index=index,
        block=span.block,
    )


def _sections(kb: KnowledgeBase, candidate: AnswerCandidate) -> list[tuple[Section, int, int]]:
    """Return the sections a candidate lies in, each with the part of the candidate in that section's own text."""
    own: list[tuple[Section, int, int]] = []
    at = candidate.start
    while at < candidate.end:
        section = kb.section_at(candidate.document, at)
        if section is None:
            break
        last = min(candidate.end, max(section.own_end, at + 1))
        own.append((section, at, last))
        at = last
    return own


def _path(kb: KnowledgeBase, section: Section) -> list[str]:
    labels = [section.label]
    parent = section.parent
    while parent:
        above = kb.section_by_id(parent)
        labels.append(above.label)
        parent = above.parent
    return [label for label in reversed(labels) if label] or [""]


def _line_start(kb: KnowledgeBase, document: str, at: int, least: int) -> int:
    if at <= least:
        return least
    found = kb.text(document, at, at + _AROUND).find("\n")
    return at + found + 1 if found >= 0 else at


def _is_heading(text: str, span: UnitSpan, section: Section) -> bool:
    words = "".join(c for c in text[span.start : span.end] if c.isalnum()).casefold()
    label = "".join(c for c in section.label if c.isalnum()).casefold()
    return bool(words) and (words == label or (len(words) < len(label) and words in label))
