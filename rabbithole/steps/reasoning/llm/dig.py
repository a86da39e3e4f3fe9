"""Digging with a model: one gate call per wave, one summary per task."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Anchor, Evidence, Quote, TaskSummary, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.client.gateway import CallFailed
from rabbithole.steps.reasoning.protocol import GateCandidate, GateDecision
from rabbithole.steps.reasoning.text.figures import numbers

from . import schemas
from .context_packing import Piece, rank_of
from .evidence_labels import LABELLED, Labels, known_by
from .prompt_delimiters import as_data, one_line
from .prompt_runner import Talk, in_language, language_name

QUOTES_KEPT = 6
SUMMARISED = 8  # best pieces of evidence that a summary is made from
CONTEXT_SHOWN = 120  # characters of context shown for a reference
TARGET_NAMED = 90  # characters of a reference's target in a reason


def _around(item: GateCandidate) -> str:
    """Return the text around a reference on one line."""
    context = " ".join(as_data(item.context).split())
    middle = max(context.find(" ".join(item.text.split())), 0) + len(item.text) // 2
    start = max(0, min(middle - CONTEXT_SHOWN // 2, len(context) - CONTEXT_SHOWN))
    return context[start : start + CONTEXT_SHOWN]


async def gate(talk: Talk, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]) -> tuple[GateDecision, ...]:
    """Return decisions for the candidates that fit into the prompt; the caller decides the others.

    The model only names the references related to the task; the reason in the user's language is made from that.
    """
    material = {
        "candidates": [
            Piece(
                text=f"r{number}: {one_line(item.text, 60)} -> {one_line(item.target or 'unknown', 80)} "
                f"| {_around(item)}",
                rank=float(number),
            )
            for number, item in enumerate(candidates, start=1)
        ]
    }
    values = {
        "question": anchor.query,
        "task": todo.text if todo.id else "the question as a whole",
        "language": language_name(anchor.language),
    }
    shape = schemas.gate_of(len(candidates))
    asked = talk.prepare("gate", "gate", values, material, talk.gateway.bound(shape))
    found = await talk.ask_prepared("gate", shape, asked.prompt)
    related = {name.strip().lower() for name in found.related}
    return tuple(
        _decided(anchor, candidates[position], follow=f"r{position + 1}" in related)
        for position in asked.kept["candidates"]
    )


def _decided(anchor: Anchor, item: GateCandidate, *, follow: bool) -> GateDecision:
    target = one_line(item.target or item.text, TARGET_NAMED)
    reason = phrase(anchor.language, f"reasoning.{'related' if follow else 'unrelated'}", target=target)
    return GateDecision(id=item.id, follow=follow, reason=reason)


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
