"""Make the answer workflow's decisions with a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.place_names import short_place
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import (
    ConstraintModel,
    Decomposition,
    Fact,
    ListedResult,
    ResultChoice,
    Review,
    ToolCall,
)
from rabbithole.steps.reasoning.text.similarity import matched
from rabbithole.steps.reasoning.text.terms import stem_set, stems

from . import schemas
from .context_packing import Piece
from .prompt_delimiters import one_line
from .prompt_runner import Talk, language_name, listed, reason_or
from .understand import different

_WORD = re.compile(r"\w+")


async def decompose(
    talk: Talk,
    question: str,
    language: str,
    collections: Sequence[str],
    fields: Sequence[str],
    by_rule: Sequence[ConstraintModel] = (),
) -> Decomposition:
    """Decompose the question; keep only conditions it states, and prefer those read by rule (``by_rule``)."""
    settled = {item.field for item in by_rule}
    values = {
        "collections": ", ".join(collections) or "-",
        "fields": ", ".join(fields) or "-",
        "question": question,
        "language": language_name(language),
    }
    found = await talk.ask("decompose", schemas.DecompositionShape, values)
    return Decomposition(
        intent=found.intent,
        collections=tuple(
            name for name in collections if name in found.collections and _meant(name, question, language)
        ),
        constraints=(
            *by_rule,
            *(
                ConstraintModel(field=item.field, operator=item.operator, value=item.value)
                for item in found.constraints
                if item.field in fields and item.field not in settled and _said(item.value, question)
            ),
        ),
        subqueries=different(found.subqueries, language) or (question,),
    )


def _meant(collection: str, question: str, language: str) -> bool:
    """Return whether the question shares a word with the collection's name; a wrong collection hides the answer."""
    return bool(matched(stems(collection, language), stem_set(question, language)))


def _said(value: str, question: str) -> bool:
    """Return whether the question contains the value, or all values of a list; an invented condition hides results."""
    asked = f" {' '.join(_WORD.findall(question.casefold()))} "
    parts = [" ".join(_WORD.findall(part.casefold())) for part in value.split(",")]
    return all(part and f" {part} " in asked for part in parts)


def facts_pieces(facts: Sequence[Fact]) -> list[Piece]:
    """Return the facts as prompt material; the newest are dropped last."""
    return [
        Piece(text=f"- {one_line(fact.text, 600)} ({one_line(fact.where)})", rank=float(-position))
        for position, fact in enumerate(facts)
    ]


async def select(
    talk: Talk, question: str, subquery: str, language: str, candidates: Sequence[ListedResult], facts: Sequence[Fact]
) -> ResultChoice:
    shown = [
        Piece(
            text=f"{item.number}. {one_line(item.title)} ({one_line(item.document)}, {short_place(item.page, 0)})\n"
            f"<<<DOCUMENT {item.number}>>> {one_line(item.snippet, 400)} <<<END {item.number}>>>",
            rank=float(position),
        )
        for position, item in enumerate(candidates)
    ]
    values = {"question": question, "subquery": subquery, "language": language_name(language)}
    material = {"facts": facts_pieces(facts), "candidates": shown}
    found = await talk.ask("select", schemas.SelectionShape, values, material)
    number = found.number if found.number in {item.number for item in candidates} else None
    title = next((item.title for item in candidates if item.number == number), "")
    key, said = ("select_best", {"terms": one_line(title, 90)}) if number else ("select_none", {"subquery": subquery})
    reason = reason_or(found.reason, language, phrase(language, f"reasoning.{key}", **said))
    return ResultChoice(number=number, reason=reason, query="" if number else found.query)


async def review(
    talk: Talk, question: str, language: str, subqueries: Sequence[str], facts: Sequence[Fact], total_hits: int
) -> Review:
    values = {
        "total": str(total_hits),
        "subqueries": listed(subqueries),
        "question": question,
        "language": language_name(language),
    }
    found = await talk.ask("review", schemas.ReviewShape, values, {"facts": facts_pieces(facts)})
    call = None
    if found.status == "more" and found.tool != "none" and found.argument.strip():
        call = ToolCall(tool=found.tool, argument=found.argument)
    clarify = found.clarify_type if found.status == "clarify" and found.clarify_type != "none" else None
    lacking = one_line(found.missing_info, 120) or question
    key, said = ("review_enough", {}) if found.status == "enough" else ("review_more", {"subquery": lacking})
    instead = phrase(language, f"reasoning.{key}", **said)
    return Review(
        status=found.status,
        reason=reason_or(found.reason, language, instead),
        next_call=call,
        clarify_type=clarify,
        missing_info=found.missing_info,
    )
