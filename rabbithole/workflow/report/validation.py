"""Validates the evidence of a run before the report is written, and fills gaps from the web if that is configured."""

from __future__ import annotations

from rabbithole.kb.errors import RabbitholeError, without_paths
from rabbithole.steps import web
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.contradictions import contradictions
from rabbithole.steps.phases.validate import validate
from rabbithole.steps.phases.write import in_order
from rabbithole.steps.phrases import phrase
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.edit import StateEdit
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import ResearchState

from .findings import anchor_of, summary_of


async def validate_evidence(edit: StateEdit, settings: ResearchSettings, runs: RunStore) -> tuple[str, ...]:
    """Drop drifted evidence, find contradictions and search the web if configured; return the warnings."""
    state = edit.state
    anchor = anchor_of(state)
    by_task = {task: runs.evidence(state.run_id, state.evidence_keys(task)) for task in state.tasks}
    gone, share = validate(anchor, by_task, settings)
    kept = [item for items in by_task.values() for item in items if item.key not in set(gone)]
    notes = []
    if share > settings.drift_warning_share:
        notes.append(phrase(state.language, "report.warning.drift", share=round(100 * share)))
    external, web_notes = await _web(state, settings, runs)
    notes += web_notes
    edit.set(
        dropped=gone,
        contradictions=contradictions(in_order(kept), state.language),
        external=tuple(item.key for item in external),
    )
    edit.warn(*notes)
    return tuple(notes)


async def _web(
    state: ResearchState, settings: ResearchSettings, runs: RunStore
) -> tuple[tuple[Evidence, ...], list[str]]:
    """Return web results for the remaining gaps, and warnings; nothing unless WEB_SEARCH_URL is set."""
    url = settings.web_search_url
    if not url:
        return (), []
    gaps = [gap for task in sorted(state.tasks) for gap in summary_of(state, task).gaps]
    found: list[Evidence] = []
    try:
        for query in web.queries_for(gaps, state.understood):
            found += await web.search_web(url, query, settings.web_search_results, 0)
    except RabbitholeError as error:
        return tuple(found), [without_paths(str(error))]
    runs.put_evidence(state.run_id, found)
    return tuple(found), []
