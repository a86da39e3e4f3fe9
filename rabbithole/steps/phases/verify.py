"""Check a finished report against a knowledge base again, offline, at any later time."""

from __future__ import annotations

from typing import Literal

from rabbithole.kb.errors import CatalogAway, KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Model, QuotePlace
from rabbithole.steps.report_models import Citation, Report

WORDS = {
    "moved": "is on another page now",
    "gone": "is no longer in the document",
    "document_missing": "the document is no longer in the knowledge base",
}
Finding = Literal["holds", "moved", "gone", "document_missing", "external", "no_quote"]


class CheckedCitation(Model):
    """One checked citation. ``page`` is where the quotation is now (index from 0)."""

    marker: str
    file: str
    quote: str
    finding: Finding
    page: int | None = None
    page_label: str = ""


class StaleCitation(Model):
    """A citation whose source has changed. ``broken``: its quotation is no longer at the cited place."""

    marker: str
    file: str
    reason: str
    broken: bool


class Verification(Model):
    checked: tuple[CheckedCitation, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every citation that can be checked is still at the cited place."""
        return all(one.finding in ("holds", "external") for one in self.checked)

    @property
    def broken(self) -> tuple[CheckedCitation, ...]:
        return tuple(one for one in self.checked if one.finding not in ("holds", "external"))


def verify_report(report: Report, kb: KnowledgeBase) -> Verification:
    """Check for every citation of a report whether its quotation is still verbatim on that page of that document.

    A document that was ingested again with other content is found by its file name.
    """
    return Verification(checked=tuple(_check(citation, kb) for citation in report.citations))


def stale(report: Report, kb: KnowledgeBase) -> tuple[StaleCitation, ...]:
    """Return citations whose source has changed: words gone or moved, documents changed, replaced or removed."""
    found: list[StaleCitation] = []
    for citation, checked in zip(report.citations, verify_report(report, kb).checked, strict=True):
        reasons: list[tuple[str, bool]] = []
        if checked.finding in WORDS:
            reasons.append((WORDS[checked.finding], True))
        elif checked.finding == "holds":
            if kb.held(citation.document) is None:
                reasons.append(("the document has changed since, but the words are still there", False))
            document = _document(citation, kb)
            if document is not None and (note := kb.validity_note(document.id)):
                reasons.append((note, False))
        found += [
            StaleCitation(marker=citation.marker, file=citation.file, reason=reason, broken=broken)
            for reason, broken in reasons
        ]
    return tuple(found)


def _check(citation: Citation, kb: KnowledgeBase) -> CheckedCitation:
    def found(finding: Finding, place: QuotePlace | None = None) -> CheckedCitation:
        return CheckedCitation(
            marker=citation.marker,
            file=citation.file,
            quote=citation.quote,
            finding=finding,
            page=place.page if place else None,
            page_label=place.page_label if place else "",
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
    return found("holds" if place.page == citation.page else "moved", place)


def _document(citation: Citation, kb: KnowledgeBase) -> Document | None:
    try:
        return kb.document(citation.document)
    except CatalogAway:
        raise
    except KnowledgeBaseError:
        named = [one for one in kb.documents() if one.file == citation.file]
        return named[0] if len(named) == 1 else None
