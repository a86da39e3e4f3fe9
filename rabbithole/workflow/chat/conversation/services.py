"""The services of the chat, assembled once per process."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.protocol import Availability
from rabbithole.steps.report_models import Report
from rabbithole.workflow.chat.documents.collection_lines import collection_lines
from rabbithole.workflow.chat.documents.examples import examples
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.documents.visits import Visits
from rabbithole.workflow.chat.last_known import LastKnown
from rabbithole.workflow.chat.locales import Language, language_of
from rabbithole.workflow.chat.runs.history import History, RunRow
from rabbithole.workflow.chat.runs.loop_thread import LoopThread
from rabbithole.workflow.chat.runs.manager import Launcher, RunManager
from rabbithole.workflow.chat.runs.run_view import Ask
from rabbithole.workflow.chat.runs.servers import Servers
from rabbithole.workflow.chat.runs.stored import StoredRuns
from rabbithole.workflow.chat.settings import ChatSettings
from rabbithole.workflow.chat.thread_pools import in_long, in_ui
from rabbithole.workflow.chat.users import LOCAL_USER as LOCAL_USER
from rabbithole.workflow.chat.view.present import EvidenceReader, Presenter

SAMPLE_COLLECTION = "Sample"
SHOWN_RUNS = 12


@dataclass
class Services:
    """The services of the chat.

    ``availability`` is called whenever the start screen is shown, because a model server may come and go.
    ``launch`` is called in the loop thread, everything else from the interface's event loop.
    ``sample`` returns the folder of the sample's PDFs, offered while the knowledge base is empty.
    ``servers`` are the live servers of this installation.
    ``start_key`` is the key required in the link that opens the chat, if any.
    """

    kb: KnowledgeBase
    settings: ChatSettings
    history: History
    evidence: EvidenceReader
    launch: Launcher
    availability: Callable[[], Awaitable[Availability]]
    models: Callable[[], Awaitable[Sequence[str]]]
    servers: Servers
    partial: Callable[[str], Awaitable[Report]] | None = None
    stored: StoredRuns | None = None
    sample: Callable[[], Path] | None = None
    close_others: Callable[[], Awaitable[None]] | None = None
    loop_thread: LoopThread = field(default_factory=LoopThread)
    start_key: str | None = None
    manager: RunManager = field(init=False)
    presenter: Presenter = field(init=False)
    documents: Documents = field(init=False)
    visits: Visits = field(init=False)
    _examples: dict[tuple[int, Language], list[str]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.manager = RunManager(self.history, self.launch, self.loop_thread, self.servers.is_other)
        self.presenter = Presenter(self.kb, self.evidence, local=not self.settings.login)
        self.documents = Documents(self.kb)
        self.visits = Visits(self.kb, self.history, self.stored.report if self.stored else lambda _: None)
        self.availability = LastKnown(self.availability).get
        self.models = LastKnown(self.models).get

    async def start_screen(self, user: str, tag: str) -> dict[str, Any]:
        """Return the content of the user's start screen."""
        language = language_of(tag)
        available = await self.availability()
        collections = await in_ui(collection_lines, self.kb)
        changes = await in_ui(self.visits.changes, user)
        return {
            "collections": collections,
            "reasoner": available.model_dump(),
            "examples": await in_ui(self._examples_for, language),
            "runs": await self.run_lines(user),
            "login": self.settings.login,
            "changes": changes.model_dump() if changes else None,
            "sample": self.sample is not None and not any(one["documents"] for one in collections),
        }

    def _examples_for(self, language: Language) -> list[str]:
        key = (self.kb.generation, language)
        if key not in self._examples:
            self._examples = {other: made for other, made in self._examples.items() if other[0] == key[0]}
            self._examples[key] = [one.question for one in examples(self.kb, language)]
        return self._examples[key]

    async def run_lines(self, user: str, search: str = "") -> list[dict[str, Any]]:
        """Return the user's latest runs and, without logins, those started elsewhere on this machine.

        ``search`` limits them to the user's own runs whose conversation contains all these words.
        """
        rows = await in_ui(lambda: self.history.runs(user, SHOWN_RUNS, search=search))
        own = [(row.pinned, row.updated, self._run_line(row)) for row in rows]
        alone = self.stored is None or self.settings.login or search.strip()
        others = [] if alone or self.stored is None else await in_ui(self._others, self.stored)
        lines = sorted([*own, *others], key=lambda one: (not one[0], -one[1]))
        return [line for _, _, line in lines[:SHOWN_RUNS]]

    def _others(self, stored: StoredRuns) -> list[tuple[bool, float, dict[str, Any]]]:
        found = stored.others(self.history.run_ids(), lambda one: self.kb.held(one) is not None, SHOWN_RUNS)
        line = {"thread": "", "follows": "", "collections": [], "pinned": False}
        return [
            (False, one.updated, {"id": one.id, "query": one.query, "status": status, **line}) for one, status in found
        ]

    async def adopt(self, run_id: str, user: str) -> str:
        """Adopt a run started elsewhere into a new conversation and return that, or '' if there is no such run."""
        if self.stored is None or self.settings.login or run_id in await in_ui(self.history.run_ids):
            return ""
        adopted = await in_ui(self.stored.adopt, run_id)
        if adopted is None:
            return ""
        thread = str(uuid.uuid4())
        self.manager.adopt(run_id, adopted, user=user, thread=thread)
        return thread

    async def forget(self, thread: str) -> None:
        """Delete a conversation with its runs, their evidence and reports."""
        for run_id in await self.manager.forget(thread):
            if self.stored is not None:
                await in_ui(self.stored.delete, run_id)

    def _run_line(self, row: RunRow) -> dict[str, Any]:
        status = row.status
        if status == "running" and not self.manager.is_running(row.id):
            status = "running" if self.manager.is_elsewhere(row.id) else "interrupted"
        elif status == "running" and self.manager.is_waiting(row.id):
            status = "waiting"
        return {
            "id": row.id,
            "thread": row.thread,
            "query": row.query,
            "follows": row.follows,
            "status": status,
            "collections": list(Ask.model_validate_json(row.request).collections),
            "pinned": row.pinned,
        }

    async def add_sample(self) -> bool:
        """Ingest the sample collection; return False if there is none or the knowledge base is not empty."""
        if self.sample is None or any(one.documents for one in await in_ui(self.kb.collections)):
            return False
        folder = await in_long(self.sample)
        await in_long(self.kb.ingest, [folder], SAMPLE_COLLECTION)
        return True

    async def close(self) -> None:
        await self.manager.stop_all()
        if self.close_others is not None:
            await self.close_others()
        await self.manager.close()
        self.documents.close()
        await in_ui(self.kb.close)
        self.servers.close()


class _Current:
    """Holds the services of this process for the application script that Chainlit loads."""

    services: Services | None = None


def provide(services: Services) -> None:
    _Current.services = services


def current() -> Services:
    if _Current.services is None:
        raise RuntimeError("The chat's services are not set up; start it with `rabbithole ui`.")
    return _Current.services
