"""Digging with a model: several passages a call, one gate a wave, one summary a task."""

from __future__ import annotations

from collections.abc import Sequence

from ...models import Anchor, Evidence, Quote, TaskSummary, Todo
from ..fence import as_data, fenced, one_line
from ..fit import Piece, rank_of
from ..protocol import Extraction, FoundReference, GateCandidate, GateDecision, Passage
from . import schemas
from .talk import Talk, in_language, language_name

QUOTES_KEPT = 6
_WANT_REFERENCES = (
    "other laws, sections, standards, papers or documents the passage names, text copied letter by letter from it, "
    'document the name of the document meant or ""; only what stands in the passage.'
)
_NO_REFERENCES = "always an empty list."


async def extract(
    talk: Talk, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
) -> tuple[Extraction, ...]:
    """One call for these passages; a passage the prompt had no room for or the model left out is not in the result."""
    shown = [item.model_copy(update={"key": f"P{number}"}) for number, item in enumerate(passages, start=1)]
    keys = {label.key: item for label, item in zip(shown, passages, strict=True)}
    values = {
        "question": anchor.query,
        "task": todo.text if todo.id else anchor.query,
        "references": _WANT_REFERENCES if references else _NO_REFERENCES,
        "language": language_name(anchor.language),
    }
    material = {
        "passages": [
            Piece(text=fenced(item.key, item.where, item.text), rank=rank_of(item.tier, item.score, item.depth))
            for item in shown
        ]
    }
    found = await talk.ask(
        "extract",
        schemas.ExtractionsShape,
        values,
        material,
        language=anchor.language,
        said=lambda answer: " ".join(item.info for item in answer.passages),
    )
    taken: dict[str, Extraction] = {}
    for item in found.passages:
        passage = keys.get(item.passage.strip("[]<> "))
        if passage is not None and passage.key not in taken:
            taken[passage.key] = _extraction(item, passage)
    return tuple(taken.values())


def _extraction(item: schemas.ExtractionShape, passage: Passage) -> Extraction:
    """What the model said of a passage, without quotes and references that do not stand in it."""
    text = _flat(passage.text)
    quotes = [quote.strip(" \"„“”'") for quote in item.quotes]
    references = [found for found in item.references if found.text.strip() and _flat(found.text) in text]
    return Extraction(
        key=passage.key,
        info=item.info.strip(),
        quotes=tuple(dict.fromkeys(quote for quote in quotes if len(quote) > 15 and _flat(quote) in text)),
        relevance=item.relevance / 100,
        references=tuple(
            FoundReference(text=found.text.strip(), document=found.document.strip() or None) for found in references
        ),
    )


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


async def gate(talk: Talk, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]) -> tuple[GateDecision, ...]:
    """Decisions for those candidates the model named; the caller fills in the rest."""
    material = {
        "candidates": [
            Piece(
                text=f"{item.id}: {one_line(item.text, 160)}\nleads to: {one_line(item.target or 'unknown')}\n"
                f"stands in: <<<DOCUMENT {item.id}>>> {' '.join(as_data(item.context).split())} <<<END {item.id}>>>",
                rank=float(position),
            )
            for position, item in enumerate(candidates)
        ]
    }
    values = {
        "concepts": ", ".join(anchor.concepts) or "-",
        "scope": anchor.scope or "-",
        "question": anchor.query,
        "task": todo.text if todo.id else anchor.query,
        "language": language_name(anchor.language),
    }
    found = await talk.ask("gate", schemas.GateShape, values, material)
    known = {item.id for item in candidates}
    return tuple(
        GateDecision(id=item.id, follow=item.follow, reason=item.reason.strip())
        for item in found.decisions
        if item.id in known and item.reason.strip()
    )


def evidence_pieces(evidence: Sequence[Evidence]) -> list[Piece]:
    """Evidence with its key, place, tier, information and quotations."""
    return [
        Piece(
            text="\n".join(
                (
                    f"[{item.key}] {one_line(', '.join(filter(None, (item.title or item.file, item.section_label))))}, "
                    f"p. {item.page_label or item.page + 1}; tier {item.tier}",
                    f"<<<DOCUMENT {item.key}>>>",
                    as_data(item.info),
                    *(f'"{as_data(quote.text)}"' for quote in item.quotes if quote.text != item.info),
                    f"<<<END {item.key}>>>",
                )
            ),
            rank=rank_of(item.tier, item.score, item.depth),
        )
        for item in evidence
    ]


async def summarise(talk: Talk, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
    ranked = sorted(evidence, key=lambda item: (rank_of(item.tier, item.score, item.depth), item.key))
    values = {
        "conversation": anchor.summary or "-",
        "question": anchor.query,
        "task": todo.text if todo.id else anchor.query,
        "example": ranked[0].key,
        "language": language_name(anchor.language),
    }
    found = await talk.ask(
        "summary",
        schemas.SummaryShape,
        values,
        {"evidence": evidence_pieces(ranked)},
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
