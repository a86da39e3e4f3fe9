"""Progress events for the user, made from the state and the ledger. Pure functions."""

from __future__ import annotations

import itertools

from rabbithole.workflow.events import (
    ReferenceFollowed,
    ReferenceMissing,
    ReferenceSeen,
    ReferenceSkipped,
    TaskProgress,
)
from rabbithole.workflow.ledger import LedgerEntry

from .edit import StateEdit
from .state import ResearchState

QUIET = ("seen", "depth")
MOST_SHOWN = 50
"""Most evidence keys of followed references that one progress event carries."""


def progress(edit: StateEdit, task: int, budget: int = 0) -> TaskProgress:
    """Return the progress of a task as an event for the user."""
    state = edit.tasks[task]
    todo = next(one for one in edit.state.todos if one.id == task)
    wave = itertools.islice(edit.wave(task), state.cursor)
    found = (key for entry in wave for key in edit.ledger[entry].evidence)
    return TaskProgress(
        task=task,
        text=todo.text,
        status=todo.status,
        queries=list(state.queries),
        evidence=list(dict.fromkeys((*state.evidence, *itertools.islice(found, MOST_SHOWN)))),
        depth=state.depth,
        tokens=state.tokens,
        budget=budget,
    )


def seen_events(state: ResearchState, entry: LedgerEntry) -> list[ReferenceSeen]:
    """Return the event that tells the user what happened to a reference.

    The list is empty for references that were read already or lie beyond the depth.
    """
    if entry.decision in QUIET:
        return []
    kind: type[ReferenceSeen] = ReferenceSkipped
    if entry.decision == "follow":
        kind = ReferenceFollowed
    elif entry.decision in ("missing", "ambiguous"):
        kind = ReferenceMissing
    mention = entry.mention
    return [
        kind(
            task=entry.task,
            depth=entry.depth,
            text=mention.reference.text,
            kind=mention.reference.kind,
            source=mention.source_label,
            source_document=mention.source_document,
            source_section=mention.source_section,
            target=mention.label,
            target_document=mention.resolution.document,
            target_section=mention.resolution.section,
            page=mention.page,
            decision=entry.decision,
            reason=entry.reason,
        )
    ]
