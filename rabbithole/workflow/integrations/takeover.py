"""Take over the runs of replicas that died: a server looks for them in the shared run store and continues them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from workflows.errors import WorkflowCancelledByUser
from workflows.events import InputRequiredEvent

from rabbithole.kb.errors import CatalogAway, ModelError, RabbitholeError
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.run_store import RunHeld, RunStore, RunStoreAway, RunTakenOver

log = logging.getLogger(__name__)
LOOK_SECONDS = 2.0


class Takeover:
    """Continues orphaned runs of a store with the workflows of this server; one that cannot be continued is left."""

    def __init__(self, runs: RunStore, research: ResearchWorkflow, answer: AnswerWorkflow) -> None:
        self._runs, self._research, self._answer = runs, research, answer
        self._going_on: dict[str, asyncio.Task[None]] = {}
        self._refused: set[str] = set()

    async def keep_looking(self, seconds: float = LOOK_SECONDS) -> None:
        """Look for orphans every ``seconds`` until cancelled; an error is logged and the next look may find them."""
        try:
            while True:
                try:
                    await self.look()
                except RabbitholeError as error:
                    log.warning("Runs to take over could not be looked for: %s", error)
                await asyncio.sleep(seconds)
        finally:
            for task in self._going_on.values():
                task.cancel()

    async def look(self) -> Mapping[str, asyncio.Task[None]]:
        """Start to continue each orphan and return the tasks under way, by run."""
        for run_id in await asyncio.to_thread(self._runs.orphans):
            if run_id not in self._going_on and run_id not in self._refused:
                self._going_on[run_id] = task = asyncio.create_task(self._go_on(run_id))
                task.add_done_callback(partial(self._ended, run_id))
        return dict(self._going_on)

    def _ended(self, run_id: str, task: asyncio.Task[None]) -> None:
        del self._going_on[run_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._refused.add(run_id)
            log.error("run=%s cannot be continued here: %s", run_id, error)

    async def _go_on(self, run_id: str) -> None:
        """Continue one run to its end. One that asks a question stops there: nobody listens to it here."""
        try:
            if await asyncio.to_thread(self._runs.mode, run_id) == "answer":
                handler = self._answer.run(start_event=AnswerRequest(run_id=run_id, resume=True, interactive=False))
            else:
                handler = self._research.run(start_event=ResearchRequest(run_id=run_id, resume=True))
            async for event in handler.stream_events():
                if isinstance(event, InputRequiredEvent):
                    log.info("run=%s taken over, waits for an answer: resume it to give one", run_id)
                    await handler.cancel_run()
            with suppress(WorkflowCancelledByUser):
                await handler
            log.info("run=%s taken over and ended", run_id)
        except (
            RunHeld,
            RunTakenOver,
            RunStoreAway,
            CatalogAway,
            ModelError,
        ) as error:  # a faster replica, or a later look
            log.info("run=%s not taken over now: %s", run_id, error)
