"""The limits of following references: which of them a task has reached, and why the remaining references are left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from rabbithole.kb.models import Model

from .phrases import phrase
from .settings import ResearchSettings

Limit = Literal["depth", "budget", "converged"]
LIMITS: tuple[Limit, ...] = get_args(Limit)


class Totals(Model):
    """Running totals of a task while its references are counted in canonical order.

    ``stale``: references in a row that brought no section not yet seen. ``tokens``: read by following.
    """

    seen: frozenset[str]
    stale: int
    tokens: int

    def stop(self, settings: ResearchSettings) -> Limit | None:
        """Return the limit that keeps the task from following anything more, or None."""
        if self.stale >= settings.convergence_same_doc_threshold:
            return "converged"
        return "budget" if self.tokens >= settings.reference_token_budget else None

    def count(self, sections: Iterable[str], tokens: int) -> Totals:
        """Return the totals with one more reference, which led to ``sections`` with ``tokens`` in all."""
        news = [one for one in sections if one not in self.seen]
        return Totals(
            seen=self.seen.union(news) if news else self.seen,
            stale=0 if news else self.stale + 1,
            tokens=self.tokens + tokens,
        )


def why(limit: Limit, settings: ResearchSettings, depth: int, language: str) -> str:
    """Return the reason given for a reference that is not followed; ``depth``: the deepest the run follows."""
    return phrase(language, f"report.why.{limit}", depth=depth, budget=settings.reference_token_budget)
