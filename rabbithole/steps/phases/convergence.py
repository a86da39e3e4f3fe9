"""When to stop: decisions based on numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rabbithole.steps.models import Round
from rabbithole.steps.settings import ResearchSettings

Ending = Literal["user_end", "max_iterations", "convergence"]


def duplicate_ratio(found: int, new: int) -> float:
    """Return the share of a round's chunks already found in earlier rounds; 1.0 if nothing was found."""
    return 1.0 if found == 0 else (found - new) / found


def conversation_ended(rounds: Sequence[Round], settings: ResearchSettings, *, end: bool = False) -> Ending | None:
    """Return why clarification ends after these rounds, or None. ``end``: the user typed ``/end``."""
    if end:
        return "user_end"
    if rounds:
        last = rounds[-1]
        covered = last.analysis.coverage >= settings.hitl_coverage_threshold
        known = last.duplicate_ratio >= settings.hitl_dedup_threshold
        if covered and known and len(last.analysis.gaps) <= settings.hitl_max_gaps:
            return "convergence"
    return "max_iterations" if len(rounds) >= settings.hitl_max_iterations else None


def dig_converged(stale: int, settings: ResearchSettings) -> bool:
    """Return whether following has converged. ``stale`` counts the last follows in a row without a new section."""
    return stale >= settings.convergence_same_doc_threshold


def budget_left(spent: int, settings: ResearchSettings) -> bool:
    """Return whether a task may follow another reference after reading ``spent`` tokens."""
    return spent < settings.reference_token_budget
