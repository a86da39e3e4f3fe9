"""A model's verdict on each sentence that cites a place, from the text of that place alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.protocol import Reasoner, SupportClaim
from rabbithole.steps.reasoning.text.sentences import sentences

from .models import DraftCheck, Finding, Verdict

SUPPORTED = 0.7
"""Score of support (0-1) from which a sentence is called supported; below it, it is left to the person."""
LONGEST_SOURCE = 6_000
LEAST_WORDS = 6


class _Claim(NamedTuple):
    start: int
    end: int
    text: str
    source: str
    cited: Finding


async def with_claims(check: DraftCheck, kb: KnowledgeBase, reasoner: Reasoner) -> DraftCheck:
    """Return the check with one row per claim added. The other findings stay; a model's verdict alone fails nothing.

    A sentence that cites a place no longer in force is stale, whatever the model says.
    """
    claims = [
        claim
        for paragraph in check.paragraphs
        for claim in _claims(paragraph.text, [one for one in check.findings if one.paragraph == paragraph.index], kb)
    ]
    if not claims:
        return check
    scores = await reasoner.support([SupportClaim(sentence=one.text, source=one.source) for one in claims])
    judged = [_finding(claim, score) for claim, score in zip(claims, scores, strict=True)]
    found = sorted([*check.findings, *judged], key=lambda one: (one.paragraph, one.start, one.kind))
    return check.model_copy(update={"findings": tuple(found)})


def _claims(text: str, findings: Sequence[Finding], kb: KnowledgeBase) -> Iterator[_Claim]:
    for sentence in sentences(text):
        inside = [one for one in findings if one.kind == "reference" and sentence.start <= one.start < sentence.end]
        cited = [one for one in inside if one.verdict in ("holds", "outdated") and one.document and one.section]
        if not cited or len(sentence.text.split()) < LEAST_WORDS:
            continue
        texts = []
        for one in cited:
            section = kb.section(one.document, one.section)
            texts.append(kb.section_text(section.id)[:LONGEST_SOURCE] if section is not None else "")
        yield _Claim(sentence.start, sentence.end, sentence.text, "\n\n".join(filter(None, texts)), cited[0])


def _finding(claim: _Claim, score: float) -> Finding:
    verdict: Verdict = "supported" if score >= SUPPORTED else "not_supported"
    if claim.cited.verdict == "outdated":
        verdict = "stale"
    where = {"document", "title", "file", "section", "page", "page_label", "paragraph"}
    return Finding(
        start=claim.start, end=claim.end, text=claim.text, kind="claim", verdict=verdict,
        **claim.cited.model_dump(include=where),
    )  # fmt: skip
