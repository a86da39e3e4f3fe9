"""Run research in the terminal: show its events and ask its questions; Ctrl-C stops it and keeps what was found."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from workflows.errors import WorkflowCancelledByUser
from workflows.handler import WorkflowHandler

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.language import detect_language
from rabbithole.steps.phrases import counted, phrase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.report_models import Length, Report
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.events import ClarificationRequested, PlanProposed, ReportReady, ResearchRequest
from rabbithole.workflow.report.markdown import at_length, facts_said, for_terminal
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import Language
from rabbithole.workflow.run.stores.run_store_choice import open_run_store
from rabbithole.workflow.settings import Settings, load_settings

from .console import ERR, OUT, printable
from .followed_tree import reference_trees
from .progress_view import ProgressView
from .questions import approve_plan, clarify
from .saving import as_printed, save


def run(kb: Path, request: ResearchRequest) -> Report:
    """Run the request and return its report; progress and questions go to standard error."""
    settings = load_settings()
    with KnowledgeBase.open(kb, settings.kb) as base:
        return asyncio.run(_run(base, settings, request, language_of(kb, request)))


def language_of(kb: Path, request: ResearchRequest | AnswerRequest) -> Language:
    """Return the language of a run, which its report will have; of a run that goes on, the one it was begun in."""
    if request.language != "auto":
        return request.language
    answering = isinstance(request, AnswerRequest)
    if not request.resume:
        return detect_language(request.question if isinstance(request, AnswerRequest) else request.query)
    with open_runs(kb) as store:
        return store.load_answer(request.run_id).language if answering else store.load(request.run_id).language


async def _run(base: KnowledgeBase, settings: Settings, request: ResearchRequest, language: Language) -> Report:
    reasoner = await amake_reasoner(settings.reasoner, base)
    workflow = ResearchWorkflow(base, settings.research, reasoner)
    available = reasoner.availability
    view = ProgressView(f"{available.name} {available.model}".strip(), available.reason, language)
    handler = workflow.run(start_event=request)
    try:
        with view:
            async for event in handler.stream_events():
                view.take(event)
                if isinstance(event, ClarificationRequested | PlanProposed):
                    with view.paused():
                        answer = clarify(event) if isinstance(event, ClarificationRequested) else approve_plan(event)
                    if handler.ctx is not None:
                        handler.ctx.send_event(answer)
        ready: ReportReady = await handler
        await workflow.settled()
        return ready.report
    except (asyncio.CancelledError, KeyboardInterrupt, WorkflowCancelledByUser):
        await stop(handler)
        ERR.print(phrase(language, "cli.stopped", run=request.run_id))
        raise KeyboardInterrupt from None
    finally:
        await reasoner.close()


async def stop(handler: WorkflowHandler) -> None:
    """Cancel the run and wait up to five seconds for it to store its state and close the model's streams."""
    stopping: Callable[[], Awaitable[None]] = handler.cancel_run
    await stopping()
    await asyncio.wait([asyncio.ensure_future(_settled(handler))], timeout=5)


async def _settled(handler: WorkflowHandler) -> None:
    await asyncio.gather(handler, return_exceptions=True)


def deliver(report: Report, out: list[Path], kb: Path, *, as_json: bool, length: Length = "normal") -> None:
    """Write the report to the files in ``out`` or, if there are none, to standard output."""
    report = at_length(report, length)
    about_links = save(report, out, kb)
    if as_json:
        OUT.file.write(report.model_dump_json(indent=2) + "\n")
    elif not out:
        written = as_printed(report, kb).markdown
        markdown = for_terminal(written) if OUT.file.isatty() else written
        OUT.file.write(printable(markdown).rstrip() + "\n")
    ERR.print()
    for tree in reference_trees(report):
        ERR.print(tree)
    ERR.print(summary(report))
    for path in out:
        ERR.print(phrase(report.language, "cli.report", path=path))
    for key in about_links:
        ERR.print(phrase(report.language, key))


def summary(report: Report) -> str:
    language, metrics = report.language, report.metrics
    lacking = len(report.missing)
    facts = facts_said(report.checks, language)
    return phrase(
        language,
        "cli.summary",
        facts=facts[:1].upper() + facts[1:],
        followed=counted(language, "cli.followed", metrics.followed),
        missing=f", {counted(language, 'cli.lacking', lacking)}" if lacking else "",
        seconds=f"{metrics.wall_seconds:.1f}",
        run=report.run_id,
    )


def has_runs(kb: Path) -> bool:
    """Return whether there is a run store already; opening a file that is missing would create it."""
    settings = load_settings()
    return settings.kb.rabbithole_catalog is not None or _path(settings, kb).exists()


def _path(settings: Settings, kb: Path) -> Path:
    """Return RUNS_PATH if set, else ``runs.sqlite`` beside the knowledge base."""
    return settings.research.runs_path or kb.parent / "runs.sqlite"


@contextmanager
def open_runs(kb: Path) -> Iterator[RunStore]:
    """Open the run store that the settings name, and close it at the end."""
    settings = load_settings()
    store = open_run_store(_path(settings, kb), settings.kb.rabbithole_catalog)
    try:
        yield store
    finally:
        store.close()
