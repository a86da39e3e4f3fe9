"""Phase 4: what the writer is given, and what is asked of the quality check."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.language import foreign_sections
from rabbithole.steps.models import Anchor, Evidence, Quality, TaskSummary, Todo
from rabbithole.steps.reasoning.protocol import QualityRequest, Reasoner, WriteRequest
from rabbithole.steps.reasoning.text.figure_mismatch import conflicts

from .attribute import Attributed
from .tiers import weight


def in_order(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Canonical order for writing: by weight, then place; per task a place once, its best reading."""
    best: dict[tuple[int, str, int, int], Evidence] = {}
    for item in sorted(evidence, key=lambda one: (-weight(one), one.task, one.document, one.start, one.key)):
        best.setdefault((item.task, item.document or item.external, item.start, item.end), item)
    return tuple(best.values())


def write_request(
    anchor: Anchor,
    todos: Sequence[Todo],
    summaries: Sequence[TaskSummary],
    evidence: Sequence[Evidence],
    *,
    missing: Sequence[str],
    contradictions: Sequence[str],
    focus: str = "",
    answer: str = "",
    beside: str = "",
    chosen: Sequence[str] = (),
) -> WriteRequest:
    """Everything the report is written from."""
    return WriteRequest(
        anchor=anchor,
        tasks=tuple(todos),
        summaries=tuple(summaries),
        evidence=tuple(evidence),
        missing=tuple(missing),
        contradictions=tuple(contradictions),
        focus=focus,
        answer=answer,
        beside=beside,
        chosen=tuple(chosen),
    )


async def assess(
    reasoner: Reasoner,
    anchor: Anchor,
    draft: str,
    attributed: Attributed,
    evidence: Sequence[Evidence],
    claims: Sequence[tuple[str, str, str]],
    chosen: Sequence[str] = (),
) -> tuple[Quality, QualityRequest]:
    """Five scores of a draft, given what the checks of its citations and claims (marker, sentence, source) found."""
    request = QualityRequest(
        anchor=anchor,
        markdown=draft,
        evidence=tuple(evidence),
        unknown_keys=attributed.unknown_keys,
        unverified_quotes=len(attributed.unverified),
        uncited_sentences=len(attributed.uncited),
        chosen=tuple(chosen),
        contradicted=tuple(text for _, text, source in claims if conflicts(text, source)),
        # The extractive reasoner's own words are fixed phrases of the language asked for: nothing to check.
        language_ok=reasoner.availability.name == "extractive" or not foreign_sections(draft, anchor.language),
    )
    return await reasoner.quality(request), request
