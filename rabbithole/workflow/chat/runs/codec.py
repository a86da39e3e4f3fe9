"""Encode the events of a run as rows of the log, and decode them."""

from __future__ import annotations

from typing import Literal

from pydantic import ValidationError
from workflows.events import Event

from rabbithole.kb.errors import RabbitholeError
from rabbithole.workflow import answer_events, events

from .failures import FailureKind

ChatRunStatus = Literal["running", "stopped", "interrupted", "failed", "done"]


class StatusChanged(Event):
    """The status of the run: started, stopped by the user, failed (with one sentence) or finished."""

    status: ChatRunStatus
    error: str = ""
    kind: FailureKind = ""
    at: float = 0.0


# Every event of the two workflows; events passed only between steps never reach the stream.
KINDS: dict[str, type[Event]] = {"StatusChanged": StatusChanged} | {
    name: kind
    for module in (events, answer_events)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == module.__name__
}


def encode(event: Event) -> tuple[str, str] | None:
    """Return the name and JSON of an event, or None for the runtime's own events."""
    name = type(event).__name__
    return (name, event.model_dump_json()) if name in KINDS else None


def decode(name: str, data: str) -> Event:
    """Return the event of a row. Raises ``RabbitholeError`` if this version does not understand it."""
    try:
        return KINDS[name].model_validate_json(data)
    except (KeyError, ValidationError) as error:
        raise RabbitholeError(
            "This research was recorded by another version of Rabbithole and cannot be shown: ask the question again."
        ) from error
