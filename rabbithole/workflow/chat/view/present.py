"""The parts of a run's view as JSON for the browser: ids become readable names, pages and texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pydantic_core import to_json

from rabbithole.kb.errors import without_paths
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk
from rabbithole.steps.distinct_names import name_in, names_in
from rabbithole.steps.follow_up import suggestions
from rabbithole.steps.follow_up.context import evidence_of
from rabbithole.steps.follow_up.reply import LONGEST_PASSAGE
from rabbithole.steps.models import TIER_WEIGHTS, Evidence, Round
from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.chat.runs.failures import FAILURES
from rabbithole.workflow.chat.runs.history import KeptReply
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.run_view import ReferenceView, RunView, TaskView

from .graph_layout import MapNode, places_read
from .markup import draft_html, report_html
from .report_json import SNIPPET, Json, cited, cited_by_number, evidence, report, summary
from .run_map import cited_places, map_of
from .short_labels import place, place_label


class EvidenceReader(Protocol):
    """Reads the evidence of a run by key; unknown keys are left out."""

    def __call__(self, run_id: str, keys: Sequence[str]) -> Sequence[Evidence]: ...


class Presenter:
    """Reads the knowledge base and the run store; safe to call from a worker thread."""

    def __init__(self, kb: KnowledgeBase, evidence: EvidenceReader, *, local: bool = True) -> None:
        self._kb = kb
        self._evidence = evidence
        self._local = local

    def part(self, view: RunView, name: str) -> object:
        """Return one part by its name; see ``live.PARTS``."""
        if name.startswith("task."):
            return self._task(view, view.tasks[int(name.removeprefix("task."))])
        parts: dict[str, Callable[[RunView], object]] = {
            "head": lambda seen: {**head(seen), "local": self._local},
            "rounds": lambda seen: [self._round(one) for one in seen.rounds],
            "question": question,
            "plan": plan,
            "map": self._map,
            "draft": lambda seen: {"html": draft_html(seen.draft.text), "attempt": seen.draft.attempt},
            "report": self._report,
            "trace": lambda seen: [step.model_dump() for step in seen.trace],
            "warnings": lambda seen: [warning.model_dump() for warning in seen.warnings],
        }
        return parts[name](view)

    def _round(self, one: Round) -> Json:
        return {
            "index": one.index,
            "queries": one.queries,
            "gaps": one.analysis.gaps,
            "questions": [{"id": item.id, "text": item.text} for item in one.questions],
            "answers": [item.model_dump() for item in one.answers],
            "chunks": [shown for chunk in one.chunks if (shown := self._chunk(chunk))],
        }

    def _chunk(self, chunk_id: str) -> Json | None:
        try:
            chunk: Chunk = self._kb.chunk(chunk_id)
            document = self._kb.document(chunk.document)
        except FAILURES:  # the document was removed meanwhile; show the rest
            return None
        return {
            "document": chunk.document,
            "title": document.title,
            "where": place(
                document.title, chunk.section_path[-1] if chunk.section_path else "", name_in(self._kb, document)
            ),
            "page": chunk.page,
            "label": chunk.page_label or str(chunk.page + 1),
            "text": chunk.text[:SNIPPET],
        }

    def _task(self, view: RunView, task: TaskView) -> Json:
        rows = self._evidence(view.run, task.evidence)
        done = next((one for one in view.report.todo if one.todo.id == task.id), None) if view.report else None
        return {
            **task.model_dump(exclude={"evidence", "references"}),
            "evidence": {tier: [evidence(row) for row in rows if row.tier == tier] for tier in TIER_WEIGHTS},
            "references": [self._reference(one) for one in task.references],
            "summary": summary(done) if done else None,
        }

    def _reference(self, one: ReferenceView) -> Json:
        shown = one.model_dump(exclude={"task", "source_section", "target_section"})
        source = self._label(one.source_document, one.source_section) or one.source
        target = self._label(one.target_document, one.target_section) or one.target
        return {**shown, "source": source, "target": target}

    def _label(self, document: str | None, section: str | None) -> str:
        """Return the short name of a place, or '' if the knowledge base does not have it."""
        node = MapNode(document=document or None, section=section, label="", status="known", depth=0)
        return self.named(node).label

    def _report(self, view: RunView) -> Json | None:
        if view.report is None:
            return None
        seen = [one for task in view.tasks.values() for one in task.references]
        short = {one.source: self._label(one.source_document, one.source_section) for one in seen}
        missing = [
            {**one.model_dump(), "cited_by": [short.get(label) or label for label in one.cited_by]}
            for one in view.report.missing
        ]
        shown = report(view.report)
        named = {marker: self._cited(one) for marker, one in cited_by_number(view.report).items()}
        names = self._names()
        return {
            **shown,
            "citations": named,
            "missing": missing,
            "within": [names[one] for one in view.documents if one in names],
            "next": suggestions(view.report, names),
            "understood": view.report.query if view.report.query != " ".join(view.query.split()) else "",
        }

    def passage_of(self, finished: Report) -> Callable[[Citation], str]:
        """Return a function that reads the passage around a citation: its section, if that is not too long."""

        def read(citation: Citation) -> str:
            row = evidence_of(finished, citation)
            try:
                whole = self._kb.section_text(citation.section, own=True) if citation.section else ""
                if whole and len(whole) <= LONGEST_PASSAGE:
                    return whole
                return self._kb.text(row.document, row.start, row.end) if row and row.end > row.start else whole
            except FAILURES:  # removed meanwhile; only the quotation is left
                return ""

        return read

    def reply(self, kept: KeptReply, finished: Report | None) -> Json:
        """Return a reply for the browser."""
        by_marker = {citation.marker: citation for citation in finished.citations} if finished else {}
        named = {number: self._cited(one) for number, one in cited_by_number(finished).items()} if finished else {}
        proposed = suggestions(finished, self._names()) if finished and kept.asks else ()
        html = report_html(kept.markdown, by_marker)
        return {"html": html, "language": kept.language, "citations": named, "next": proposed}

    def _cited(self, citation: Citation) -> Json:
        """Return a citation with the display name of its document."""
        name = self._name(citation.document)
        return cited(citation, name)

    def _names(self) -> dict[str, str]:
        """Return the names of all documents by id; empty while the knowledge base cannot be read."""
        try:
            return dict(names_in(self._kb))
        except FAILURES:
            return {}

    def _name(self, document: str) -> str:
        """Return the document's name, or '' if it no longer exists."""
        try:
            return name_in(self._kb, self._kb.document(document))
        except FAILURES:
            return ""

    def _map(self, view: RunView) -> Json:
        drawn = map_of(view)
        return drawn.model_copy(update={"nodes": tuple(map(self.named, drawn.nodes))}).model_dump()

    def named(self, node: MapNode) -> MapNode:
        """Return the node with its page and a short label."""
        if node.document is None:
            return node
        try:
            document = self._kb.document(node.document)
            section = self._kb.section_by_id(node.section) if node.section else None
        except FAILURES:  # removed meanwhile; keep the label it had
            return node
        page = node.page if node.page is not None else section.page if section else 0
        return node.model_copy(
            update={"page": page, "label": place_label(document.title, section, name_in(self._kb, document))}
        )


