"""The services a workflow works with, as resources that are injected into its steps.

A step names what it needs in its signature (``runs: Runs``), and the library hands it in. What the caller gave to the
workflow takes the place of what the factory would make.
"""

from __future__ import annotations

from typing import Annotated

from workflows.resource import Resource, ResourceManager

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings

from .store import RunStore


class ReasonerChoice:
    """The reasoner of all runs; chosen when the first run begins, because that may ask a server.

    The factory of a resource must not wait: the library takes two steps that wait for one for a circle.
    """

    def __init__(self, kb: KnowledgeBase, given: Reasoner | None = None) -> None:
        self._kb = kb
        self.chosen = given

    async def get(self) -> Reasoner:
        """The reasoner. Raises ``ModelError`` when the one that is configured cannot be had."""
        self.chosen = self.chosen or await amake_reasoner(ReasonerSettings(), self._kb)
        return self.chosen


def knowledge_base() -> KnowledgeBase:
    """The knowledge base in the data folder."""
    return KnowledgeBase.open()


KNOWLEDGE_BASE, SETTINGS = Resource(knowledge_base), Resource(ResearchSettings)
# All of it: a step of a run takes ``session.kb``, the knowledge base as it was on the day the run asks about.
Kb = Annotated[KnowledgeBase, KNOWLEDGE_BASE]
Settings = Annotated[ResearchSettings, SETTINGS]


def run_store(kb: Kb, settings: Settings) -> RunStore:
    """RUNS_PATH, else ``runs.sqlite`` beside the knowledge base."""
    return RunStore(settings.runs_path or kb.folder.parent / "runs.sqlite")


def reasoner_choice(kb: Kb) -> ReasonerChoice:
    return ReasonerChoice(kb)


RUN_STORE, REASONERS = Resource(run_store), Resource(reasoner_choice)
Runs = Annotated[RunStore, RUN_STORE]
Reasoners = Annotated[ReasonerChoice, REASONERS]


def provided(
    kb: KnowledgeBase, settings: ResearchSettings, runs: RunStore, reasoners: ReasonerChoice
) -> ResourceManager:
    """A resource manager that hands out these services."""
    manager = ResourceManager()
    given = ((KNOWLEDGE_BASE, kb), (SETTINGS, settings), (RUN_STORE, runs), (REASONERS, reasoners))
    manager.resources.update({resource.name: service for resource, service in given})
    return manager
