"""The workflows of research (``research``, ``digging``) and of an answer (``answer``), with their events.

``run`` keeps their state and resumes them, ``report`` makes what they return. Everything a person or a program uses
stands on them: ``cli``, ``chat``, ``integrations``, ``draft_check``, ``evaluation`` and ``observability``. What a
phase does is in ``steps``. Each name is imported on first use, so importing one part stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .events import (
        ClarificationAnswered,
        ClarificationRequested,
        PlanApproved,
        PlanProposed,
        ReportReady,
        ResearchRequest,
    )
    from .research import ResearchWorkflow
    from .run.run_store import RunStore
    from .run.stores.sqlite import SqliteRunStore
    from .settings import Settings

_WHERE = {
    "ClarificationAnswered": ".events",
    "ClarificationRequested": ".events",
    "PlanApproved": ".events",
    "PlanProposed": ".events",
    "ReportReady": ".events",
    "ResearchRequest": ".events",
    "ResearchWorkflow": ".research",
    "RunStore": ".run.run_store",
    "Settings": ".settings",
    "SqliteRunStore": ".run.stores.sqlite",
}

__all__ = [
    "ClarificationAnswered",
    "ClarificationRequested",
    "PlanApproved",
    "PlanProposed",
    "ReportReady",
    "ResearchRequest",
    "ResearchWorkflow",
    "RunStore",
    "Settings",
    "SqliteRunStore",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name], __name__), name)
