"""Who reads which passage: the model in few calls of equal size, plain words where they tell enough."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rabbithole.steps.language import detect_language
from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.reasoning.client.fallback import or_this
from rabbithole.steps.reasoning.client.priority import pressing
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Extraction, Passage

from . import extraction
from .batch import evenly
from .prompt_runner import Talk

_TELLS = 0.2  # relevance by words from which a model reads a followed place


def told_by_words(anchor: Anchor, passage: Passage, own: Extraction) -> bool:
    """Whether a followed place needs no model: in the question's language, and nothing of the question in it."""
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
    """The passages in parts of equal size, read at once: as few calls as they fit into, none waited for long.

    A place that a reference led to and that shares no word with question or task is taken by its own words.
    """
    own = await extractive.extract(anchor, todo, passages, references=False)
    found = {item.key: item for item in own}
    asked = [item for item in passages if not told_by_words(anchor, item, found[item.key])]
    parts = evenly(asked, _a_call(talk))
    taken = await asyncio.gather(*(_part(talk, extractive, anchor, todo, part, references) for part in parts))
    found |= {item.key: _in_words(item, found[item.key]) for part in taken for item in part}
    return tuple(found[item.key] for item in passages)


def _in_words(item: Extraction, own: Extraction) -> Extraction:
    """What the model took; its words by rule where it says that a passage answers and points at none of it."""
    if item.quotes or not item.relevance:
        return item
    return item.model_copy(update={"quotes": own.quotes, "info": item.info or own.info})


def _a_call(talk: Talk) -> int:
    """As set, and no more than the window has room for.

    Half of it where other work waits and slots are there: two calls at once are through in half the time.
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
