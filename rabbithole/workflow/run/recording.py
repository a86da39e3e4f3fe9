"""The library's runtime with a bounded record of the events each step received and sent.

The library keeps every tick of a run so that a context can be saved at any time; its memory would grow with every
reference followed. Runs are resumed from ``runs.sqlite`` instead, so the record only serves diagrams and debugging.
"""

from __future__ import annotations

from typing import Any

from workflows import Workflow
from workflows.events import Event
from workflows.plugins import basic_runtime
from workflows.runtime.runtime_decorators import BaseInternalRunAdapterDecorator, BaseRuntimeDecorator
from workflows.runtime.types.plugin import InternalRunAdapter
from workflows.runtime.types.results import StepWorkerResult
from workflows.runtime.types.ticks import TickStepResult, WorkflowTick

from rabbithole.kb.models import Model

MOST_STEPS = 4_000
"""Most steps recorded in one session. A reference takes a little more than one, so this covers about 3,000."""
LABEL = 60


class Executed(Model):
    """One finished step, the event it received and the events it sent. ``label`` names the reference it followed."""

    step: str
    took: str
    label: str = ""
    gave: tuple[str, ...] = ()


class _Recording(BaseInternalRunAdapterDecorator):
    def __init__(self, decorated: InternalRunAdapter, executed: dict[str, list[Executed]]) -> None:
        super().__init__(decorated)
        self._executed = executed

    async def on_tick(self, tick: WorkflowTick) -> None:
        executed = self._executed.setdefault(self.run_id, [])
        if len(executed) >= MOST_STEPS:
            return
        await super().on_tick(tick)
        if isinstance(tick, TickStepResult):
            executed.append(_executed(tick))


class Recorded(BaseRuntimeDecorator):
    """The library's runtime with a bounded record of ticks."""

    def __init__(self, decorated: Any) -> None:
        super().__init__(decorated)
        self._executed: dict[str, list[Executed]] = {}

    def get_internal_adapter(self, workflow: Workflow) -> InternalRunAdapter:
        return _Recording(self._decorated.get_internal_adapter(workflow), self._executed)

    def taken(self, session_id: str) -> list[Executed]:
        """Remove and return the recorded steps of a session, in order."""
        return self._executed.pop(session_id, [])


def _executed(tick: TickStepResult) -> Executed:
    returned = (one.result for one in tick.result if isinstance(one, StepWorkerResult))
    given = [*(sent.event for sent in tick.sends), *(event for event in returned if isinstance(event, Event))]
    return Executed(
        step=str(tick.step_id),
        took=type(tick.event).__name__,
        label=str(getattr(tick.event, "target", ""))[:LABEL],
        gave=tuple(type(event).__name__ for event in given),
    )


RECORDED = Recorded(basic_runtime)
