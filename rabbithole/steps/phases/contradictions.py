"""Find sources that disagree, so that the report can show both sides."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from rabbithole.kb.models import Document
from rabbithole.steps.editions import dated, is_newer
from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.figures import counted, without_figures
from rabbithole.steps.resolution_notes import concerns_edition, said, standing_in, without_standing

NOT_IN_FORCE = re.compile(
    r"au(?:ß|ss)er kraft|aufgehoben|zurückgezogen|ersetzt|ungültig|repealed|withdrawn|superseded|obsolete|"
    r"no longer in force|replaced",
    re.I,
)
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


def contradictions(evidence: Sequence[Evidence], documents: Mapping[str, Document], language: str) -> tuple[str, ...]:
    """Return sentences on figures that differ and on outdated editions, each citing its evidence by key."""
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
    found += _editions(evidence, documents, language)
    found += _noted(evidence, language)
    return tuple(dict.fromkeys(found))[:MOST]


def _noted(evidence: Sequence[Evidence], language: str) -> list[str]:
    """Return resolution's notes on editions; one that applies to several sections is given once for the document."""
    places: dict[tuple[str, str], list[Evidence]] = {}
    for item in evidence:
        if concerns_edition(note := without_standing(item.note)):
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


def _editions(evidence: Sequence[Evidence], documents: Mapping[str, Document], language: str) -> list[str]:
    """Return sentences on documents in the evidence that have a newer edition or are no longer in force."""
    first = {item.document: item.key for item in reversed(evidence) if item.document in documents}
    found = []
    for one in first:
        older = documents[one]
        newer = [other for other in documents.values() if other.id != one and is_newer(other, older)]
        if newer:
            latest = max(newer, key=lambda other: (dated(other), other.id))
            keys = [first[one], *([first[latest.id]] if latest.id in first else [])]
            found.append(
                phrase(
                    language,
                    "report.conflict.edition",
                    older=older.file,
                    newer=latest.file,
                    older_date=dated(older),
                    newer_date=dated(latest),
                    keys=", ".join(keys),
                )
            )
        elif status := _no_longer(older):
            found.append(phrase(language, "report.conflict.status", document=older.file, status=status, key=first[one]))
        elif standing := next((standing_in(item.note) for item in evidence if item.document == one), ""):
            place, note = older.title or older.file, said(standing, language)
            found.append(phrase(language, "report.conflict.note", place=place, note=note, key=first[one]))
    return found


def _no_longer(document: Document) -> str:
    """Return the document's status from its metadata, as written, if it says it is not in force; else ''."""
    status = str(document.metadata.get("status") or "")
    return status if NOT_IN_FORCE.search(status) else ""
