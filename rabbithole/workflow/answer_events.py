"""The events of the answer workflow. Their types decide what may be read: see ``steps.answering.selection``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from workflows.events import Event, HumanResponseEvent, InputRequiredEvent, StartEvent

from rabbithole.kb.models import Filter
from rabbithole.steps.answering.selection import ChosenSection, Inspected, Listing, Picked
from rabbithole.steps.answering.tree import Lead


class AnswerRequest(StartEvent):
    """One question, possibly multi-hop. ``filters`` are conditions such as 'year>=2020' applied to every search."""

    question: str = ""
    collections: list[str] = Field(default_factory=list, description="empty: all")
    filters: list[str] = Field(default_factory=list)
    as_of: str = Field(default="", description="a day: only what was in force then. Empty: as it is now")
    language: Literal["de", "en", "auto"] = "auto"
    interactive: bool = Field(default=False, description="ask when nothing or too much is found; else say so")
    run_id: str = ""
    resume: bool = Field(default=False, description="go on with the stored run of that id")
    parent_run: str = Field(default="", description="a follow-up: what it refers to is in the report of this run")


class AnswerStarted(Event):
    """The request was checked and its run stored; next the question is decomposed."""

    language: Literal["de", "en", "auto"]
    collections: list[str]
    filters: list[Filter]


class SearchWanted(Event):
    query: str
    subquery: str


class ResultsListed(Event):
    listing: Listing
    subquery: str


class SourceSelected(Event):
    picked: Picked
    subquery: str


class SourceInspected(Event):
    inspected: Inspected
    subquery: str


class SectionChosen(Event):
    chosen: ChosenSection
    subquery: str


class LeadTaken(Event):
    lead: Lead


class FactsStored(Event):
    subquery: str
    evidence: list[str] = Field(default_factory=list, description="keys of the evidence stored")


class EvidenceSufficient(Event):
    reason: str = ""


class AnswerClarification(InputRequiredEvent):
    """Asks the user when a search found nothing or too much: what is missing and what would narrow it."""

    id: str
    type: Literal["no_results", "overload"]
    text: str
    total: int = 0
    narrow_by: list[str] = Field(default_factory=list, description="metadata fields that would narrow it")


class AnswerClarified(HumanResponseEvent):
    """The user's reply. Its text is added to the question; an empty one continues with what was found."""

    id: str
    text: str = ""


class ToolUsed(Event):
    """Streamed: one entry of the trace, as soon as it is made."""

    step: int
    action: str
    detail: str
    reason: str = ""
