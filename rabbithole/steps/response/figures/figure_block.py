"""Complete a block: the rows of tables with a value asked for, or for a figure no passage states, stand first."""

from __future__ import annotations

import re

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.notation.captions import NUMBER, TABLE
from rabbithole.steps.question import Understood
from rabbithole.steps.response.models import Block, QuotedPassage
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder

from .figure_rows import rows_of_figures, unstated
from .table_marks import with_marks
from .value_rows import rows_of_values

_CAPTION = re.compile(rf"\s*{TABLE}\s*(?P<number>{NUMBER})")
_BESIDE = 2
"""Maximum number of other passages beside the rows."""
_NEAR = 0.1
"""Least probability of other passages that are shown beside the rows."""


def with_figures(kb: KnowledgeBase, understood: Understood, block: Block, builder: PassageBuilder) -> Block:
    """Return a block with the rows of values asked for, or of figures that no passage states; marks tables. Blocks."""
    language, part = understood.language, block.part
    marked = tuple(with_marks(one, part, language, understood.names) for one in block.passages)
    block = block.model_copy(update={"passages": marked})
    if block.finding == "answered" or not marked:
        return block
    marked = table_first(marked)
    block = block.model_copy(update={"passages": marked})
    missing = unstated(part, marked, language)
    document = block.best[0].evidence.document
    rows = (
        [(row, 0) for row in rows_of_figures(kb, part, document, language)]
        if missing
        else rows_of_values(kb, understood.query, part, document, language)
    )
    new = [with_marks(builder.passage(row), part, language, every=True, label=label) for row, label in rows]
    if not new:
        return block
    near = marked if block.probability >= _NEAR else ()
    others = [one for one in near if not any(one.overlaps(row) for row in new)][:_BESIDE]
    named = tuple(_as_written(term, part) for term in missing)
    return block.model_copy(update={"passages": (*new, *others), "figures": named, "rows": len(new)})


def table_first(passages: tuple[QuotedPassage, ...]) -> tuple[QuotedPassage, ...]:
    """Return the passages with the rows of a table first that the first one refers to by its number."""
    first, *others = passages
    for one in others:
        caption = _CAPTION.match(one.head or one.text)
        if caption and re.search(rf"\b{TABLE}\s*{re.escape(caption['number'])}(?![.-]?\d)", first.text):
            rest = tuple(each for each in others if each is not one)
            return one, first.model_copy(update={"bold": ()}) if one.bold else first, *rest
    return passages


def _as_written(term: str, question: str) -> str:
    found = re.search(re.escape(term), question, re.IGNORECASE)
    return found[0] if found else term
