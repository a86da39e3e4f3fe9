"""The base class of both workflows: starts and resumes runs, keeps their sessions, commits their state, ends them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from workflows import Context, Workflow
from workflows.events import Event, InputRequiredEvent, StopEvent
from workflows.handler import WorkflowHandler

from rabbithole.kb.as_of import on_day
from rabbithole.kb.errors import CatalogAway
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.events import PhaseChanged, ReferenceSeen, ResearchRequest, TaskProgress, Warned
from rabbithole.workflow.ledger import LedgerEntry
from rabbithole.workflow.run.recording import RECORDED
from rabbithole.workflow.run.telemetry import install_if_configured

from .reducer import Change
from .resources import ReasonerChoice, provided, run_store
from .run_store import RunError, RunStatus, RunStore, RunStoreAway, RunTakenOver, new_run_id
from .session import Session
from .start import ended_as, resume_state
from .state import AnswerState, ResearchState

log = logging.getLogger(__name__)

STREAMED = (PhaseChanged, TaskProgress, ReferenceSeen)
State = TypeVar("State", ResearchState, AnswerState)
SessionKind = TypeVar("SessionKind", bound=Session)


class RunWorkflow(Workflow, Generic[State, SessionKind]):
    """Base class of both workflows: starts runs, keeps their sessions, commits their state, releases their leases.

    The state lives in the workflow's context. Each commit first writes the durable copy in the run store.
    """

    request: ClassVar[type[ResearchRequest | AnswerRequest]]

    def __init__(
        self,
        kb: KnowledgeBase,
        research: ResearchSettings,
        reasoner: Reasoner | None,
        runs: RunStore | None,
        **options: Any,
    ) -> None:
        install_if_configured()
        self._found: dict[str, Any] = {}
        self.kb = kb
        self.runs = runs or run_store(kb, research)
        self.reasoners = ReasonerChoice(kb, reasoner)
        services = provided(kb, research, self.runs, self.reasoners)
        super().__init__(timeout=None, **{"runtime": RECORDED, "resource_manager": services, **options})
        self._sessions: dict[str, SessionKind] = {}
        self._watching: set[asyncio.Task[None]] = set()

    def open_session(self, kb: KnowledgeBase, state: State, reasoner: Reasoner) -> SessionKind:
        """Return a new session of this workflow's kind."""
        raise NotImplementedError

    def load(self, run_id: str) -> State:
        """Return the stored state of a run of this workflow's kind."""
        raise NotImplementedError

    def next_events(self, state: State) -> Change[State]:
        """Return the events that resume a stored state."""
        raise NotImplementedError

    # --- start, end ---------------------------------------------------------------------------------------------------
    def run(
        self, ctx: Context[Any] | None = None, start_event: Any = None, *, run_id: str | None = None, **fields: Any
    ) -> WorkflowHandler:
        """Start or resume a run.

        ``handler.run_id`` is the run's id in the store, unless a server passes its own ``run_id``.
        Raises ``RunError`` when another process is working on the run.
        """
        if ctx is not None and start_event is None and not fields:  # a restarted server resumes its own handlers
            return self._watched(super().run(ctx=ctx, run_id=run_id), None, run_id)
        request = start_event or self.request(**fields)
        request = request.model_copy(update={"run_id": request.run_id or new_run_id()})
        # The runtime never frees an id, and a run may be resumed in the process that started it: use a new one.
        session_id = run_id or f"{request.run_id}-{new_run_id()}"
        handler = super().run(ctx=ctx, start_event=request, run_id=session_id)
        if run_id is None:
            handler.run_id = request.run_id
        return self._watched(handler, request.run_id, session_id)

    def _watched(self, handler: WorkflowHandler, run_id: str | None, session_id: str | None) -> WorkflowHandler:
        watch = asyncio.create_task(self._watch(handler, run_id, session_id))
        self._watching.add(watch)
        watch.add_done_callback(self._watching.discard)
        return handler

    async def settled(self) -> None:
        """Wait until the end of every run is recorded in the store and its lease released."""
        await asyncio.gather(*self._watching)

    async def _watch(self, handler: WorkflowHandler, run_id: str | None, session_id: str | None) -> None:
        """Wait for the session to end, record how it ended and release the run."""
        result = asyncio.ensure_future(handler.stop_event_result())
        result.add_done_callback(lambda task: task.cancelled() or task.exception())  # no asyncio warning at shutdown
        await asyncio.wait([result])
        ended = None if result.cancelled() else result.exception()
        run_id = run_id or (await handler.ctx.store.get_state()).run_id
        if isinstance(ended, RunTakenOver | RunStoreAway | CatalogAway):
            self._leave(run_id, session_id)
        else:
            self._release(run_id, session_id, *ended_as(result))

    def _leave(self, run_id: str, session_id: str | None) -> None:
        """End the session of a run that goes on elsewhere or later; the store keeps it as it was last committed."""
        session = self._sessions.pop(run_id, None)
        RECORDED.taken(session_id or "")
        if session is not None:
            session.close()
        self.runs.release(run_id)

    def _release(self, run_id: str, session_id: str | None, status: RunStatus, error: str) -> None:
        session = self._sessions.pop(run_id, None)
        execution = RECORDED.taken(session_id or "")
        if session is None or not self.runs.holds(run_id):
            if self.runs.holds(run_id):
                self.runs.release(run_id)
            return
        session.close()
        try:
            self.runs.finish(run_id, status, error, None if status == "done" else session.cost)
            self.runs.put_execution(run_id, execution)
        except RunError as unsaved:  # for example a full disk: the run's own error has been reported already
            log.warning("run=%s ended as %s, which could not be noted: %s", run_id, status, unsaved)
        finally:
            self.runs.release(run_id)

    def _get_steps(self) -> dict[str, Any]:
        """Cache the steps: the library searches all attributes for them before each step, but they never change."""
        self._found = self._found or super()._get_steps()
        return self._found

    # --- state --------------------------------------------------------------------------------------------------------
    async def state(self, ctx: Context[State]) -> State:
        """Return the state of the context's run.

        In a restarted server there is no session yet: open one from the run store, whose copy may be newer. Of a shared
        store another server may have continued the run meanwhile, past the events that this one would repeat: there the
        run is left to whoever takes it over, and RunTakenOver is raised.
        """
        state: State = await ctx.store.get_state()
        if state.run_id in self._sessions:
            return state
        if self.runs.shared:
            raise RunTakenOver(f"The server was restarted; run {state.run_id} goes on as a run taken over.")
        self.runs.acquire(state.run_id)
        state = self.load(state.run_id)
        self.open(state, await self.reasoners.get())
        await ctx.store.set_state(state)
        return state

    async def resume(self, ctx: Context[State], run_id: str, **changes: Any) -> Any:
        """Resume a stored run and warn about what has changed since it was started.

        ``changes`` are fields of the state that this session overrides. Raises ``UsageError`` for an unknown run and
        ``RunError`` for one that another process is working on or that cannot be continued.
        """
        reasoner = await self.reasoners.get()
        state, notes = await resume_state(self.runs, self.load, self.kb, reasoner, run_id)
        self.open(state, reasoner)
        for note in notes:
            ctx.write_event_to_stream(Warned(text=note))
        change = self.next_events(state.model_copy(update=changes))
        await self.commit(ctx, change.state, change.entries)
        return self.send(ctx, change.events)

    def open(self, state: State, reasoner: Reasoner) -> None:
        """Open this process's session of the run."""
        self._sessions[state.run_id] = self.open_session(on_day(self.kb, state.as_of), state, reasoner)

    def session(self, state: State) -> SessionKind:
        """Return this process's session of the run."""
        return self._sessions[state.run_id]

    async def commit(self, ctx: Context[State], state: State, entries: Sequence[LedgerEntry] = ()) -> State:
        """Store the state and the changed ledger entries, then set it in the context; return it with its cost.

        Storing comes first, so the context is never ahead of what survives a crash. The session's clock stands while a
        question is open; the cost so far is streamed.
        """
        session = self.session(state)
        committed: State = state.model_copy(update={"cost": session.cost})
        self.runs.save(committed, entries)
        await ctx.store.set_state(committed)
        session.clock.set(running=state.status != "waiting")
        ctx.write_event_to_stream(session.metrics)
        return committed

    def restart_clock(self, ctx: Context[State], state: State) -> None:
        """Let the clock go on, because a person has answered and work begins before the next commit."""
        session = self.session(state)
        session.clock.set(running=True)
        ctx.write_event_to_stream(session.metrics)

    def send(self, ctx: Context[State], events: Sequence[Event]) -> Any:
        """Stream the events for the user and send the others.

        Return the question or stop event among them, if any: the step must return it itself.
        """
        returned = None
        for event in events:
            if isinstance(event, STREAMED):
                ctx.write_event_to_stream(event)
            elif isinstance(event, InputRequiredEvent | StopEvent):
                returned = event
            else:
                ctx.send_event(event)
        return returned
