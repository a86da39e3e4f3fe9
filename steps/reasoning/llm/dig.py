"""Digging with a model: several passages a call, one gate a wave, one summary a task."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from ...models import Anchor, Evidence, Quote, TaskSummary, Todo
from ...phrases import phrase
from ..fence import as_data, fenced, has_markup, one_line, without_orders
from ..fit import Piece, rank_of
from ..protocol import Extraction, FoundReference, GateCandidate, GateDecision, Passage
from . import schemas
from .talk import Talk, in_language, language_name, reason_or
from .trim import trimmed

TOKENS_A_PASSAGE = 170  # of an extraction, commonly
QUOTES_KEPT = 6
QUOTES_SHOWN, INFO_SHOWN = 2, 240  # of a piece of evidence to whoever summarises or writes
SUMMARISED = 10  # pieces of evidence a summary is made from, the best
CONTEXT_SHOWN = 120  # characters around a reference
_WANT_REFERENCES = (
    "other laws, sections, standards, papers or documents the passage names, text copied letter by letter from it, "
    'document the name of the document meant or ""; only what stands in the passage.'
)
_NO_REFERENCES = "always an empty list."


async def extract(
    talk: Talk, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
) -> tuple[Extraction, ...]:
    """One call for these passages; a passage the prompt had no room for or the model left out is not in the result."""
    task = todo.text if todo.id else anchor.query
    cut = await asyncio.to_thread(trimmed, anchor.query, task, anchor.language, passages)
    shown = [item.model_copy(update={"key": f"P{number}"}) for number, item in enumerate(cut, start=1)]
    keys = {label.key: item for label, item in zip(shown, passages, strict=True)}
    values = {
        "question": anchor.query,
        "task": task if todo.id else "the question as a whole",
        "references": _WANT_REFERENCES if references else _NO_REFERENCES,
        "language": language_name(anchor.language),
    }
    material = {
        "passages": [
            Piece(
                text=fenced(item.key, one_line(item.where, 80), item.text),
                rank=rank_of(item.tier, item.score, item.depth),
            )
            for item in shown
        ]
    }
    found = await talk.ask(
        "extract",
        schemas.exactly(schemas.ExtractionsShape, "passages", len(shown)),
        values,
        material,
        language=anchor.language,
        said=lambda answer: " ".join(item.info for item in answer.passages),
    )
    taken: dict[str, Extraction] = {}
    for position, item in enumerate(found.passages):
        # Small models write more than the key, or another; the order of the entries then says which passage is meant.
        named = re.search(r"P\d+", item.passage)
        ordered = passages[position] if len(found.passages) == len(passages) else None
        passage = keys.get(named.group()) if named else ordered
        if passage is not None and passage.key not in taken:
            taken[passage.key] = _extraction(item, passage)
    return tuple(taken.values())


def _extraction(item: schemas.ExtractionShape, passage: Passage) -> Extraction:
    """What the model said of a passage, without quotes and references that do not stand in it."""
    text = _flat(without_orders(passage.text))
    quotes = [quote.strip(" \"„“”'") for quote in item.quotes]
    references = [found for found in item.references if found.text.strip() and _flat(found.text) in text]
    return Extraction(
        key=passage.key,
        info=item.info.strip(),
        quotes=tuple(dict.fromkeys(quote for quote in quotes if _quotable(quote, text))),
        relevance=item.relevance / 100,
        references=tuple(
            FoundReference(text=found.text.strip(), document=found.document.strip() or None) for found in references
        ),
    )


def _quotable(quote: str, text: str) -> bool:
    return len(quote) > 15 and _flat(quote) in text and not has_markup(quote)


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


def _around(item: GateCandidate) -> str:
    """The words around a reference on one line."""
    context = " ".join(as_data(item.context).split())
    middle = max(context.find(" ".join(item.text.split())), 0) + len(item.text) // 2
    start = max(0, min(middle - CONTEXT_SHOWN // 2, len(context) - CONTEXT_SHOWN))
    return context[start : start + CONTEXT_SHOWN]


async def gate(talk: Talk, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]) -> tuple[GateDecision, ...]:
    """Decisions for those candidates the model named; the caller fills in the rest."""
    material = {
        "candidates": [
            Piece(
                text=f"{item.id}: {one_line(item.text, 60)} -> {one_line(item.target or 'unknown', 80)} "
                f"| {_around(item)}",
                rank=float(position),
            )
            for position, item in enumerate(candidates)
        ]
    }
    values = {
        "question": anchor.query,
        "task": todo.text if todo.id else "the question as a whole",
        "language": language_name(anchor.language),
    }
    found = await talk.ask("gate", schemas.exactly(schemas.GateShape, "decisions", len(candidates)), values, material)
    targets = {item.id: item.target or item.text for item in candidates}
    return tuple(
        GateDecision(id=item.id, follow=item.follow, reason=_reason(item, anchor.language, targets[item.id]))
        for item in found.decisions
        if item.id in targets
    )


def _reason(decided: schemas.DecisionShape, language: str, target: str) -> str:
    """The model's reason, else what it decided, in fixed words."""
    key = "follow_model" if decided.follow else "skip_model"
    return reason_or(decided.reason, language, phrase(language, f"reasoning.{key}", target=one_line(target, 90)))


