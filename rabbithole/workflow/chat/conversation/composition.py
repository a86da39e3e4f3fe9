"""Assemble the chat's services: knowledge base, run store, reasoners, workflows."""

from __future__ import annotations

import asyncio
import functools
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from workflows.handler import WorkflowHandler

from rabbithole.kb.data_folder import DATABASE
from rabbithole.kb.errors import ModelError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.sample.build import build, built
from rabbithole.steps.reasoning.client.availability import ModelMissing, ServerUnavailable, ollama_facts, openai_facts
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.protocol import Availability, Reasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.report_models import Report
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.chat.runs.history import History
from rabbithole.workflow.chat.runs.loop_thread import LoopThread
from rabbithole.workflow.chat.runs.run_view import Ask
from rabbithole.workflow.chat.runs.servers import Servers
from rabbithole.workflow.chat.runs.stored import StoredRuns
from rabbithole.workflow.chat.settings import ChatSettings
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.report.partial import partial_report
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.stores.run_store_choice import open_run_store
from rabbithole.workflow.settings import Settings, load_settings

from .services import Services

ASK_AGAIN_SECONDS = 10.0
MakeReasoner = Callable[[ReasonerSettings, KnowledgeBase], Awaitable[Reasoner]]


class Reasoners:
    """One reasoner per model for the whole process, so that the limit on concurrent calls covers all runs.

    Use it only in the loop thread, because model clients belong to its event loop.
    """

    def __init__(self, settings: ReasonerSettings, kb: KnowledgeBase, make: MakeReasoner = amake_reasoner) -> None:
        self._settings = settings
        self._kb = kb
        self._make = make
        self._made: dict[str, tuple[Reasoner, float]] = {}
        self._lock = asyncio.Lock()

    async def get(self, model: str = "") -> Reasoner:
        """Return the reasoner of a model ('' is the configured one). Raises ``ModelError`` if it is unavailable."""
        async with self._lock:
            known = self._made.get(model)
            if known is not None and (known[0].availability.name != "extractive" or not self._stale(known[1])):
                return known[0]
            reasoner = await self._make(self._for(model), self._kb)
            if known is not None and reasoner.availability.name == "extractive":
                reasoner = known[0]  # there is still no model server
            self._made[model] = (reasoner, time.monotonic())
            return reasoner

    async def availability(self) -> Availability:
        try:
            return (await self.get()).availability
        except ModelError as error:
            return Availability(name="extractive", reason=str(error))

    async def models(self) -> Sequence[str]:
        """Return the models the server offers; none if the extractive reasoner is used."""
        available = await self.availability()
        if available.name == "extractive":
            return ()
        facts = ollama_facts if available.name == "ollama" else openai_facts
        try:
            return (await asyncio.to_thread(facts, self._settings)).models
        except (ServerUnavailable, ModelMissing):  # no longer available
            return ()

    async def close(self) -> None:
        for reasoner, _ in self._made.values():
            await reasoner.close()

    def _for(self, model: str) -> ReasonerSettings:
        update = {"ollama_model": model, "openai_model": model} if model else {}
        return self._settings.model_copy(update=update)

    def _stale(self, made: float) -> bool:
        return self._settings.reasoner == "auto" and time.monotonic() - made > ASK_AGAIN_SECONDS


class Launch:
    """Starts the workflow for a question."""

    def __init__(self, kb: KnowledgeBase, settings: Settings, runs: RunStore, reasoners: Reasoners) -> None:
        self._kb = kb
        self._settings = settings
        self._runs = runs
        self._reasoners = reasoners

    async def __call__(self, run_id: str, ask: Ask, *, resume: bool) -> WorkflowHandler:
        reasoner = await self._reasoners.get(ask.model)
        stored = {one.id for one in await asyncio.to_thread(self._runs.list)}
        resume = resume and run_id in stored
        parent = ask.parent_run if ask.parent_run in stored else ""
        if ask.mode == "answer":
            answer = AnswerWorkflow(self._kb, reasoner=reasoner, research=self._settings.research, runs=self._runs)
            return answer.run(
                start_event=AnswerRequest(
                    question=ask.query,
                    collections=list(ask.collections),
                    filters=[f"document in {','.join(ask.documents)}"] if ask.documents else [],
                    language=ask.language,
                    interactive=True,
                    run_id=run_id,
                    resume=resume,
                    parent_run=parent,
                )
            )
        research = ResearchWorkflow(self._kb, self._settings.research, reasoner, self._runs)
        return research.run(
            start_event=ResearchRequest(
                query=ask.query,
                collections=list(ask.collections),
                documents=list(ask.documents),
                mode=ask.mode,
                language=ask.language,
                depth=ask.depth,
                run_id=run_id,
                resume=resume,
                parent_run=parent,
            )
        )


def sample_pdfs(folder: Path) -> Path:
    """Return the folder of the sample's PDFs, building them in ``folder`` if necessary."""
    target = folder / "sample" / "pdf"
    return target if built(target) else build(target)[0].parent


def base_of(kb_folder: Path, beside: Path) -> str:
    """Return a knowledge base's name in the history: its relative path, so that both can be moved together."""
    return os.path.relpath(kb_folder.resolve(), beside.resolve())


def with_uploads(settings: ChatSettings, kb_folder: Path) -> ChatSettings:
    """Return the settings with an uploads folder beside the knowledge base, named after it unless it is the default."""
    if settings.upload_folder is not None:
        return settings
    name = "uploads" if kb_folder.name == DATABASE else f"{kb_folder.name}-uploads"
    return settings.model_copy(update={"upload_folder": kb_folder.with_name(name)})


async def open_services(kb_path: Path, make: MakeReasoner = amake_reasoner) -> Services:
    """Open everything a chat server needs; create the knowledge base if there is none. ``make`` makes reasoners."""
    settings = load_settings()
    kb = await asyncio.to_thread(KnowledgeBase.open, kb_path, settings.kb, create=True)
    path = settings.research.runs_path or kb.folder.parent / "runs.sqlite"
    runs = open_run_store(path, settings.kb.rabbithole_catalog)
    servers = Servers(path.with_name("chat.servers"))
    reasoners, loop_thread = Reasoners(settings.reasoner, kb, make), LoopThread()

    async def close() -> None:
        await loop_thread.run(reasoners.close)
        runs.close()

    async def partial(run_id: str) -> Report:
        return await loop_thread.run(lambda: partial_report(runs, kb, settings.research, run_id))

    return Services(
        kb=kb,
        settings=with_uploads(ChatSettings(), kb.folder),
        history=History(path.with_name("chat.sqlite"), base_of(kb.folder, path.parent), servers.own),
        evidence=runs.evidence,
        launch=Launch(kb, settings, runs, reasoners),
        availability=functools.partial(loop_thread.run, reasoners.availability),
        models=functools.partial(loop_thread.run, reasoners.models),
        partial=partial,
        stored=StoredRuns(runs),
        sample=functools.partial(sample_pdfs, kb_path.parent),
        close_others=close,
        loop_thread=loop_thread,
        servers=servers,
    )
