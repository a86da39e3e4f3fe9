"""``rabbithole ask`` and ``rabbithole trace``: answer one question by selective reading, and show how."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
from workflows.errors import WorkflowCancelledByUser

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.report_models import Report
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerClarification, AnswerClarified, AnswerRequest, ToolUsed
from rabbithole.workflow.cli import questions
from rabbithole.workflow.cli.console import ERR, OUT, one_line, print_json
from rabbithole.workflow.cli.options import (
    DEFAULT_KB,
    AsOfOption,
    CollectionsOption,
    JsonOption,
    KbOption,
    LengthOption,
    NoInputOption,
    OutOption,
)
from rabbithole.workflow.cli.running import deliver, language_of, open_runs, stop
from rabbithole.workflow.events import ReportReady
from rabbithole.workflow.report.trace import trace_of
from rabbithole.workflow.run.run_store import new_run_id
from rabbithole.workflow.run.state import Language
from rabbithole.workflow.settings import Settings, load_settings

app = typer.Typer(add_completion=False)
tracing = typer.Typer(add_completion=False)


@app.command()
def ask(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question; '-' reads it from standard input.")
    ],
    collections: CollectionsOption = None,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", metavar="FILTER", help="Restrict every search, for example 'year>=2020'; may be repeated."
        ),
    ] = None,
    no_input: NoInputOption = False,
    out: OutOption = None,
    length: LengthOption = "normal",
    as_of: AsOfOption = "",
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Answer one question: search, select a result, read its section, follow its references, and verify."""
    text = typer.get_text_stream("stdin").read() if question == "-" else question
    if not text.strip():
        raise UsageError("The question is empty; ask something.")
    request = AnswerRequest(
        question=text,
        collections=collections or [],
        filters=filters or [],
        as_of=as_of,
        interactive=not no_input,
        run_id=new_run_id(),
    )
    deliver(answer(kb, request), out or [], kb, as_json=as_json, length=length)


def answer(kb: Path, request: AnswerRequest) -> Report:
    """Run a new or resumed request and return its report; progress and questions go to standard error."""
    settings = load_settings()
    with KnowledgeBase.open(kb, settings.kb) as base:
        return asyncio.run(_answer(base, settings, request, language_of(kb, request)))


async def _answer(base: KnowledgeBase, settings: Settings, request: AnswerRequest, language: Language) -> Report:
    reasoner = await amake_reasoner(settings.reasoner, base)
    available = reasoner.availability
    ERR.print(f"{available.name} {available.model}: {available.reason}", style="dim")
    workflow = AnswerWorkflow(base, reasoner=reasoner, research=settings.research)
    handler = workflow.run(start_event=request)
    try:
        async for event in handler.stream_events():
            if isinstance(event, ToolUsed):
                ERR.print(
                    one_line(f"{event.step:>3} {event.action:<9} {event.detail}  {event.reason}")[:160], style="dim"
                )
            elif isinstance(event, AnswerClarification) and handler.ctx is not None:
                ERR.print(one_line(event.text))
                if event.narrow_by:
                    ERR.print(f"Documents can be told apart by: {', '.join(event.narrow_by)}.", style="dim")
                reply = questions.ask("Add to the question (press Enter to go on)")
                handler.ctx.send_event(AnswerClarified(id=event.id, text="" if reply == questions.END else reply))
        ready: ReportReady = await handler
        return ready.report
    except (asyncio.CancelledError, KeyboardInterrupt, WorkflowCancelledByUser):
        await stop(handler)
        ERR.print(phrase(language, "cli.stopped", run=request.run_id))
        raise KeyboardInterrupt from None
    finally:
        if not handler.is_done():  # it waits for a reply that does not come
            await stop(handler)
        await workflow.settled()
        await reasoner.close()


@tracing.command()
def trace(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run of an answer.")],
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Show every search, selection and reading of an answer, with the reasons."""
    with open_runs(kb) as store:
        content = trace_of(store.load_answer(run), store.report(run))
    if as_json:
        print_json(content)
        return
    OUT.print(one_line(content["question"]), style="bold", markup=False)
    for step in content["steps"]:
        OUT.print(_line(step), markup=False)
    OUT.print(f"{content['tool_calls']} tool calls, about {content['shown_tokens']} tokens shown.", style="dim")


def _line(step: dict[str, Any]) -> str:
    reason = f"  ({one_line(step['reason'])})" if step["reason"] else ""
    return f"{step['step']:>3} {step['action']:<9} {one_line(step['detail'])}{reason}"
