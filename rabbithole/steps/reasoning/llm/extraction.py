"""Extraction with a model: it names numbered sentences, and their text is taken from the document.

One call covers several passages. A sentence number that does not belong to its passage is dropped.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence

from rabbithole.steps.language import detect_language
from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.reasoning.protocol import Extraction, FoundReference, Passage
from rabbithole.steps.reasoning.text.prompt_injection import has_markup

from . import schemas
from .context_packing import Piece, rank_of
from .prompt_delimiters import fenced, one_line
from .prompt_runner import Talk, language_name
from .trim import CHARACTERS, Cut, trimmed

WHERE_SHOWN = 120  # characters of a passage's place
RELEVANCE = {"answered": 0.9, "related": 0.6, "unrelated": 0.0}
"""Relevance for each verdict of the model. It answers in words, as small models copy numbers from the prompt."""
_FIXED = 900  # approximate tokens of a prompt without passages
_AROUND = 60  # tokens for the marks of a passage and the answer about it
_WANT_REFERENCES = (
    "documents the passages name in words (a guideline, a manual, a decision, a report), copied letter by letter; "
    "never a section, article or number: these are found without you. Mostly an empty list."
)
_SECTION = re.compile(r"\W*(?:§|Art\b|Abs\b|Anlage\b|Annex\b|Section\b|\d)")
_NO_REFERENCES = "always an empty list."
_NO_INFO = "Nothing else, no words of your own."
_WANT_INFO = (
    "info: the sense of these sentences in {language}, one sentence, with their figures, conditions and section "
    'numbers; "" with unrelated.'
)

Numbered = Mapping[int, tuple[str, float]]
"""Number of a sentence -> its verbatim text and its score as an answer."""


def passages_a_call(talk: Talk, most: int) -> int:
    """Return how many passages fit into a prompt in the model's window, at most ``most``."""
    window = int(talk.gateway.client.context_window * talk.gateway.settings.ollama_safe_limit)
    each = talk.gateway.counter("extract").count("x" * (CHARACTERS + WHERE_SHOWN)) + _AROUND
    return max(1, min(most, (window - _FIXED) // each))


async def extract(
    talk: Talk, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
) -> tuple[Extraction, ...]:
    """Extract from these passages in one call; those that did not fit or that the model left out are missing."""
    task = todo.text if todo.id else anchor.query
    cuts = await asyncio.to_thread(trimmed, anchor.query, task, anchor.language, passages)
    told = any(detect_language(item.text[:600]) != anchor.language for item in passages)
    pieces, numbered = _shown(cuts)
    values = {
        "question": anchor.query,
        "task": task if todo.id else "the question as a whole",
        "references": _WANT_REFERENCES if references else _NO_REFERENCES,
        "info": _WANT_INFO.format(language=language_name(anchor.language)) if told else _NO_INFO,
        "example": ', "info": "..."' if told else "",
        "language": language_name(anchor.language),
    }
    found, kept = await talk.ask_each(
        "extract",
        schemas.ToldReadingShape if told else schemas.ReadingShape,
        "passages",
        values,
        {"passages": pieces},
        language=anchor.language,
        said=lambda answer: " ".join(_info(item) for item in answer.passages),
    )
    taken: dict[str, Extraction] = {}
    for place, item in enumerate(found.passages):
        # Small models number wrongly; as many entries as passages are in their order.
        in_order = kept[place] if len(found.passages) == len(kept) else None
        position = item.passage - 1 if item.passage - 1 in kept else in_order
        if position is not None and passages[position].key not in taken:
            seen = found.references if references else ()
            taken[passages[position].key] = _extraction(item, passages[position], numbered[position], seen)
    return tuple(taken.values())


def _shown(cuts: Sequence[Cut]) -> tuple[list[Piece], list[Numbered]]:
    """Return the passages as shown to the model, and the numbered sentences of each. Numbers are unique in the call."""
    pieces: list[Piece] = []
    numbered: list[Numbered] = []
    last = 0
    for position, cut in enumerate(cuts, start=1):
        numbers = {one.start: number for number, one in enumerate(cut.quotable, start=last + 1)}
        last += len(numbers)
        passage = cut.passage
        pieces.append(
            Piece(
                text=fenced(f"P{position}", one_line(passage.where, WHERE_SHOWN), cut.lines(numbers)),
                rank=rank_of(passage.tier, passage.score, passage.depth),
            )
        )
        numbered.append({numbers[one.start]: (one.text, cut.scores.get(one.start, 0.0)) for one in cut.quotable})
    return pieces, numbered


def _ordered(pointed: Sequence[int], numbered: Numbered) -> list[int]:
    """Return the valid numbers as given or, if the model only listed them in text order, by descending score."""
    given = [number for number in dict.fromkeys(pointed) if number in numbered]
    return sorted(given, key=lambda number: -numbered[number][1]) if given == sorted(given) else given


def _extraction(
    item: schemas.PointedShape, passage: Passage, numbered: Numbered, references: Sequence[str]
) -> Extraction:
    """Return the model's extraction: the text of the sentences it named, and references that occur in the passage."""
    quotes = tuple(numbered[number][0] for number in _ordered(item.sentences, numbered))
    text = " ".join(passage.text.split())
    found = (" ".join(one.split()) for one in references)
    return Extraction(
        key=passage.key,
        info=_info(item).strip() or " ".join(" ".join(quote.split()) for quote in quotes),
        quotes=quotes,
        relevance=RELEVANCE[item.task],
        references=tuple(FoundReference(text=one) for one in found if one in text and _names_another(one, passage)),
    )


def _names_another(reference: str, passage: Passage) -> bool:
    """Return whether a text can name another document; small models often give the passage's heading or a section."""
    own = reference in " ".join(passage.where.split())
    return not own and not has_markup(reference) and _SECTION.match(reference) is None and len(reference) > 3


def _info(item: schemas.PointedShape) -> str:
    return item.info if isinstance(item, schemas.ToldShape) else ""
