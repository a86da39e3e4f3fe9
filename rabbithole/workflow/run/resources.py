"""The services of a workflow, as resources injected into its steps.

A step declares what it needs in its signature (``runs: Runs``) and the library passes it in. A service that the caller
gave to the workflow replaces the one its factory would make.
"""

from __future__ import annotations

from typing import Annotated

from workflows.resource import Resource, ResourceManager

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings

from .run_store import RunStore
from .stores.run_store_choice import open_run_store


class ReasonerChoice:
    """The reasoner of all runs, chosen when the first run starts because choosing may query a model server.

    A resource factory must not await this: when two steps wait for the same resource, the library reports a cycle.
    """

    def __init__(self, kb: KnowledgeBase, given: Reasoner | None = None) -> None:
        self._kb = kb
        self.chosen = given

    async def get(self) -> Reasoner:
        """Return the reasoner. Raises ``ModelError`` when the configured one is unavailable."""
        self.chosen = self.chosen or await amake_reasoner(ReasonerSettings(), self._kb)
        return self.chosen


def knowledge_base() -> KnowledgeBase:
    """Open the knowledge base in the data folder."""
    return KnowledgeBase.open()


KNOWLEDGE_BASE, SETTINGS = Resource(knowledge_base), Resource(ResearchSettings)
# The whole knowledge base. Steps of a run use ``session.kb``, which is limited to the run's ``as_of`` day.
Kb = Annotated[KnowledgeBase, KNOWLEDGE_BASE]
Settings = Annotated[ResearchSettings, SETTINGS]


def run_store(kb: Kb, settings: Settings) -> RunStore:
    """Open the run store that RABBITHOLE_CATALOG or RUNS_PATH names, else ``runs.sqlite`` beside the knowledge base."""
    return open_run_store(settings.runs_path or kb.folder.parent / "runs.sqlite", KbSettings().rabbithole_catalog)


def reasoner_choice(kb: Kb) -> ReasonerChoice:
    return ReasonerChoice(kb)


RUN_STORE, REASONERS = Resource(run_store), Resource(reasoner_choice)
Runs = Annotated[RunStore, RUN_STORE]
Reasoners = Annotated[ReasonerChoice, REASONERS]


def provided(
    kb: KnowledgeBase, settings: ResearchSettings, runs: RunStore, reasoners: ReasonerChoice
) -> ResourceManager:
    """Return a resource manager that injects these services."""
    manager = ResourceManager()
    given = ((KNOWLEDGE_BASE, kb), (SETTINGS, settings), (RUN_STORE, runs), (REASONERS, reasoners))
    manager.resources.update({resource.name: service for resource, service in given})
    return manager
