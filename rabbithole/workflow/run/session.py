"""One process working on one run: the reasoner with this run's recorder and cache, the clock, and what it has cost."""

from __future__ import annotations

import time
from collections.abc import Mapping

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import PurposeMetrics
from rabbithole.steps.reasoning.client.cache import AnswerCache
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.events import MetricsUpdated
from rabbithole.workflow.report.assemble import Reporting

from .background import Ahead
from .prefetch import Forerun
from .state import Cost, ResearchState
from .store import RunStore


class Account:
    """The reasoner of one sitting, the clock, and what it has cost; costs of earlier sittings are carried on."""

    def __init__(self, reasoner: Reasoner, before: Cost, cache: AnswerCache | None = None) -> None:
        self.recorder = Recorder()
        self.reasoner = reasoner.for_run(self.recorder, cache)
        self._before = before
        self._begun = time.monotonic()

    @property
    def cost(self) -> Cost:
        """All sittings of the run together."""
        return Cost(
            by_purpose=added(self._before.by_purpose, self.recorder.by_purpose),
            seconds=self._before.seconds + time.monotonic() - self._begun,
            model_seconds=self._before.model_seconds + self.recorder.model_seconds,
            dropped=self._before.dropped + self.recorder.dropped,
            notes=tuple(dict.fromkeys((*self._before.notes, *self.recorder.notes))),
        )


class Sitting(Account):
    """One process working on a research; made when a run begins or is taken up."""

    def __init__(
        self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore, state: ResearchState
    ) -> None:
        super().__init__(reasoner, state.cost, runs)
        self.ahead = Ahead()
        self.forerun = Forerun(kb, self.reasoner, settings, runs, self.ahead)
        self.reporting = Reporting(kb, self.reasoner, settings, runs)
        self.state = state

    @property
    def metrics(self) -> MetricsUpdated:
        """The running total, for the person."""
        cost = self.cost
        every = cost.by_purpose.values()
        return MetricsUpdated(
            calls=sum(one.calls for one in every),
            prompt_tokens=sum(one.prompt_tokens for one in every),
            output_tokens=sum(one.output_tokens for one in every),
            seconds=cost.seconds,
        )


def added(before: Mapping[str, PurposeMetrics], now: Mapping[str, PurposeMetrics]) -> Mapping[str, PurposeMetrics]:
    """Two sets of counts by purpose, summed."""
    total = {}
    for purpose in sorted({*before, *now}):
        left, right = before.get(purpose, PurposeMetrics()), now.get(purpose, PurposeMetrics())
        total[purpose] = PurposeMetrics.model_validate(
            {name: getattr(left, name) + getattr(right, name) for name in PurposeMetrics.model_fields}
        )
    return total
