"""Complete a block: the rows of tables that go with a figure no passage states come first, and tables have marks."""

from __future__ import annotations

import re

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import Understood
from rabbithole.steps.response.models import Block
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder

from .figure_rows import rows_of_figures, unstated
from .table_marks import with_marks

_BESIDE = 2
"""Maximum number of other passages beside the rows."""
_NEAR = 0.1
"""Least probability of other passages that are shown beside the rows."""


def with_figures(kb: KnowledgeBase, understood: Understood, block: Block, builder: PassageBuilder) -> Block:
    """Return a block with the rows of the figures asked for, where no passage states these. Blocks."""
    language, part = understood.language, block.part
    marked = tuple(with_marks(one, part, language, understood.names) for one in block.passages)
    block = block.model_copy(update={"passages": marked})
    missing = unstated(part, marked, language) if block.finding != "answered" and marked else ()
    if not missing:
        return block
    rows = rows_of_figures(kb, part, block.best[0].evidence.document, language)
    new = [with_marks(builder.passage(row), part, language, every=True) for row in rows]
    if not new:
        return block
    near = marked if block.probability >= _NEAR else ()
    others = [one for one in near if not any(one.overlaps(row) for row in new)][:_BESIDE]
    named = tuple(_as_written(term, part) for term in missing)
    return block.model_copy(update={"passages": (*new, *others), "figures": named, "rows": len(new)})


def _as_written(term: str, question: str) -> str:
    found = re.search(re.escape(term), question, re.IGNORECASE)
    return found[0] if found else term
