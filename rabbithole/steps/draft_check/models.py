"""The findings of a draft check, one row each."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model

FindingKind = Literal["reference", "quotation", "figure", "claim"]
Verdict = Literal[
    "holds",
    "small_difference",
    "elsewhere",
    "nowhere",
    "no_such_place",
    "outdated",
    "figure_differs",
    "not_held",
    "unresolved",
    "not_checked",
    "supported",
    "not_supported",
    "stale",
]
OPEN_VERDICTS = frozenset({"not_held", "unresolved", "not_checked", "not_supported", "stale"})
"""Neither right nor wrong: what would decide is not in the collection, or only a model says so."""


class Paragraph(Model):
    """A paragraph of a draft. ``index`` counts from 0 in the order of the draft."""

    index: int = Field(ge=0)
    text: str
    quoted: bool = Field(default=False, description="a block quotation: all of it is quoted, without marks")


class Finding(Model):
    """One reference, quotation or figure of a draft, and the result of its check.

    ``start`` and ``end`` are character offsets into the paragraph. ``document`` to ``page_label`` name the place it was
    checked against, empty if there is none; ``page`` counts from 0. ``expected`` is the text at that place.
    """

    paragraph: int
    start: int
    end: int
    text: str
    kind: FindingKind
    verdict: Verdict
    detail: str = Field(default="", description="why, in one sentence")
    expected: str = ""
    document: str = ""
    title: str = ""
    file: str = ""
    section: str = ""
    page: int | None = None
    page_label: str = ""

    @property
    def is_wrong(self) -> bool:
        return self.verdict not in ("holds", "supported") and self.verdict not in OPEN_VERDICTS


class DraftCheck(Model):
    """All findings of a draft, in the order of its text."""

    name: str
    paragraphs: tuple[Paragraph, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def wrong(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.is_wrong)

    @property
    def open(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.verdict in OPEN_VERDICTS)
