"""The search of the mode 'plain': one search and one extraction, to compare research with."""

from __future__ import annotations

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phases import dig
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.edit import StateEdit
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import TaskState

PLAIN_CHUNKS = 8
"""Chunks found by each query."""


async def search_plainly(
    edit: StateEdit, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore
) -> None:
    """Search and extract once, store the evidence and set it in the state as that of one finished task."""
    state = edit.state
    anchor = Anchor(query=state.understood, language=state.language)
    todo = Todo(id=0, text=state.understood, origin="question", status="done")
    wider = settings.model_copy(update={"m_chunks_per_query": PLAIN_CHUNKS})
    found = await dig.search_once(kb, reasoner, wider, anchor, todo, state.collections, state.documents)
    runs.put_evidence(state.run_id, found.evidence)
    keys = tuple(item.key for item in found.evidence)
    task = TaskState(id=0, stage="done", queries=found.queries, evidence=keys)
    edit.set(anchor=anchor, todos=(todo,))
    edit.tasks[0] = task
