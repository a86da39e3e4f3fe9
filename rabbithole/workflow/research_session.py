"""The session of research: also its prefetched work, its report and the references being opened."""

from __future__ import annotations

from workflows import Context

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings

from .events import PlaceOpened, RefsOpened
from .report.assemble import Reporting
from .run.prefetch import Background, Prefetch
from .run.run_store import RunStore
from .run.session import Session
from .run.state import ResearchState

ResearchContext = Context[ResearchState]
"""The context of a research workflow, with its state."""


class ResearchSession(Session):
    """A session of research, with its prefetched work and the phases after digging."""

    def __init__(
        self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore, state: ResearchState
    ) -> None:
        super().__init__(kb, reasoner, state.cost, runs)
        self.background = Background()
        self.prefetch = Prefetch(kb, self.reasoner, settings, runs, self.background)
        self.reporting = Reporting(kb, self.reasoner, settings, runs)
        self.opening: set[str] = set()
        self._opened: list[PlaceOpened] = []

    def gathered(self, opened: PlaceOpened) -> RefsOpened | None:
        """Add an opened place; once no more are being opened, return all of them in canonical order."""
        self.opening.discard(opened.key)
        self._opened.append(opened)
        if self.opening:
            return None
        gathered, self._opened = sorted(self._opened, key=lambda one: one.key), []
        return RefsOpened(opened=gathered)

    def close(self) -> None:
        self.background.close()
