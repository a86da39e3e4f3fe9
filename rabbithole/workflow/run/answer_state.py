"""The state of an answer: the research tree, the last list, the open question, and the event it goes on with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from workflows.events import Event

from rabbithole.kb.errors import UsageError
from rabbithole.steps.answering.selection import Listing
from rabbithole.steps.answering.tree import Tree
from rabbithole.steps.models import Anchor
from rabbithole.workflow.answer_events import (
    AnswerClarification,
    AnswerRequest,
    EvidenceSufficient,
    FactsStored,
    LeadTaken,
    ResultsListed,
    SearchWanted,
    SectionChosen,
    SourceInspected,
    SourceSelected,
)

from .state import Cost, Phase

EVENTS: Mapping[str, type[Event]] = {
    one.__name__: one
    for one in (
        AnswerRequest,
        SearchWanted,
        ResultsListed,
        SourceSelected,
        SourceInspected,
        SectionChosen,
        LeadTaken,
        FactsStored,
        EvidenceSufficient,
        AnswerClarification,
    )
}

Part = TypeVar("Part")


class AnswerState(BaseModel):
    """Replaced as a whole by each step, never changed in place."""

    model_config = ConfigDict(extra="forbid")

    run_id: str = ""
    query: str = ""
    mode: Literal["answer"] = "answer"
    interactive: bool = False
    tree: Tree | None = None
    anchor: Anchor | None = None
    listing: Listing | None = None
    question: str = Field(default="", description="id of the open question to the person")
    asked: int = 0
    unanswered: Literal["", "no_results", "overload"] = ""
    note: str = Field(default="", description="what is missing, when the answer has to say so")
    total: int = 0
    cost: Cost = Cost()
    pending: str = Field(default="", description="name of the event the run goes on with; empty when it is done")
    payload: Mapping[str, Any] = Field(default_factory=dict, description="that event's fields")

    @property
    def status(self) -> Literal["waiting", "done", "running"]:
        """For the list of runs."""
        if self.pending == AnswerClarification.__name__:
            return "waiting"
        return "running" if self.pending else "done"

    @property
    def phase(self) -> Phase:
        """For the list of runs."""
        if not self.pending:
            return "done"
        if self.tree is None:
            return "understand"
        return "write" if self.pending == EvidenceSufficient.__name__ else "dig"

    def going_on_with(self, event: Event | None) -> AnswerState:
        """The state with the event that comes next, None when nothing does."""
        payload = event.model_dump(mode="json") if event is not None else {}
        return self.model_copy(update={"pending": type(event).__name__ if event else "", "payload": payload})

    def next_event(self) -> Event | None:
        return EVENTS[self.pending].model_validate(self.payload) if self.pending else None


def held(value: Part | None) -> Part:
    """A part of the state that the order of the steps guarantees."""
    if value is None:
        raise UsageError("The answer was resumed in the middle; start it again.")
    return value
