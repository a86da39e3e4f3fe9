"""Read passages with the model in few calls of equal size, or without it if it is not needed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rabbithole.steps.language import detect_language
from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.llm.fallback import or_this
from rabbithole.steps.reasoning.protocol import Extraction, Passage
from rabbithole.steps.scheduling.priority import pressing

from . import extraction
from .batch import evenly
from .prompt_runner import Talk

_TELLS = 0.2  # minimum relevance by words for the model to read a followed place


def told_by_words(anchor: Anchor, passage: Passage, own: Extraction) -> bool:
    """Return whether a followed place needs no model: it is in the question's language but shares no words with it."""
    return passage.depth > 0 and own.relevance < _TELLS and detect_language(passage.text[:600]) == anchor.language


async def read(
    talk: Talk,
    extractive: ExtractiveReasoner,
    anchor: Anchor,
    todo: Todo,
    passages: Sequence[Passage],
    *,
    references: bool,
) -> tuple[Extraction, ...]:
    """Read the passages in as few calls as possible, of equal size and concurrent.

    A followed place that hardly shares a word with question and task is extracted without the model.
    """
    own = await extractive.extract(anchor, todo, passages, references=False)
    found = {item.key: item for item in own}
    asked = [item for item in passages if not told_by_words(anchor, item, found[item.key])]
    parts = evenly(asked, _a_call(talk))
    taken = await asyncio.gather(*(_part(talk, extractive, anchor, todo, part, references) for part in parts))
    found |= {item.key: _in_words(item, found[item.key]) for part in taken for item in part}
    return tuple(found[item.key] for item in passages)


def _in_words(item: Extraction, own: Extraction) -> Extraction:
    """Return the model's extraction; if it is relevant but names no sentence, take the quotations chosen by rule."""
    if item.quotes or not item.relevance:
        return item
    return item.model_copy(update={"quotes": own.quotes, "info": item.info or own.info})


def _a_call(talk: Talk) -> int:
    """Return the passages per call: as set, but no more than fit into the window.

    It is half as many if other work waits and calls can run concurrently, since two calls then take half the time.
    """
    chosen = talk.gateway.settings
    most = chosen.llm_passages_per_call
    return extraction.passages_a_call(talk, most // 2 if pressing() and chosen.llm_concurrency > 1 else most)


async def _part(
    talk: Talk,
    extractive: ExtractiveReasoner,
    anchor: Anchor,
    todo: Todo,
    passages: Sequence[Passage],
    references: bool,
) -> tuple[Extraction, ...]:
    asked = extraction.extract(talk, anchor, todo, passages, references=references)
    taken = {item.key: item for item in await or_this(talk, "extract", anchor.language, asked, ())}
    left = [item for item in passages if item.key not in taken]
    if left:
        own = await extractive.extract(anchor, todo, left, references=references)
        taken |= {item.key: item for item in own}
    return tuple(taken[item.key] for item in passages)
