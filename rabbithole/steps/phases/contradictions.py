"""Find sources that disagree, so that the report can show both sides."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.figures import counted, without_figures
from rabbithole.steps.resolution_notes import concerns_edition, said, without_validity

ALIKE = 88.0
MOST = 10


class _Said(NamedTuple):
    """A quoted sentence, its figures, and its words without the figures."""

    evidence: Evidence
    text: str
    figures: frozenset[tuple[str, str]]
    words: str

    @property
    def units(self) -> frozenset[str]:
        return frozenset(unit for _, unit in self.figures)


def _said(evidence: Evidence, text: str) -> _Said:
    return _Said(evidence, text, counted(text), without_figures(text))


def _differ(left: _Said, right: _Said) -> bool:
    if left.figures == right.figures or left.units != right.units:
        return False
    return fuzz.token_sort_ratio(left.words, right.words) >= ALIKE


def disagree(left: str, right: str) -> bool:
    """Return whether two sentences have nearly the same words and the same units but different figures."""
    nowhere = Evidence(key="", task=0, document="", info="")
    one, other = _said(nowhere, left), _said(nowhere, right)
    return bool(one.figures) and bool(other.figures) and _differ(one, other)


def contradictions(evidence: Sequence[Evidence], language: str) -> tuple[str, ...]:
    """Return sentences on figures that differ and on other editions meant, each citing its evidence by key."""
    found: list[str] = []
    quoted = {
        (item.document, quote.text): item for item in reversed(evidence) for quote in item.quotes if quote.verified
    }
    said_all = [_said(item, text) for (_, text), item in reversed(quoted.items())]
    with_figures = [one for one in said_all if one.figures]
    for one, other in itertools.combinations(with_figures, 2):
        left, right = one.evidence, other.evidence
        if left.document != right.document and _differ(one, other):
            found.append(
                phrase(
                    language,
                    "report.conflict.figures",
                    left=_where(left),
                    right=_where(right),
                    one=" ".join(one.text.split()),
                    other=" ".join(other.text.split()),
                    left_key=left.key,
                    right_key=right.key,
                )
            )
    found += _noted(evidence, language)
    return tuple(dict.fromkeys(found))[:MOST]


def _noted(evidence: Sequence[Evidence], language: str) -> list[str]:
    """Return resolution's notes on editions; one that applies to several sections is given once for the document."""
    places: dict[tuple[str, str], list[Evidence]] = {}
    for item in evidence:
        if concerns_edition(note := without_validity(item.note)):
            places.setdefault((item.document, note), []).append(item)
    return [
        phrase(
            language,
            "report.conflict.note",
            place=_where(items[0]) if len({item.section for item in items}) == 1 else items[0].title or items[0].file,
            note=said(note, language),
            key=items[0].key,
        )
        for (_, note), items in places.items()
    ]


def _where(item: Evidence) -> str:
    return ", ".join(part for part in (item.title or item.file, item.section_label) if part)
