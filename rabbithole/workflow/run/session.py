"""The session of a run: one process working on it, with its reasoner, its clock and what it has cost."""

from __future__ import annotations

import time
from collections.abc import Mapping

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.client.cache import AnswerCache
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.report_models import PurposeMetrics
from rabbithole.workflow.events import MetricsUpdated

from .state import Cost
from .work_clock import WorkClock


class Session:
    """One process working on one run.

    ``kb`` is limited to the run's ``as_of`` day; ``before`` is the cost of earlier sessions, to which this one adds.
    """

    def __init__(self, kb: KnowledgeBase, reasoner: Reasoner, before: Cost, cache: AnswerCache | None = None) -> None:
        self.kb = kb
        self.recorder = Recorder()
        self.reasoner = reasoner.for_run(self.recorder, cache)
        self.clock = WorkClock(before.seconds)
        self._before = before

    @property
    def cost(self) -> Cost:
        """The cost of all sessions of the run up to now."""
        return Cost(
            by_purpose=added(self._before.by_purpose, self.recorder.by_purpose),
            seconds=self.clock.seconds,
            model_seconds=self._before.model_seconds + self.recorder.model_seconds,
            dropped=self._before.dropped + self.recorder.dropped,
            notes=tuple(dict.fromkeys((*self._before.notes, *self.recorder.notes))),
        )

    @property
    def metrics(self) -> MetricsUpdated:
        """The running total, as an event for the user."""
        cost = self.cost
        every = cost.by_purpose.values()
        return MetricsUpdated(
            calls=sum(one.calls for one in every),
            prompt_tokens=sum(one.prompt_tokens for one in every),
            output_tokens=sum(one.output_tokens for one in every),
            seconds=cost.seconds,
            at=time.time() if self.clock.running else 0.0,
            failed=sum(one.failed for one in every),
        )

    def close(self) -> None:
        """Cancel background work; the base session has none."""


def added(before: Mapping[str, PurposeMetrics], now: Mapping[str, PurposeMetrics]) -> Mapping[str, PurposeMetrics]:
    """Return the sum of two sets of counts, by purpose."""
    total = {}
    for purpose in sorted({*before, *now}):
        left, right = before.get(purpose, PurposeMetrics()), now.get(purpose, PurposeMetrics())
        total[purpose] = PurposeMetrics.model_validate(
            {name: getattr(left, name) + getattr(right, name) for name in PurposeMetrics.model_fields}
        )
    return total
