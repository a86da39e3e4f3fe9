"""Evaluate the answer workflow on a question set, against two baselines: flat retrieval of as many tokens, and reading
whole documents."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Model
from rabbithole.steps.answering.settings import AnswerSettings
from rabbithole.steps.answering.tree import Tree
from rabbithole.steps.budget import tokens, tokens_of_span
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.report_models import Report
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.events import ReportReady
from rabbithole.workflow.run.state import held
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

from .corpus import gold_spans
from .datasets import Dataset, Example
from .metrics import Span, all_found, contains_answer, exact_match, f1, mean, recall

FLAT_MOST = 50


class AnswerRow(Model):
    """The scores of one question. ``evidence_tokens`` is the text read, ``shown_tokens`` also lists and outlines."""

    id: str
    question: str
    answer: str
    hop_recall: float
    all_gold: bool
    flat_recall: float
    flat_all_gold: bool
    exact: float
    f1: float
    contains: float
    evidence_tokens: int
    shown_tokens: int
    whole_recall: float
    whole_tokens: int
    calls: int
    steps: int
    seconds: float


class AnswerSummary(Model):
    """Means over questions. ``whole_*`` is the baseline that reads the same documents whole.

    ``saving`` is the share of its tokens that selective reading saves; ``saving_shown`` also counts lists and outlines.
    """

    questions: int
    hop_recall: float
    all_gold: float
    flat_recall: float
    flat_all_gold: float
    exact: float
    f1: float
    contains: float
    evidence_tokens: float
    shown_tokens: float
    whole_recall: float
    whole_tokens: float
    saving: float
    saving_shown: float
    calls: float
    steps: float
    seconds: float


async def answer_all(
    kb: KnowledgeBase,
    dataset: Dataset,
    examples: Sequence[Example],
    reasoner: Reasoner,
    folder: Path,
    progress: Callable[[int, int], None] | None = None,
    settings: AnswerSettings | None = None,
) -> tuple[AnswerRow, ...]:
    """Answer every example in turn and return their scores; the runs are kept in ``runs.sqlite`` in ``folder``."""
    runs = SqliteRunStore(folder / "runs.sqlite")
    workflow = AnswerWorkflow(kb, settings=settings, reasoner=reasoner, runs=runs)
    rows = []
    for done, example in enumerate(examples, start=1):
        begun = time.monotonic()
        request = AnswerRequest(
            question=example.question,
            collections=list(dataset.collections),
            language=example.language,
            run_id=f"{dataset.name}-{done}",
        )
        ready: ReportReady = await workflow.run(start_event=request)
        report = ready.report
        rows.append(
            score(kb, dataset, example, report, held(runs.load_answer(report.run_id).tree), time.monotonic() - begun)
        )
        if progress is not None:
            progress(done, len(examples))
    await workflow.settled()
    runs.close()
    return tuple(rows)


def score(
    kb: KnowledgeBase, dataset: Dataset, example: Example, report: Report, tree: Tree, seconds: float
) -> AnswerRow:
    gold = gold_spans(kb, dataset, example)
    read = {(node.evidence.document, node.evidence.start, node.evidence.end) for node in tree.nodes}
    whole = {(document, 0, sys.maxsize) for document, _, _ in read}
    budget = sum(tokens_of_span(start, end) for _, start, end in read)
    flat = flat_spans(kb, dataset.collections, example.question, budget)
    answers = (example.answer, *example.aliases)
    body = report.markdown.split("\n## ")[0]
    calls = sum(one.calls for one in report.metrics.by_purpose.values())
    return AnswerRow(
        id=example.id,
        question=example.question,
        answer=body,
        hop_recall=recall(read, gold),
        all_gold=all_found(read, gold),
        flat_recall=recall(flat, gold),
        flat_all_gold=all_found(flat, gold),
        exact=exact_match(body, answers),
        f1=f1(body, answers),
        contains=contains_answer(body, answers),
        evidence_tokens=budget,
        shown_tokens=tree.shown_tokens,
        whole_recall=recall(whole, gold),
        whole_tokens=sum(tokens(kb.text(document)) for document, _, _ in whole),
        calls=calls,
        steps=len(tree.trace),
        seconds=seconds,
    )


def flat_spans(kb: KnowledgeBase, collections: Sequence[str], question: str, budget: int) -> set[Span]:
    """Return the best passages of one dense search that fit into ``budget`` tokens, at least one."""
    found: set[Span] = set()
    spent = 0
    for hit in kb.search(question, collections, mode="semantic", top_k=FLAT_MOST).hits:
        spent += tokens(hit.chunk.text)
        if spent > budget and found:
            break
        found.add((hit.chunk.document, hit.chunk.start, hit.chunk.end))
    return found


def summary(rows: Sequence[AnswerRow]) -> AnswerSummary:
    def of(name: str) -> float:
        return mean([float(getattr(row, name)) for row in rows])

    whole = of("whole_tokens")
    names = [name for name in AnswerSummary.model_fields if name not in ("questions", "saving", "saving_shown")]
    return AnswerSummary.model_validate(
        {
            **{name: of(name) for name in names},
            "questions": len(rows),
            "saving": 1 - of("evidence_tokens") / whole if whole else 0.0,
            "saving_shown": 1 - of("shown_tokens") / whole if whole else 0.0,
        }
    )
