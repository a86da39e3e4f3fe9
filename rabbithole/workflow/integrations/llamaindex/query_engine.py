"""A LlamaIndex query engine that answers with verified quotations."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import Response
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

from rabbithole.kb import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.events import ReportReady


class RabbitholeQueryEngine(BaseQueryEngine):
    """Answers one question as ``rabbithole ask`` does: search, read, follow references, quote, verify.

    The response's text is the answer in Markdown with its markers ("[1]"). ``source_nodes`` are the cited places in the
    order of the markers, each with document, section, page and whether the quotation was verified. ``metadata``
    contains ``status`` ("answered", "partly", or "none": only the closest places are quoted), the calibrated
    ``probability`` that the answer is right (None if no passage was chosen), the results of the checks, warnings, and
    the documents that are referred to but not in the collection.

    Args:
        kb: an open knowledge base; it must stay open while questions are asked.
        collections: names of the collections to ask; all when empty.
        filters: conditions on metadata fields, such as 'year>=2020', applied to every search.
        as_of: a date, such as '2020-01-31', to use only what was in force then; empty for the present.
        reasoner: the reasoner that selects and writes; None to choose it by the settings.
        callback_manager: LlamaIndex's own.

    Raises:
        UsageError: for an unknown collection or, when a question is asked, for an invalid filter or date.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        collections: Sequence[str] = (),
        *,
        filters: Sequence[str] = (),
        as_of: str = "",
        reasoner: Reasoner | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        super().__init__(callback_manager)
        self._kb = kb
        self._collections = kb.require(collections)
        self._filters = tuple(filters)
        self._as_of = as_of
        self._reasoner = reasoner

    def _query(self, query_bundle: QueryBundle) -> Response:
        # In its own thread, because the caller may already run an event loop, as notebooks do.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(self._aquery(query_bundle))).result()

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        workflow = AnswerWorkflow(self._kb, reasoner=self._reasoner)
        request = AnswerRequest(
            question=query_bundle.query_str,
            collections=list(self._collections),
            filters=list(self._filters),
            as_of=self._as_of,
        )
        try:
            ready: ReportReady = await workflow.run(start_event=request)
        finally:
            await workflow.settled()
        return await asyncio.to_thread(self._response, ready.report)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    def _response(self, report: Report) -> Response:
        answer = report.answer
        evidence = {one.key: one for tier in report.evidence.values() for one in tier}
        return Response(
            response=answer.text or report.body,
            source_nodes=[self._node(one, evidence.get(one.key)) for one in answer.citations],
            metadata={
                "status": answer.status,
                "probability": answer.probability,
                "run_id": report.run_id,
                "language": report.language,
                "checks": report.checks.model_dump(),
                "warnings": list(report.warnings),
                "missing": [one.model_dump(mode="json") for one in report.missing],
            },
        )

    def _node(self, cited: Citation, evidence: Evidence | None) -> NodeWithScore:
        """Return the cited place as a node; its text is the quotation or, without one, the passage."""
        passage = self._kb.text(evidence.document, evidence.start, evidence.end) if evidence is not None else ""
        node = TextNode(
            text=cited.quote or passage,
            metadata={
                "document": cited.document,
                "title": cited.title,
                "file": cited.file,
                "collection": self._kb.document(cited.document).collection,
                "section": cited.section,
                "section_path": cited.section_label,
                "page": cited.page,
                "page_label": cited.page_label,
                "last_page": cited.last_page,
                "last_page_label": cited.last_page_label,
                "marker": cited.marker,
                "verified": cited.verified,
                "tier": cited.tier,
            },
            relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=cited.document)},
        )
        return NodeWithScore(node=node, score=evidence.score if evidence is not None else None)