def head(view: RunView) -> Json:
    return {
        "run": view.run,
        "query": view.query,
        "mode": view.mode,
        "language": view.language,
        "status": view.status,
        "waiting": view.waiting,
        "phase": view.phase,
        "detail": view.detail,
        "error": without_paths(view.error),
        "failure": view.failure,
        "tasks": sorted(view.tasks),
        "tokens": sum(task.tokens for task in view.tasks.values()),
        "budget": max((task.budget for task in view.tasks.values()), default=0),
        **view.counters.model_dump(),
        # The documents of the report. Until it is there only references are known, which may be names of one document.
        "missing": len(view.report.missing) if view.report else 0,
        "read": places_read((one for task in view.tasks.values() for one in task.references), cited_places(view)),
    }


def question(view: RunView) -> Json | None:
    if view.question is None:
        return None
    return {
        "id": view.question.id,
        "round": view.question.round.index,
        "questions": [item.model_dump() for item in view.question.questions],
        "answers": [item.model_dump() for item in view.question.round.answers],
    }


def plan(view: RunView) -> Json | None:
    return view.plan.model_dump() if view.plan else None


def snapshot(presenter: Presenter, run: LiveRun, after: int = 0) -> bytes:
    """Return what changed after version ``after`` as JSON: ``{"version", "parts": {name: value}}``; 0: everything."""
    version, view = run.version, run.view
    names = [name for name, changed in run.versions.items() if changed > after]
    return to_json({"version": version, "parts": {name: presenter.part(view, name) for name in names}})
