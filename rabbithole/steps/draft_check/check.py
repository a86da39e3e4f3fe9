"""The check of a draft: every reference, quotation and claimed figure, in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.language import detect_language
from rabbithole.steps.reasoning.text.figures import Figures, counted

from .cited import Cited, cited_in, reference_finding
from .claimed_figures import absent_figures, figure_findings
from .models import DraftCheck, Finding, Paragraph
from .quoted import block_findings, quotation_findings

SAMPLE = 20
"""Number of paragraphs from which the language is detected."""


def check_draft(
    name: str, paragraphs: Sequence[Paragraph], kb: KnowledgeBase, collections: Sequence[str] = ()
) -> DraftCheck:
    """Check a draft against the knowledge base, without a model. Findings are in the draft's language.

    Args:
        name: how the draft is called in the result.
        paragraphs: its paragraphs in order.
        kb: the knowledge base it is checked against.
        collections: names of the collections; all if empty.

    Raises:
        UsageError: an unknown collection.
    """
    scope = kb.require(collections)
    language = detect_language(" ".join(each.text for each in paragraphs[:SAMPLE]))
    findings: list[Finding] = []

    @cache
    def figures_of(document: str) -> Figures:
        return counted(kb.text(document))

    last: str | None = None
    before: list[Cited] = []
    for paragraph in paragraphs:
        if paragraph.quoted:  # what it refers to is not this draft's claim
            findings += block_findings(paragraph, before, kb, scope, language)
            continue
        before = cited = cited_in(paragraph.text, kb, scope, last)
        last = next(
            (one.resolution.document for one in reversed(cited) if one.resolution.document or one.reference.document),
            last,
        )
        found = [
            *(reference_finding(paragraph.index, one, kb, language) for one in cited),
            *quotation_findings(paragraph.index, paragraph.text, cited, kb, scope, language),
            *figure_findings(paragraph.index, paragraph.text, cited, language),
            *absent_figures(paragraph.index, paragraph.text, cited, figures_of, language),
        ]
        findings += sorted(found, key=lambda one: (one.start, one.kind))
    return DraftCheck(name=name, paragraphs=tuple(paragraphs), findings=tuple(findings))
