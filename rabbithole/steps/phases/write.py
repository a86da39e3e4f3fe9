"""Phase 4: the input of the writer and of the quality assessment."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.language import foreign_sections
from rabbithole.steps.models import Anchor, Evidence, TaskSummary, Todo
from rabbithole.steps.reasoning.protocol import QualityRequest, Reasoner, WriteRequest
from rabbithole.steps.reasoning.text.figure_mismatch import conflicts
from rabbithole.steps.report_models import Quality

from .attribute import Attributed
from .relevance import weight


def in_order(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return evidence in canonical order for writing: by weight, then place; each place once per task, at its best."""
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
    asked: str = "",
) -> WriteRequest:
    """Return everything the report is written from."""
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
        asked=asked,
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
    """Return five scores of a draft and the request for them, which includes the results of the checks.

    ``claims`` are its cited sentences as (marker, sentence, source text).
    """
    request = QualityRequest(
        anchor=anchor,
        markdown=draft,
        evidence=tuple(evidence),
        unknown_keys=attributed.unknown_keys,
        unverified_quotes=len(attributed.unverified),
        uncited_sentences=len(attributed.uncited),
        chosen=tuple(chosen),
        contradicted=tuple(text for _, text, source in claims if conflicts(text, source)),
        # The extractive reasoner writes only fixed phrases in the requested language, so there is nothing to check.
        language_ok=reasoner.availability.name == "extractive" or not foreign_sections(draft, anchor.language),
    )
    return await reasoner.quality(request), request
