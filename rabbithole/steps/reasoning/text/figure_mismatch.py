"""Whether a sentence gives another figure than its source does for the same thing: no judgement outweighs that."""

from __future__ import annotations

from rabbithole.steps.reasoning.protocol import SupportClaim

from .figures import TIMES, Figures, counted

CAP = 0.4
"""Support of a sentence whose figure its source gives otherwise."""


def conflicts(sentence: str, source: str) -> bool:
    """Whether the sentence counts what its source counts too, with a number that the source does not give for it.

    Times are of one kind: two weeks are in conflict with two hours.
    """
    return differ(counted(sentence), counted(source))


def differ(told: Figures, held: Figures) -> bool:
    """The same of what both count."""
    units = {unit for _, unit in held}
    kinds = units | (TIMES if units & TIMES else frozenset())
    return any(unit in kinds for _, unit in told - held)


def bounded(support: float, claim: SupportClaim) -> float:
    """A judgement of support, which no sentence with another figure than its source's can have in full."""
    return min(support, CAP) if conflicts(claim.sentence, claim.source) else support