def evidence_pieces(evidence: Sequence[Evidence]) -> list[Piece]:
    """Evidence with its key, place, tier and words: quotations where there are some, else the information."""
    return [
        Piece(
            text="\n".join(
                (
                    f"[{item.key}] {one_line(_place(item), 120)}, "
                    f"p. {item.page_label or item.page + 1}; tier {item.tier}",
                    f"<<<DOCUMENT {item.key}>>>",
                    *_words(item),
                    f"<<<END {item.key}>>>",
                )
            ),
            rank=rank_of(item.tier, item.score, item.depth),
        )
        for item in evidence
    ]


def _place(item: Evidence) -> str:
    return ", ".join((item.short or item.title or item.file, item.section_label))


def _words(item: Evidence) -> list[str]:
    """Two quotations of what matters most, one of the rest; or one and what was extracted where that says more."""
    shown = item.quotes[: QUOTES_SHOWN if item.tier == "primary" else 1]
    quotes = [" ".join(as_data(quote.text).split()) for quote in shown]
    info = " ".join(as_data(item.info).split())[:INFO_SHOWN]
    said = bool(info) and not any(_flat(info)[:80] in _flat(quote) for quote in quotes)
    kept = quotes[:1] if said else quotes
    return [*([info] if said or not quotes else []), *(f'"{quote}"' for quote in kept)]


def once(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Each place once, its best evidence: several tasks read the same section."""
    best: dict[tuple[str, int, int], Evidence] = {}
    for item in sorted(evidence, key=lambda item: (rank_of(item.tier, item.score, item.depth), item.key)):
        best.setdefault((item.document, item.start, item.end), item)
    return tuple(item for item in evidence if best[item.document, item.start, item.end] is item)


async def summarise(talk: Talk, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
    ranked = sorted(evidence, key=lambda item: (rank_of(item.tier, item.score, item.depth), item.key))
    values = {
        "added": "; ".join(anchor.refinements) or "-",
        "question": anchor.query,
        "task": todo.text if todo.id else anchor.query,
        "example": ranked[0].key,
        "language": language_name(anchor.language),
    }
    found = await talk.ask(
        "summary",
        schemas.SummaryShape,
        values,
        {"evidence": evidence_pieces(ranked[:SUMMARISED])},
        language=anchor.language,
        said=lambda answer: " ".join((answer.summary, *answer.findings)),
    )
    quotes: dict[str, Quote] = {}
    for item in ranked:
        for quote in item.quotes[:2]:
            quotes.setdefault(_flat(quote.text), quote)
    return TaskSummary(
        task=todo.id,
        text=found.summary,
        findings=tuple(item for item in found.findings if item.strip()),
        gaps=tuple(item for item in found.gaps if item.strip()),
        quotes=tuple(quotes.values())[:QUOTES_KEPT],
        relevance=found.relevance,
        relevance_assessment=found.assessment,
        irrelevant=tuple(item for item in found.irrelevant if item.strip()),
        degraded=not in_language(found.summary, anchor.language),
    )
