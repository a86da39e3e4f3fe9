"""The knowledge base's read-only tools as LlamaIndex function tools, for agents."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Annotated, Any

from llama_index.core.tools import FunctionTool
from pydantic import BaseModel, Field

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import RabbitholeError
from rabbithole.workflow.events import ReportReady, ResearchRequest
from rabbithole.workflow.integrations import tools
from rabbithole.workflow.research import ResearchWorkflow

DocumentId = Annotated[str, Field(description="id of the document, from a search hit")]


def rabbithole_tools(kb: KnowledgeBase, collection: str = "") -> list[FunctionTool]:
    """Tools for a LlamaIndex agent: search, outline, read_section, find_references, resolve_reference, research.

    Args:
        kb: an open knowledge base; it must stay open while the agent runs.
        collection: the collection the tools see; all when empty.

    Returns:
        Tools that return JSON; a mistake of the agent comes back as ``{"error": sentence}``. Raises ``UsageError``
        for an unknown collection.
    """
    kb.require([collection] if collection else [])

    def search(query: str, top_k: int = 5) -> str:
        """Find passages by keywords and meaning. Return the total and hits with doc_id, section, page and snippet."""
        return _json(lambda: tools.search(kb, "hybrid", collection, query, None, top_k, 600, None))

    def outline(doc_id: DocumentId) -> str:
        """Return a document's outline and opening words, to choose a section to read."""
        return _json(lambda: tools.inspect_document(kb, doc_id))

    def read_section(doc_id: DocumentId, section: str) -> str:
        """Return the text of one section, given its number ('§ 27', '4.2') or its id from the outline."""
        return _json(lambda: tools.read_section(kb, doc_id, section, 8_000))

    def find_references(doc_id: DocumentId, section: str) -> str:
        """List the references in a section, that is, the places it refers to."""
        return _json(lambda: tools.find_references(kb, "", doc_id, section))

    def resolve_reference(reference: str, doc_id: str = "") -> str:
        """Find where a reference in doc_id leads: document, section and page, or missing."""
        return _json(lambda: tools.resolve_reference(kb, reference, collection, doc_id or None))

    async def research(question: str) -> str:
        """Research a question, follow references, and return a report in Markdown with verified citations."""
        request = ResearchRequest(query=question, collections=[collection] if collection else [], auto_approve=True)
        workflow = ResearchWorkflow(kb)
        try:
            ready: ReportReady = await workflow.run(start_event=request)
            return ready.report.markdown
        except RabbitholeError as error:
            return json.dumps({"error": str(error)}, ensure_ascii=False)
        finally:
            await workflow.settled()

    reading = (search, outline, read_section, find_references, resolve_reference)
    return [
        *(FunctionTool.from_defaults(fn=each, async_fn=_beside(each)) for each in reading),
        FunctionTool.from_defaults(async_fn=research),
    ]


def _beside(call: Callable[..., str]) -> Callable[..., Any]:
    """Return the call wrapped to run in a thread, so that it does not block the agent's event loop."""

    async def run(**arguments: Any) -> str:
        return await asyncio.to_thread(call, **arguments)

    return run


def _json(call: Callable[[], BaseModel | tuple[BaseModel, ...]]) -> str:
    try:
        found = call()
    except RabbitholeError as error:
        return json.dumps({"error": str(error)}, ensure_ascii=False)
    if isinstance(found, BaseModel):
        return found.model_dump_json()
    return json.dumps([each.model_dump(mode="json") for each in found], ensure_ascii=False)
