"""A workflow whose runs live in a ``RunStore``: begun, watched, and given free however they end."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, ClassVar

from workflows import Context, Workflow
from workflows.handler import WorkflowHandler

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.events import ResearchRequest

from .runtime import UNRECORDED
from .start import default_runs, ended_as
from .state import Cost
from .store import RunError, RunStatus, RunStore, new_run_id

log = logging.getLogger(__name__)


class RunHost(Workflow):
    """What researches and answers have in common around their steps."""

    request: ClassVar[type[ResearchRequest | AnswerRequest]]

    def __init__(
        self,
        kb: KnowledgeBase,
        research: ResearchSettings,
        reasoner: Reasoner | None,
        runs: RunStore | None,
        **options: Any,
    ) -> None:
        super().__init__(timeout=None, **{"runtime": UNRECORDED, **options})
        self.kb = kb
        self.runs = runs or default_runs(kb, research)
        self._reasoner = reasoner  # None: chosen when the first run begins, because that may ask a server
        self._watching: set[asyncio.Task[None]] = set()

    def run(
        self, ctx: Context[Any] | None = None, start_event: Any = None, *, run_id: str | None = None, **fields: Any
    ) -> WorkflowHandler:
        """Start or resume a run. ``handler.run_id`` is the run's id in the store, unless a server brings its own.

        Raises ``RunError`` when another process works on the run.
        """
        if ctx is not None and start_event is None and not fields:  # a server takes up what it was doing
            return self._watched(super().run(ctx=ctx, run_id=run_id), None)
        request = start_event or self.request(**fields)
        request = request.model_copy(update={"run_id": request.run_id or new_run_id()})
        # The runtime never forgets an id, and a run may be resumed in the process that began it.
        handler = super().run(ctx=ctx, start_event=request, run_id=run_id or f"{request.run_id}-{new_run_id()}")
        if run_id is None:
            handler.run_id = request.run_id
        return self._watched(handler, request.run_id)

    def _watched(self, handler: WorkflowHandler, run_id: str | None) -> WorkflowHandler:
        watch = asyncio.create_task(self._watch(handler, run_id))
        self._watching.add(watch)
        watch.add_done_callback(self._watching.discard)
        return handler

    async def settled(self) -> None:
        """Wait until the runs of this workflow that have ended are noted and given free in the store."""
        await asyncio.gather(*self._watching)

    async def _watch(self, handler: WorkflowHandler, run_id: str | None) -> None:
        """Note how the sitting ended and give the run free, whatever the end was."""
        result = asyncio.ensure_future(handler.stop_event_result())
        result.add_done_callback(lambda task: task.cancelled() or task.exception())  # looked at, even at shutdown
        await asyncio.wait([result])
        status, error = ended_as(result)
        self._ended(run_id or (await handler.ctx.store.get_state()).run_id, status, error)

    def _ended(self, run_id: str, status: RunStatus, error: str) -> None:
        """Close this process's sitting of a run; calls ``_give_free`` where the run was this sitting's."""
        raise NotImplementedError

    def _give_free(self, run_id: str, status: RunStatus, error: str, cost: Cost | None = None) -> None:
        try:
            self.runs.finish(run_id, status, error, cost)
        except RunError as unsaved:  # a full disk: the run's own error has been said already
            log.warning("run=%s ended as %s, which could not be noted: %s", run_id, status, unsaved)
        finally:
            self.runs.release(run_id)
