"""Check a finished report against a knowledge base again, offline, as often and as late as one likes."""

from __future__ import annotations

from typing import Literal

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Model
from rabbithole.steps.models import Citation, Report

Finding = Literal["holds", "moved", "gone", "document_missing", "external", "no_quote"]


class CheckedCitation(Model):
    """One citation checked: ``page`` is where the quotation stands now (index from 0)."""

    marker: str
    file: str
    quote: str
    finding: Finding
    page: int | None = None


class Verification(Model):
    checked: tuple[CheckedCitation, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every citation that can be checked still stands where the report says."""
        return all(one.finding in ("holds", "external") for one in self.checked)

    @property
    def broken(self) -> tuple[CheckedCitation, ...]:
        return tuple(one for one in self.checked if one.finding not in ("holds", "external"))


def verify_report(report: Report, kb: KnowledgeBase) -> Verification:
    """Check every citation of a report: is its quotation still verbatim at that page of that document?

    A document that was re-ingested with other content is found by collection-wide file name.
    """
    return Verification(checked=tuple(_check(citation, kb) for citation in report.citations))


def _check(citation: Citation, kb: KnowledgeBase) -> CheckedCitation:
    def found(finding: Finding, page: int | None = None) -> CheckedCitation:
        return CheckedCitation(
            marker=citation.marker, file=citation.file, quote=citation.quote, finding=finding, page=page
        )

    if citation.external:
        return found("external")
    document = _document(citation, kb)
    if document is None:
        return found("document_missing")
    if not citation.quote:
        return found("no_quote")
    place = kb.find_quote(document.id, citation.quote, page=citation.page)
    if place is None:
        return found("gone")
    return found("holds" if place.page == citation.page else "moved", place.page)


def _document(citation: Citation, kb: KnowledgeBase) -> Document | None:
    try:
        return kb.document(citation.document)
    except KnowledgeBaseError:
        named = [one for one in kb.documents() if one.file == citation.file]
        return named[0] if len(named) == 1 else None
