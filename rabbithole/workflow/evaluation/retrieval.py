"""Recall at 5 of each search mode, split by whether following references can help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Model, SearchResult
from rabbithole.kb.search.entities import contains, plain, title_forms

from .corpus import gold_spans
from .datasets import Dataset, Example
from .metrics import all_found, mean, recall

AT = 5
WAYS = ("keyword", "semantic", "hybrid")


class RetrievalRow(Model):
    """Means over questions, 0-1. ``named`` and ``unnamed`` are the recall of the questions split by ``is_named``."""

    way: str
    recall: float
    all_gold: float
    named: float
    unnamed: float
    questions_named: int


def search(kb: KnowledgeBase, way: str, query: str, collections: Sequence[str], top_k: int) -> SearchResult:
    modes: Mapping[str, Callable[[], SearchResult]] = {
        "keyword": lambda: kb.search(query, collections, mode="keyword", top_k=top_k),
        "semantic": lambda: kb.search(query, collections, mode="semantic", top_k=top_k),
        "hybrid": lambda: kb.search(query, collections, mode="hybrid", top_k=top_k),
    }
    return modes[way]()


def is_named(dataset: Dataset, example: Example) -> bool:
    """Return whether one gold passage contains the title of another, so that following names can help."""
    rows = [passage for passage in dataset.passages if passage.pid in example.gold]
    texts = {row.pid: plain(row.text) for row in rows}
    return any(
        contains(texts[other.pid], form)
        for row in rows
        for form in title_forms(row.title)
        for other in rows
        if other.pid != row.pid and plain(other.title) != plain(row.title)
    )


def table(
    kb: KnowledgeBase,
    dataset: Dataset,
    examples: Sequence[Example],
    progress: Callable[[int, int], None] | None = None,
) -> tuple[RetrievalRow, ...]:
    """Return one row per search mode."""
    named = {example.id: is_named(dataset, example) for example in examples}
    scores: dict[str, list[tuple[str, float, bool]]] = {way: [] for way in WAYS}
    for done, example in enumerate(examples, start=1):
        gold = gold_spans(kb, dataset, example)
        for way in WAYS:
            hits = search(kb, way, example.question, dataset.collections, AT).hits
            found = {(hit.chunk.document, hit.chunk.start, hit.chunk.end) for hit in hits}
            scores[way].append((example.id, recall(found, gold), all_found(found, gold)))
        if progress is not None:
            progress(done, len(examples))
    return tuple(
        RetrievalRow(
            way=way,
            recall=mean([score for _, score, _ in rows]),
            all_gold=mean([float(complete) for _, _, complete in rows]),
            named=mean([score for identifier, score, _ in rows if named[identifier]]),
            unnamed=mean([score for identifier, score, _ in rows if not named[identifier]]),
            questions_named=sum(named.values()),
        )
        for way, rows in scores.items()
    )
