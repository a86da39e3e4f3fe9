"""Phase 3b: drop evidence that has drifted from the anchor, and measure how much that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rabbithole.steps.models import Anchor, Evidence
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.settings import ResearchSettings

from .relevance import INHERITED_SHARE


def drifted(anchor: Anchor, evidence: Evidence, threshold: float) -> bool:
    """Return whether evidence scores low and neither its heading nor its text shares a word stem with the question.

    The threshold falls with each followed reference, as the inherited score does: such places naturally share few words
    with the question, and the gate has already judged them.
    """
    if evidence.score >= threshold * INHERITED_SHARE ** len(evidence.chain):
        return False
    asked = stem_set(" ".join((anchor.query, *anchor.concepts, *anchor.entities, *anchor.refinements)), anchor.language)
    said = stem_set(f"{evidence.section_label} {evidence.info}", anchor.language)
    return coverage(asked, said) == 0.0


def validate(
    anchor: Anchor, by_task: Mapping[int, Sequence[Evidence]], settings: ResearchSettings
) -> tuple[tuple[str, ...], float]:
    """Return the keys of drifted evidence, in order, and their share of all. Each task keeps a minimum of evidence."""
    gone: list[str] = []
    total = 0
    for task in sorted(by_task):
        items = by_task[task]
        total += len(items)
        bad = [item.key for item in items if drifted(anchor, item, settings.drift_threshold)]
        spare = max(0, len(items) - settings.reference_min_results)
        gone += bad[len(bad) - min(len(bad), spare) :] if spare else []
    return tuple(gone), (len(gone) / total if total else 0.0)
