"""The runtime of a run: it keeps no record of what happened, because the run store does.

The library's own runtime keeps every event of a run in memory, so that a context can be saved at any moment: with them
the memory of a research grows with the references it follows. A run is resumed from ``runs.sqlite`` instead.
"""

from __future__ import annotations

from workflows import Workflow
from workflows.plugins import basic_runtime
from workflows.runtime.runtime_decorators import BaseInternalRunAdapterDecorator, BaseRuntimeDecorator
from workflows.runtime.types.plugin import InternalRunAdapter
from workflows.runtime.types.ticks import WorkflowTick


class _Unrecorded(BaseInternalRunAdapterDecorator):
    async def on_tick(self, tick: WorkflowTick) -> None:
        """Forgotten: nothing is rebuilt from it."""


class Unrecorded(BaseRuntimeDecorator):
    """The library's runtime without its record of ticks."""

    def get_internal_adapter(self, workflow: Workflow) -> InternalRunAdapter:
        return _Unrecorded(self._decorated.get_internal_adapter(workflow))


UNRECORDED = Unrecorded(basic_runtime)
