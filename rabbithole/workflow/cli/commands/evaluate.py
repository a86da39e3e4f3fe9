"""``rabbithole eval``: measure a question set and keep results and runs in a folder."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from rich.table import Table

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.workflow.cli.console import ERR, OUT, print_json
from rabbithole.workflow.cli.options import JsonOption
from rabbithole.workflow.evaluation import answers, retrieval
from rabbithole.workflow.evaluation.corpus import open_corpus
from rabbithole.workflow.evaluation.datasets import Dataset, Example, load, sample
from rabbithole.workflow.settings import load_settings

app = typer.Typer(add_completion=False)


@app.command("eval")
def evaluate(
    name: Annotated[
        str,
        typer.Argument(
            metavar="SET", help="musique, hotpotqa, 2wiki or sample, or a folder or file in the same format."
        ),
    ],
    sample_size: Annotated[
        int | None, typer.Option("--sample-size", min=1, help="Number of questions; all by default.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Random seed that selects the sample.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="Folder for results, runs and the indexed corpus.")] = Path(
        "bench/results/eval"
    ),
    retrieval_only: Annotated[bool, typer.Option("--retrieval-only", help="Measure only the searches.")] = False,
    kb: Annotated[Path | None, typer.Option("--kb", help="Knowledge base, for questions about its documents.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure retrieval and answers on a question set, and compare with flat retrieval of as many tokens."""
    settings = load_settings()
    dataset = load(name)
    examples = sample(dataset.examples, sample_size, seed)
    if not examples:
        raise UsageError(f"The set {name!r} has no questions.")
    place = out / dataset.name
    with Progress(console=ERR) as bar:
        indexing = bar.add_task("Passages indexed", total=len(dataset.passages))
        base = open_corpus(place, dataset, settings.kb, kb, lambda done, _: bar.update(indexing, completed=done))
        bar.update(indexing, completed=len(dataset.passages))
        with base:
            searching = bar.add_task("Questions searched", total=len(examples))
            rows = retrieval.table(base, dataset, examples, lambda done, _: bar.update(searching, completed=done))
            results = [] if retrieval_only else _answers(base, dataset, examples, place, bar)
            model = base.embedding_model
    content = {
        "set": dataset.name,
        "questions": len(examples),
        "seed": seed,
        "embedding": model,
        "retrieval": [row.model_dump() for row in rows],
        "answers": answers.summary(results).model_dump() if results else None,
        "rows": [row.model_dump() for row in results],
    }
    place.mkdir(parents=True, exist_ok=True)
    (place / "results.json").write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    if as_json:
        print_json(content)
        return
    _print(dataset.name, model, rows, answers.summary(results) if results else None)
    ERR.print(f"Results and runs: {place}")


def _answers(
    base: KnowledgeBase, dataset: Dataset, examples: tuple[Example, ...], place: Path, bar: Progress
) -> list[answers.AnswerRow]:
    task = bar.add_task("Questions answered", total=len(examples))

    async def run() -> tuple[answers.AnswerRow, ...]:
        reasoner = await amake_reasoner(load_settings().reasoner, base)
        try:
            return await answers.answer_all(
                base, dataset, examples, reasoner, place, lambda done, _: bar.update(task, completed=done)
            )
        finally:
            await reasoner.close()

    return list(asyncio.run(run()))


def _print(
    name: str, model: str, rows: tuple[retrieval.RetrievalRow, ...], summary: answers.AnswerSummary | None
) -> None:
    table = Table(title=f"{name}, embedding {model}: recall at {retrieval.AT}")
    for heading in ("search", "R@5", "all gold", "R@5 named", "R@5 not named"):
        table.add_column(heading, justify="left" if heading == "search" else "right")
    for row in rows:
        table.add_row(row.way, f"{row.recall:.3f}", f"{row.all_gold:.3f}", f"{row.named:.3f}", f"{row.unnamed:.3f}")
    OUT.print(table)
    OUT.print(f"named: another gold passage contains the title of a gold passage ({rows[0].questions_named} questions)")
    if summary is None:
        return
    lines = {
        "all-gold recall, answer workflow": summary.all_gold,
        "all-gold recall, flat dense retrieval of as many tokens": summary.flat_all_gold,
        "recall per hop, answer workflow": summary.hop_recall,
        "recall per hop, flat": summary.flat_recall,
        "answer exact match": summary.exact,
        "answer F1": summary.f1,
        "answer contained in the text": summary.contains,
        "tokens read": summary.evidence_tokens,
        "tokens shown, lists and outlines included": summary.shown_tokens,
        "recall per hop, the same documents read whole": summary.whole_recall,
        "tokens of the same documents read whole": summary.whole_tokens,
        "saving against whole documents": summary.saving,
        "saving against whole documents, lists and outlines included": summary.saving_shown,
        "model calls": summary.calls,
        "steps": summary.steps,
        "seconds": summary.seconds,
    }
    for label, value in lines.items():
        OUT.print(f"{label}: {value:.3f}")
