"""Each parameter of a run has its documented effect and default."""

import asyncio
from collections import Counter

import pytest
from flows import QUESTION, answer_all, finish, research, settings, workflow
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.follow_limits import Totals
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.mentions import in_passage
from rabbithole.steps.phases.relevance import keep
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Extraction, FoundReference
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

pytestmark = pytest.mark.slow

DEFAULTS = {
    "reference_follow_depth": 2,
    "reference_relevance_threshold": 0.6,
    "reference_extraction_method": "hybrid",
    "reference_token_budget": 50_000,
    "convergence_same_doc_threshold": 3,
    "m_chunks_per_query": 4,
    "todo_max_items": 15,
    "initial_todo_items": 5,
    "hitl_max_iterations": 5,
    "k_results": 3,
    "quality_threshold": 375,
    "hitl_coverage_threshold": 0.8,
    "hitl_dedup_threshold": 0.7,
    "hitl_max_gaps": 2,
    "drift_warning_share": 0.3,
}
SMALL = {"initial_todo_items": 1, "max_iterations": 1}


@pytest.mark.parametrize(("name", "default"), DEFAULTS.items())
def test_default(name, default):
    assert getattr(settings(), name) == default


def edges(report, decision):
    return [edge for edge in report.references.edges if edge.decision == decision]


CHAIN = "How long may spare filter beds held in reserve remain fit for service?"


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_reference_follow_depth(sample_kb, tmp_path, depth):
    report = research(sample_kb, tmp_path / "runs.sqlite", query=CHAIN, reference_follow_depth=depth, **SMALL)
    assert max((edge.depth for edge in edges(report, "follow")), default=0) == depth
    assert depth == 2 or edges(report, "depth")


@pytest.mark.parametrize(("threshold", "kept"), [(0.0, 4), (0.6, 3), (0.9, 2)])
def test_reference_relevance_threshold(threshold, kept):
    scores = (0.95, 0.7, 0.6, 0.2)
    items = [Evidence(key=f"e{n}", task=0, document="d", info="", score=score) for n, score in enumerate(scores)]
    assert len(keep(items, threshold, 2)) == kept


@pytest.mark.parametrize(("minimum", "kept"), [(0, 0), (2, 2), (3, 3)])
def test_reference_min_results(minimum, kept):
    items = [Evidence(key=f"e{n}", task=0, document="d", info="", score=n / 10) for n in range(4)]
    assert len(keep(items, 0.9, minimum)) == kept


@pytest.mark.parametrize(
    ("method", "found"), [("regex", {"grammar"}), ("llm", {"llm"}), ("hybrid", {"grammar", "llm"})]
)
def test_reference_extraction_method(sample_kb, method, found):
    document = next(one for one in sample_kb.documents() if sample_kb.references(one.id))
    first = next(one for one in sample_kb.references(document.id) if one.method == "grammar")
    seen = first.model_copy(update={"start": first.start + 1, "method": "llm"})
    evidence = Evidence(
        key="e1", task=0, document=document.id, start=first.start, end=first.end, info="", found=(seen,)
    )
    assert {one.method for one in in_passage(sample_kb, evidence, method)} == found


class Naming:
    """Whether the reasoner is asked for references."""

    def __init__(self, reasoner):
        self.reasoner, self.asked = reasoner, set()

    def __getattr__(self, name):
        return getattr(self.reasoner, name)

    def for_run(self, recorder, cache=None):
        return self

    async def extract(self, anchor, todo, passages, *, references):
        self.asked.add(references)
        return tuple(
            Extraction(key=one.key, info=one.text[:80], relevance=0.9, references=(FoundReference(text="nie gesagt"),))
            for one in passages
        )


@pytest.mark.parametrize(("method", "asked"), [("regex", {False}), ("hybrid", {True}), ("llm", {True})])
def test_the_reasoner_is_asked_for_references_only_where_they_are_used(sample_kb, tmp_path, method, asked):
    runs = SqliteRunStore(tmp_path / "runs.sqlite")
    naming = Naming(ExtractiveReasoner())
    changes = {"reference_extraction_method": method, "reference_follow_depth": 0, **SMALL}
    flow = workflow(sample_kb, runs, reasoner=naming, **changes)
    report, _ = asyncio.run(finish(flow, ResearchRequest(query=QUESTION, auto_approve=True)))
    runs.close()
    assert naming.asked == asked
    assert not any(edge.text == "nie gesagt" for edge in report.references.edges)


@pytest.mark.parametrize("budget", [0, 10])
def test_reference_token_budget(sample_kb, tmp_path, budget):
    report = research(sample_kb, tmp_path / "runs.sqlite", reference_token_budget=budget, **SMALL)
    followed = Counter(edge.task for edge in edges(report, "follow"))
    assert edges(report, "budget")
    assert max(followed.values(), default=0) == (1 if budget else 0)


