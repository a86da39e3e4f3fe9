"""A whole research on the sample collection with a real model, small enough for one slow core."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from servers.local_model import settings

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, SqliteRunStore

pytestmark = [pytest.mark.real_model, pytest.mark.timeout(7200)]
QUESTION = (
    "Wie hoch darf die effektive Dosis von Personen sein, die in einem Isotopenlaboratorium beschäftigt sind, und wann "
    "ist mehr erlaubt?"
)
SMALL = ResearchSettings(
    _env_file=None,
    initial_todo_items=1,
    todo_max_items=2,
    max_iterations=1,
    k_results=1,
    m_chunks_per_query=1,
    reference_follow_depth=1,
    reference_token_budget=1_200,
    section_read_tokens=300,
    max_rewrites=0,
)


def test_a_research_ends_with_verified_citations_and_says_what_the_model_could_not(
    address: str, sample_pdfs: Path, tmp_path: Path
) -> None:
    async def work() -> ReportReady:
        with KnowledgeBase.open(tmp_path / "kb", KbSettings(_env_file=None), create=True) as kb:
            kb.ingest([sample_pdfs / name for name in ("IsoLG.pdf", "IsoLV.pdf", "ILA TR-12.pdf")], "sample")
            reasoner = await amake_reasoner(settings(address), kb)
            workflow = ResearchWorkflow(kb, SMALL, reasoner, SqliteRunStore(tmp_path / "runs.sqlite"))
            ready: ReportReady = await workflow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True))
            await reasoner.close()
            return ready

    report = asyncio.run(work()).report
    if folder := os.environ.get("RABBITHOLE_REAL_MODEL_REPORTS"):
        (Path(folder) / "report.md").write_text(report.markdown, encoding="utf-8")
        (Path(folder) / "report.json").write_text(report.model_dump_json(indent=1), encoding="utf-8")
    assert report.language == "de"
    assert report.citations
    assert all(citation.verified for citation in report.citations)
    assert "Millisievert" in report.markdown
    assert report.metrics.by_purpose["write"].calls >= 1
    assert report.metrics.model_seconds > 0
