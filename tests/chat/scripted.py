"""A workflow of a few seconds that goes through every phase, for tests of the chat alone."""

from __future__ import annotations

import asyncio

from workflows import Context, Workflow, step
from workflows.events import Event
from workflows.handler import WorkflowHandler

from rabbithole.kb.errors import ModelError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Analysis, ClarifyingQuestion, Evidence, Quote, Round, Todo
from rabbithole.steps.report_models import Citation, MissingDocument, Quality, Report, TaskReport
from rabbithole.workflow.chat.runs.run_view import Ask
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    PhaseChanged,
    PlanApproved,
    PlanProposed,
    ReferenceFollowed,
    ReferenceMissing,
    ReferenceSkipped,
    ReportReady,
    ReportToken,
    ResearchRequest,
    RetrievalDone,
    TaskProgress,
)


class Approved(Event):
    todos: list[Todo]


class Scripted(Workflow):
    """Asks one question, proposes two tasks, follows three references, reports with one citation."""

    def __init__(self, kb: KnowledgeBase, evidence: dict[str, Evidence], pace: float = 0.05) -> None:
        super().__init__(timeout=None)
        self._kb = kb
        self._evidence = evidence
        self._pace = pace

    @step
    async def begin(self, ctx: Context, ev: ResearchRequest) -> ClarificationRequested:
        if "broken" in ev.query:
            raise ModelError("The model server at http://127.0.0.1:9 does not answer: start it and press Continue.")
        await ctx.store.set("query", ev.query)
        await ctx.store.set("run", ev.run_id)
        ctx.write_event_to_stream(PhaseChanged(phase="understand", detail="1"))
        found = self._kb.search(ev.query, top_k=3)
        questions = (ClarifyingQuestion(id="scope", text="Which part?", options=("Filters", "Air"), why="both occur"),)
        one = Round(
            index=0,
            queries=(ev.query, "broader"),
            chunks=tuple(hit.chunk.id for hit in found.hits),
            scores=tuple(hit.score for hit in found.hits),
            analysis=Analysis(coverage=0.4, gaps=("limits",)),
        )
        ctx.write_event_to_stream(RetrievalDone(round=one))
        return ClarificationRequested(id="q1", round=one, questions=list(questions))

    @step
    async def plan(self, ctx: Context, ev: ClarificationAnswered) -> PlanProposed:
        ctx.write_event_to_stream(PhaseChanged(phase="plan"))
        query = await ctx.store.get("query")
        todos = [Todo(id=0, text=query, origin="question"), Todo(id=1, text="Find the limits", context="asked for")]
        return PlanProposed(id="q2", todos=todos)

    @step
    async def dig(self, ctx: Context, ev: PlanApproved) -> Approved:
        ctx.write_event_to_stream(PhaseChanged(phase="dig"))
        hits = self._kb.search(await ctx.store.get("query"), top_k=3).hits
        for todo in ev.todos:
            ctx.write_event_to_stream(TaskProgress(task=todo.id, text=todo.text, status="running", queries=["one"]))
            for index, hit in enumerate(hits):
                await asyncio.sleep(self._pace)
                row = evidence_of(self._kb, hit.chunk.id, todo.id, index)
                self._evidence[row.key] = row
                place = {
                    "task": todo.id, "depth": index + 1, "kind": "legal_section", "source": row.title,
                    "source_document": row.document, "source_section": row.section,
                }  # fmt: skip
                ctx.write_event_to_stream(
                    TaskProgress(
                        task=todo.id, text=todo.text, status="running", evidence=[row.key], tokens=100, budget=5000
                    )
                )
                target = {
                    "target": f"{row.title}, {row.section_label}",
                    "target_document": row.document,
                    "page": row.page,
                }
                ctx.write_event_to_stream(
                    ReferenceFollowed(**place, **target, text=f"§ {index + 1}", decision="follow", reason="on topic")
                )
                ctx.write_event_to_stream(
                    ReferenceSkipped(
                        **place, text=f"§ {index + 40}", target="elsewhere", decision="skip", reason="off topic"
                    )
                )
                ctx.write_event_to_stream(
                    ReferenceMissing(
                        **place, text=f"ISO {index}", target=f"ISO {index}", decision="missing", reason="not here"
                    )
                )
            ctx.write_event_to_stream(TaskProgress(task=todo.id, text=todo.text, status="done"))
        return Approved(todos=ev.todos)

    @step
    async def write(self, ctx: Context, ev: Approved) -> ReportReady:
        ctx.write_event_to_stream(PhaseChanged(phase="write"))
        query, run = await ctx.store.get("query"), await ctx.store.get("run")
        hit = self._kb.search(query, top_k=1).hits[0]
        quote = " ".join(hit.chunk.text.split()[:14])
        for word in ("# Report\n\n", "It ", "says ", f"“{quote}” ", "[e1a2b3]."):
            ctx.write_event_to_stream(ReportToken(text=word))
            await asyncio.sleep(self._pace)
        document = self._kb.document(hit.chunk.document)
        citation = Citation(
            marker="[1]", key="e1a2b3", document=document.id, file=document.file, title=document.title,
            page=hit.chunk.page, page_label=hit.chunk.page_label, quote=quote, verified=True,
        )  # fmt: skip
        said = f"It says “{quote}” [[1]][s1].\n\n[s1]: <{document.file}#page=1>"
        report = Report(
            run_id=run, query=query, language="en", markdown=f"# Report\n\n{said}\n",
            citations=(citation,), todo=tuple(TaskReport(todo=todo) for todo in ev.todos),
            missing=(MissingDocument(name="ISO 1", kind="document_mention", cited_by=(document.title,), count=2),),
            quality=Quality(
                factual_accuracy=90, semantic_validity=80, structural_integrity=70, citation_correctness=100,
                query_relevance=60,
            ),
            warnings=("One warning",), reasoner="scripted",
        )  # fmt: skip
        return ReportReady(report=report)


def evidence_of(kb: KnowledgeBase, chunk_id: str, task: int, index: int) -> Evidence:
    chunk = kb.chunk(chunk_id)
    document = kb.document(chunk.document)
    words = " ".join(chunk.text.split()[:10])
    return Evidence(
        key=f"e{task}{index}", task=task, document=document.id, section=chunk.section, chunk=chunk_id,
        file=document.file, title=document.title, section_label=chunk.section_path[-1] if chunk.section_path else "",
        page=chunk.page, page_label=chunk.page_label, start=chunk.start, end=chunk.end, info=words,
        quotes=(Quote(text=words),), tier=("primary", "secondary", "tertiary")[index % 3], score=0.8,
    )  # fmt: skip


class ScriptedLaunch:
    """Launches ``Scripted``; a resumed run begins again, as its few seconds allow."""

    def __init__(self, kb: KnowledgeBase, pace: float = 0.05) -> None:
        self.evidence: dict[str, Evidence] = {}
        self.kb = kb
        self._pace = pace

    async def __call__(self, run_id: str, ask: Ask, *, resume: bool) -> WorkflowHandler:
        workflow = Scripted(self.kb, self.evidence, self._pace)
        return workflow.run(start_event=ResearchRequest(query=ask.query, run_id=run_id))

    def read(self, run_id: str, keys: list[str]) -> list[Evidence]:
        return [self.evidence[key] for key in keys if key in self.evidence]
