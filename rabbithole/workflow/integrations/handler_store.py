"""The store in which ``rabbithole serve`` keeps the runs it was asked for."""

from __future__ import annotations

from typing import Any

from llama_agents.server import HandlerQuery, PersistentHandler, SqliteWorkflowStore

from rabbithole.kb.errors import without_paths


class HandlerStore(SqliteWorkflowStore):
    """A workflow store that removes this machine's paths from errors, including errors stored earlier.

    The server reads everything it returns from here: results, lists of runs and streams of events.
    """

    async def query(self, query: HandlerQuery) -> list[PersistentHandler]:
        found = await super().query(query)
        for handler in found:
            handler.error = handler.error and without_paths(handler.error)
        return found

    async def query_events(self, run_id: str, after_sequence: int | None = None, limit: int | None = None) -> list[Any]:
        found = await super().query_events(run_id, after_sequence, limit)
        for stored in found:
            raised = stored.event.value.get("exception")  # of a WorkflowFailedEvent
            if isinstance(raised, dict):
                raised["exception_message"] = without_paths(str(raised.get("exception_message", "")))
        return found
