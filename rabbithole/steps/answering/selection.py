"""Types that control what may be read: only sections of documents that were picked from a list and inspected.

Only ``Listing.pick`` returns a ``Picked``, only ``inspect`` an ``Inspected``, and only ``Inspected.choose`` a
``ChosenSection``, which reading requires. A number out of range raises ``SelectionError``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import Field

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter, Hit, Model, SearchMode, Section
from rabbithole.steps.reasoning.protocol import ListedResult

SNIPPET_LINES = 2
SNIPPET_LINE = 100
LEAD_CHARACTERS = 500
MOST_SECTIONS = 8


class SelectionError(UsageError):
    """The number is not in the last list."""


class Picked(Model):
    """One result of a list, with the reason for its choice."""

    listing: int
    number: int
    hit: Hit
    reason: str


class Listing(Model):
    """A numbered list of results; ``total`` counts all matching chunks. Numbers start at 1."""

    id: int
    query: str
    total: int
    hits: tuple[Hit, ...] = ()

    def pick(self, number: int, reason: str) -> Picked:
        """Return the result with this number. Raises SelectionError if the list does not have it."""
        if not 1 <= number <= len(self.hits):
            raise SelectionError(f"The last list has the numbers 1 to {len(self.hits)}, not {number}.")
        return Picked(listing=self.id, number=number, hit=self.hits[number - 1], reason=reason)

    def candidates(self, without: Sequence[str] = ()) -> tuple[ListedResult, ...]:
        """Return the results as shown: title, document, page, two lines; never the text. ``without``: chunk ids."""
        return tuple(
            ListedResult(
                number=number,
                title=" > ".join(part for part in (hit.title, *hit.chunk.section_path[-1:]) if part),
                document=hit.file,
                page=hit.chunk.page_label or str(hit.chunk.page + 1),
                snippet=two_lines(hit.snippet or hit.chunk.text),
            )
            for number, hit in enumerate(self.hits, start=1)
            if hit.chunk.id not in without
        )


class Inspected(Model):
    """A picked document's lead and outline: the sections to choose from, the hit's own first."""

    picked: Picked
    lead: str
    sections: tuple[Section, ...]
    snippets: tuple[str, ...] = Field(description="two lines of each section")

    def choose(self, number: int) -> ChosenSection:
        """Return the section with this number, from 1. Raises SelectionError."""
        if not 1 <= number <= len(self.sections):
            raise SelectionError(f"The outline shown has the numbers 1 to {len(self.sections)}, not {number}.")
        return ChosenSection(picked=self.picked, section=self.sections[number - 1])

    def candidates(self) -> tuple[ListedResult, ...]:
        return tuple(
            ListedResult(
                number=number,
                title=section.label,
                document=self.picked.hit.file,
                page=section.page_label or str(section.page + 1),
                snippet=snippet,
            )
            for number, (section, snippet) in enumerate(zip(self.sections, self.snippets, strict=True), start=1)
        )


class ChosenSection(Model):
    """A section that may be read."""

    picked: Picked
    section: Section


def two_lines(text: str) -> str:
    """Return the first two lines of a text, each cut to a readable length."""
    flat = " ".join(text.split())
    return flat[: SNIPPET_LINES * SNIPPET_LINE]


async def search(
    kb: KnowledgeBase,
    number: int,
    query: str,
    collections: Sequence[str],
    filters: Sequence[Filter],
    strategy: SearchMode,
    length: int,
) -> Listing:
    """Run one search and return its numbered list."""
    result = await asyncio.to_thread(
        kb.search, query, collections, mode=strategy, filters=filters, top_k=length, reread=False
    )
    return Listing(id=number, query=query, total=result.total, hits=result.hits)


async def inspect(kb: KnowledgeBase, picked: Picked, query: str) -> Inspected:
    """Return lead and outline of a picked document: the hit's own section, then those a search inside it finds."""

    def look() -> Inspected:
        document = picked.hit.chunk.document
        own = kb.section_by_id(picked.hit.chunk.section)
        inside = kb.search(query, documents=(document,), top_k=2 * MOST_SECTIONS, reread=False).hits
        ids = dict.fromkeys([own.id, *(hit.chunk.section for hit in inside)])
        sections = tuple(kb.section_by_id(one) for one in list(ids)[:MOST_SECTIONS])
        return Inspected(
            picked=picked,
            lead=kb.text(document, 0, LEAD_CHARACTERS),
            sections=sections,
            snippets=tuple(two_lines(kb.text(document, one.start, one.own_end)) for one in sections),
        )

    return await asyncio.to_thread(look)
