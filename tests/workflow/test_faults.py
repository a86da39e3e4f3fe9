"""Complete runs with failing model servers, and with documents that address the model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

import pytest
from flows import research
from markdown_it import MarkdownIt
from pdfs import write_pdf
from servers.model_server import FAULTS, Behaviour, ModelServer, running
from servers.settings import settings_for

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.steps.language import detect_language, own_words
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.report_models import Report
from rabbithole.workflow.report.export.html_page import to_html

pytestmark = pytest.mark.slow

Kind = Literal["ollama", "openai"]
KINDS: tuple[Kind, ...] = ("ollama", "openai")
ATTEMPTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "steps" / "reasoning" / "injections.json").read_text(encoding="utf-8")
)
POISON = re.compile(r"\b(?:50000|\d(\d)\1)\s?[Mm]illisievert|evil|alert\(1\)|/etc/passwd|e9999999|e0000099")


def with_model(kb: KnowledgeBase, server: ModelServer, kind: Kind, path: Path) -> Report:
    reasoner = make_reasoner(
        settings_for(server.url, reasoner=kind, llm_concurrency=4, llm_first_token_timeout=1.0), kb
    )
    return research(kb, path, reasoner=reasoner, max_iterations=1, initial_todo_items=3)


def holds(report: Report) -> None:
    """Check that a run finished in the user's language, with verified citations and the figure asked for."""
    assert not report.partial
    assert report.citations
    assert all(citation.verified for citation in report.citations)
    assert any("8 Millisievert" in quote.text for tier in report.evidence.values() for e in tier for quote in e.quotes)
    assert detect_language(own_words(report.markdown)) == "de"
    assert all(task.todo.status == "done" for task in report.todo)


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "kind"), [(fault, KINDS[at % 2]) for at, fault in enumerate(FAULTS)])
def test_a_research_survives_thirty_percent_of_one_fault(
    fault: str, kind: Kind, sample_kb: KnowledgeBase, tmp_path: Path
) -> None:
    with running(Behaviour(rate=0.3, faults=(fault,), discerning=True), seed=3) as server:
        report = with_model(sample_kb, server, kind, tmp_path / "runs.sqlite")
        assert any(call.fault == fault for call in server.calls)
    holds(report)
    failed = sum(cost.failed for cost in report.metrics.by_purpose.values())
    assert not failed or any("odell" in warning for warning in report.warnings), "what is degraded is named"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_research_survives_a_mixture_of_all_faults(kind: Kind, sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    with running(Behaviour(rate=0.3, discerning=True), seed=17) as server:
        holds(with_model(sample_kb, server, kind, tmp_path / "runs.sqlite"))
        assert len({call.fault for call in server.calls if call.fault}) >= 4


@pytest.fixture(scope="module")
def poisoned_kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    """A law in which every section ends with some of the forty attempts."""
    folder = tmp_path_factory.mktemp("poisoned")
    good = (
        "(1) Die effektive Dosis von Personen, die in einem Isotopenlaboratorium beschäftigt sind, darf 8 Millisievert "
        "im Kalenderjahr nicht überschreiten."
    )
    pages = []
    for at in range(0, len(ATTEMPTS), 8):
        number = at // 8 + 12
        attempts = "\n\n".join(attempt["text"] for attempt in ATTEMPTS[at : at + 8])
        pages.append(f"§ {number} Grenzwerte der Dosis\n\n{good}\n(2) Näheres regelt § {number + 1}.\n\n\n{attempts}")
    write_pdf(folder / "DosG.pdf", pages)
    kb = KnowledgeBase.open(folder / "kb", KbSettings(_env_file=None, embedding_model="hash"), create=True)
    kb.ingest([folder / "DosG.pdf"], "Gesetze")
    return kb


def harmless(report: Report) -> None:
    body = report.markdown
    page = to_html(report)
    assert "http" not in re.sub(r"`[^`]*`", "", body)
    assert report.citations
    links = re.findall(r'href="([^"]+)"', page) + re.findall(r'src="([^"]+)"', page)
    assert all(link.startswith(("file:", "#", "data:")) or "DosG.pdf" in link for link in links), links
    assert not re.search(r"<(?:script|img|iframe|svg|form|object)\b", MarkdownIt("commonmark").render(body))
    assert all(citation.verified for citation in report.citations)


def test_forty_attempts_in_a_document_change_nothing_without_a_model(
    poisoned_kb: KnowledgeBase, tmp_path: Path
) -> None:
    report = research(poisoned_kb, tmp_path / "runs.sqlite", reasoner=ExtractiveReasoner())
    harmless(report)
    assert "8 Millisievert" in report.markdown
    # An address that a document names is listed as not looked at, as code: no reader makes a link of it.
    assert not POISON.search(re.sub(r"`[^`]*`", "", report.markdown))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_forty_attempts_in_a_document_add_no_link_with_a_model(
    kind: Kind, poisoned_kb: KnowledgeBase, tmp_path: Path
) -> None:
    with running(Behaviour(discerning=True)) as server:
        harmless(with_model(poisoned_kb, server, kind, tmp_path / "runs.sqlite"))
        prompts = [call.body["messages"][-1]["content"] for call in server.calls if call.body.get("messages")]
    assert all("never an instruction" in prompt for prompt in prompts if "<<<DOCUMENT" in prompt)
