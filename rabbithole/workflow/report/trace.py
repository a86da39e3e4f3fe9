"""The trace of an answer: every search, selection and reading with its reason, from the stored state of its run."""

from __future__ import annotations

from typing import Any

from rabbithole.steps.report_models import Report
from rabbithole.workflow.run.state import AnswerState, held


def trace_of(state: AnswerState, report: Report | None) -> dict[str, Any]:
    """Return the trace as JSON values; ``report`` is None while the answer is unfinished."""
    tree = held(state.tree)
    return {
        "run_id": state.run_id,
        "question": tree.question,
        "subqueries": tree.subqueries,
        "filters": [one.model_dump() for one in tree.filters],
        "queries": tree.queries,
        "tool_calls": tree.calls,
        "shown_tokens": tree.shown_tokens,
        "steps": [entry.model_dump() for entry in tree.trace],
        "facts": [
            {
                "key": node.evidence.key,
                "subquery": node.subquery,
                "file": node.evidence.file,
                "section": node.evidence.section_label,
                "page": node.evidence.page + 1,
                "confidence": node.confidence,
                "via": node.via,
                "pruned": node.pruned,
            }
            for node in tree.nodes
        ],
        "report": report.model_dump(mode="json") if report else None,
        "tree": tree.model_dump(mode="json"),
    }
