"""Detect sentences whose figure differs from their source's; no model's judgement can outweigh that."""

from __future__ import annotations

from rabbithole.steps.reasoning.protocol import SupportClaim

from .figures import TIMES, Figures, counted

CAP = 0.4
"""Highest support of a sentence whose figure differs from its source's."""


def conflicts(sentence: str, source: str) -> bool:
    """Return whether the sentence has a number that its source does not have for the same unit.

    All units of time are the same kind: two weeks conflict with two hours.
    """
    return differ(counted(sentence), counted(source))


def differ(told: Figures, held: Figures) -> bool:
    """Return whether figures ``told`` conflict with figures ``held``; see ``conflicts``."""
    units = {unit for _, unit in held}
    kinds = units | (TIMES if units & TIMES else frozenset())
    return any(unit in kinds for _, unit in told - held)


def bounded(support: float, claim: SupportClaim) -> float:
    """Return the support, limited to ``CAP`` if the sentence's figure conflicts with its source."""
    return min(support, CAP) if conflicts(claim.sentence, claim.source) else support
