"""Events of a run as rows of the log, and back."""

from __future__ import annotations

from typing import Literal

from workflows.events import Event

from ..answer_events import AnswerClarification, ToolUsed
from ..events import (
    ClarificationAnswered,
    ClarificationRequested,
    EvidenceValidated,
    MetricsUpdated,
    PhaseChanged,
    PlanApproved,
    PlanProposed,
    QualityAssessed,
    ReferenceFollowed,
    ReferenceMissing,
    ReferenceSkipped,
    ReportReady,
    ReportToken,
    RetrievalDone,
    RewriteRequested,
    TaskProgress,
    Warned,
)

RunStatus = Literal["running", "stopped", "interrupted", "failed", "done"]


class StatusChanged(Event):
    """What the run itself did: started, stopped by the person, failed with one sentence, finished."""

    status: RunStatus
    error: str = ""
    at: float = 0.0


KINDS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        AnswerClarification,
        ClarificationAnswered,
        ClarificationRequested,
        EvidenceValidated,
        MetricsUpdated,
        PhaseChanged,
        PlanApproved,
        PlanProposed,
        QualityAssessed,
        ReferenceFollowed,
        ReferenceMissing,
        ReferenceSkipped,
        ReportReady,
        ReportToken,
        RetrievalDone,
        RewriteRequested,
        StatusChanged,
        TaskProgress,
        ToolUsed,
        Warned,
    )
}


def encode(event: Event) -> tuple[str, str] | None:
    """Name and JSON of an event people see; None for what only passes between steps."""
    name = type(event).__name__
    return (name, event.model_dump_json()) if name in KINDS else None


def decode(name: str, data: str) -> Event:
    return KINDS[name].model_validate_json(data)
