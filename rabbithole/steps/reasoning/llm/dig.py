"""Digging with a model: one summary per task. ``wave`` holds the gate."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Anchor, Evidence, Quote, TaskSummary, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.client.gateway import CallFailed
from rabbithole.steps.reasoning.text.figures import numbers

from . import schemas
from .context_packing import rank_of
from .evidence_labels import LABELLED, Labels, known_by
from .prompt_runner import Talk, in_language, language_name

QUOTES_KEPT = 6
SUMMARISED = 8  # best pieces of evidence that a summary is made from


def once(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the best evidence of each place, because several tasks may read the same section."""
    best: dict[tuple[str, int, int], Evidence] = {}
    for item in sorted(evidence, key=lambda item: (rank_of(item.tier, item.score, item.depth), item.key)):
        best.setdefault((item.document, item.start, item.end), item)
    return tuple(item for item in evidence if best[item.document, item.start, item.end] is item)


async def summarise(talk: Talk, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
    ranked = sorted(evidence, key=lambda item: (rank_of(item.tier, item.score, item.depth), item.key))
    labels = Labels(ranked[:SUMMARISED])
    values = {
        "added": "; ".join(anchor.refinements) or "-",
        "question": anchor.query,
        "task": todo.text if todo.id else anchor.query,
        "language": language_name(anchor.language),
    }
    found = await talk.ask(
        "summary",
        schemas.SummaryShape,
        values,
        {"evidence": labels.pieces()},
        language=anchor.language,
        said=lambda answer: " ".join(item.text for item in answer.findings),
    )
    findings = tuple(cited for item in found.findings if (cited := _cited(item, labels)))
    if found.findings and not findings:
        raise CallFailed("no finding names its evidence")
    quotes: dict[str, Quote] = {}
    for item in ranked:
        for quote in item.quotes[:2]:
            quotes.setdefault(known_by(quote.text), quote)
    return TaskSummary(
        task=todo.id,
        text=" ".join(findings) or phrase(anchor.language, "reasoning.task_none"),
        findings=findings,
        gaps=tuple(item for item in found.gaps if item.strip()),
        quotes=tuple(quotes.values())[:QUOTES_KEPT],
        relevance=found.relevance,
        degraded=not in_language(" ".join(findings), anchor.language),
    )


def _cited(item: schemas.FindingShape, labels: Labels) -> str:
    """Return a finding with its evidence keys, or '' if no key is known or its figures are not in that evidence."""
    keys = dict.fromkeys(key for label in item.evidence if (key := labels.key(label)))
    text = " ".join(LABELLED.sub("", item.text).split())
    known = " ".join(labels.words(key) for key in keys)
    right = bool(text) and numbers(text) <= numbers(known)
    return f"{text} {' '.join(f'[{key}]' for key in keys)}" if keys and right else ""