@pytest.mark.parametrize("threshold", [1, 3])
def test_convergence_same_doc_threshold(threshold):
    chosen = settings(convergence_same_doc_threshold=threshold)
    totals = Totals(seen=frozenset({"s"}), stale=threshold - 1, tokens=0)
    assert totals.stop(chosen) is None
    assert totals.count(("s",), 0).stop(chosen) == "converged"


def test_m_chunks_per_query(sample_kb, tmp_path):
    def found(chunks):
        changes = {"m_chunks_per_query": chunks, "reference_follow_depth": 0, "reference_relevance_threshold": 0.0}
        report = research(sample_kb, tmp_path / f"{chunks}.sqlite", drift_threshold=0.0, **changes, **SMALL)
        quoted = {one.key for one in report.citations}
        keys = {one.key for tier in report.evidence.values() for one in tier if one.task == 0}
        return keys, keys - quoted

    (few, few_unquoted), (many, _) = found(1), found(4)
    assert len(few_unquoted) <= 2  # a task has at most two searches; what is quoted may have been found by the answer
    assert len(many) > len(few)


@pytest.mark.slow
@pytest.mark.parametrize("items", [1, 3])
def test_initial_todo_items(sample_kb, tmp_path, items):
    report = research(sample_kb, tmp_path / "runs.sqlite", initial_todo_items=items, max_iterations=1)
    assert next(one.todo.origin for one in report.todo) == "question"
    assert len(report.todo) - 1 <= items


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 2, 3])
def test_todo_max_items(sample_kb, tmp_path, most):
    changes = {"todo_max_items": most, "initial_todo_items": most, "spawned_todo_items": 9, "max_iterations": 5}
    report = research(sample_kb, tmp_path / "runs.sqlite", **changes)
    assert 1 <= len(report.todo) <= most


@pytest.mark.parametrize("rounds", [1, 2])
def test_hitl_max_iterations(sample_kb, runs, rounds):
    flow = workflow(sample_kb, runs, hitl_max_iterations=rounds, hitl_coverage_threshold=1.0, **SMALL)
    report, _ = asyncio.run(finish(flow, ResearchRequest(query=QUESTION), answer_all))
    assert len(report.conversation) <= rounds


@pytest.mark.parametrize("results", [1, 3])
def test_k_results(sample_kb, tmp_path, results):
    report = research(sample_kb, tmp_path / "runs.sqlite", k_results=results, **SMALL)
    (first,) = report.conversation
    assert len(first.queries) <= 3
    assert len(first.chunks) <= results * len(first.queries)


@pytest.mark.slow
@pytest.mark.parametrize(("threshold", "attempts"), [(0, 1), (500, 2)])
def test_quality_threshold(sample_kb, runs, threshold, attempts):
    flow = workflow(sample_kb, runs, quality_threshold=threshold, **SMALL)
    report, events = asyncio.run(finish(flow, ResearchRequest(query=QUESTION, auto_approve=True)))
    assessed = [event for event in events if type(event).__name__ == "QualityAssessed"]
    assert len(assessed) <= attempts
    assert len(assessed) == 1 or threshold == 500
    assert report.quality.decision in ("accept", "accepted_after_retry")


def test_section_read_tokens(sample_kb, tmp_path):
    def longest(tokens):
        path = tmp_path / f"{tokens}.sqlite"
        report = research(sample_kb, path, section_read_tokens=tokens, reference_follow_depth=0, **SMALL)
        return max(one.end - one.start for tier in report.evidence.values() for one in tier)

    assert longest(50) < longest(1_500)


@pytest.mark.slow
def test_document_registry_path(tmp_path):
    write_pdf(tmp_path / "pdf" / "haus.pdf", ["Hausordnung\n\n§ 1 Ruhe\nNachts ist Ruhe zu halten im ganzen Haus."])
    registry = tmp_path / "names.json"
    registry.write_text(
        '{"collections": {"C": {"documents": [{"filename": "haus.pdf", "synonyms": ["Ruheordnung"]}]}}}',
        encoding="utf-8",
    )
    chosen = KbSettings(_env_file=None, embedding_model="hash", document_registry_path=registry)
    with KnowledgeBase.open(tmp_path / "kb", chosen, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "C")
        (reference,) = [one for one in kb.detect("nach § 1 der Ruheordnung") if one.kind == "legal_section"]
        assert kb.resolve(reference).file == "haus.pdf"


def test_ollama_num_ctx_and_safe_limit_bound_every_prompt():
    chosen = ReasonerSettings(_env_file=None)
    assert chosen.ollama_num_ctx == 32_768
    assert chosen.ollama_safe_limit == 0.9
    with pytest.raises(ValueError, match="ollama_safe_limit"):
        ReasonerSettings(_env_file=None, ollama_safe_limit=1.5)
