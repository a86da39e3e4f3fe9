"""Phase 3: follow a reference to the exact place it names, read the place and its context, and extract."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rabbithole.kb.errors import CatalogAway, RabbitholeError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model, Section
from rabbithole.steps.budget import tokens_of_span
from rabbithole.steps.models import TIER_WEIGHTS, Anchor, ChainLink, Evidence, Todo
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.scheduling.threads import run_in_thread
from rabbithole.steps.settings import ResearchSettings

from .extraction import NamedPassage, Opened, extract
from .mentions import Mention
from .reading_units import Reading, open_reading, readings_of_hits, search_all, unique
from .relevance import INHERITED_SHARE

SCOPED_CHUNKS = 3
# German and English headings of sections that affect how their neighbour must be read.
DEFINING = re.compile(
    r"\b(begriffsbestimmung\w*|definition\w*|begriffe\b|ausnahme\w*|abweich\w*|befreiung\w*|freigrenze\w*|"
    r"terminology|terms|exception\w*|exemption\w*|exclusion\w*|derogation\w*)\b",
    re.IGNORECASE,
)


class Reach(Model):
    """The places to read for one reference. ``sections`` are all of their sections, kept as evidence or not."""

    places: tuple[Reading, ...] = ()
    sections: tuple[str, ...] = ()
    tokens: int = 0


class OpenedReference(Model):
    """One reference to follow, the evidence that contains it, and the places it leads to."""

    mention: Mention
    source: Evidence
    places: tuple[Reading, ...] = ()


class Followed(Model):
    """The evidence found by following one reference; ``error`` says why its places could not be read."""

    evidence: tuple[Evidence, ...] = ()
    error: str = ""


def reach(
    kb: KnowledgeBase, settings: ResearchSettings, question: str, mention: Mention, known: Collection[str] = ()
) -> Reach:
    """Return the places to read for a reference, without calling a model.

    ``known`` are sections the task has already read; they are not read again as neighbours of the place.
    Raises RabbitholeError if a place cannot be opened.
    """
    places = places_to_read(kb, settings, question, mention, known)
    return Reach(
        places=places,
        sections=tuple(dict.fromkeys(place.section or place.document for place in places)),
        tokens=sum(tokens_of_span(place.start, place.end) for place in places),
    )


async def extract_all(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    anchor: Anchor,
    todo: Todo,
    references: Sequence[OpenedReference],
    depth: int,
    *,
    scale: float | None = None,
) -> tuple[Followed, ...]:
    """Read the places these references lead to, with one extraction for all of them.

    The first place of each reference is always kept, because the gate chose it; the others must reach the relevance
    threshold times the weight of their tier. ``scale``: see ``extract``. If a place cannot be read, the result has its
    error.
    """

    def read() -> list[list[Opened] | str]:
        return [_opened(kb, todo, reference, depth) for reference in references]

    opened = await run_in_thread(read)
    named = {
        evidence.key: NamedPassage(mention=reference.mention, least=round(INHERITED_SHARE * reference.source.score, 4))
        for reference, one in zip(references, opened, strict=True)
        if not isinstance(one, str)
        for evidence, _ in one[:1]
    }
    passages = [pair for one in opened if not isinstance(one, str) for pair in one]
    found = await extract(kb, reasoner, settings, anchor, todo, passages, named=named, scale=scale)
    least = settings.reference_relevance_threshold
    kept = {
        item.key: item for item in found.evidence if item.key in named or item.score >= least * TIER_WEIGHTS[item.tier]
    }
    return tuple(
        Followed(error=one)
        if isinstance(one, str)
        else Followed(evidence=tuple(kept[evidence.key] for evidence, _ in one if evidence.key in kept))
        for one in opened
    )


async def follow(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    anchor: Anchor,
    todo: Todo,
    mention: Mention,
    source: Evidence,
    depth: int,
    *,
    scale: float | None = None,
) -> Followed:
    """Open and extract a single reference."""
    try:
        found = await run_in_thread(reach, kb, settings, todo.text, mention)
    except CatalogAway:
        raise
    except RabbitholeError as error:
        return Followed(error=str(error))
    reference = OpenedReference(mention=mention, source=source, places=found.places)
    return (await extract_all(kb, reasoner, settings, anchor, todo, [reference], depth, scale=scale))[0]


def _opened(kb: KnowledgeBase, todo: Todo, reference: OpenedReference, depth: int) -> list[Opened] | str:
    """Return the texts of one reference's places, or the error message if they cannot be read."""
    mention, source = reference.mention, reference.source
    link = ChainLink(
        document=source.document,
        section=source.section,
        reference=mention.reference.text,
        kind=mention.reference.kind,
    )
    chain, via = (*source.chain, link), f"{mention.source}:{mention.reference.start}"
    try:
        return [open_reading(kb, todo.id, place, depth=depth, chain=chain, via=via) for place in reference.places]
    except CatalogAway:
        raise
    except RabbitholeError as error:
        return str(error)


def places_to_read(
    kb: KnowledgeBase, settings: ResearchSettings, question: str, mention: Mention, known: Collection[str] = ()
) -> tuple[Reading, ...]:
    """Return the whole section if it fits, else the exact place, else passages searched in it; then its neighbours.

    Neighbours in ``known`` are left out.
    """
    resolution, limit = mention.resolution, settings.section_read_tokens
    if resolution.document is None:
        return ()
    if resolution.section is None:
        return _inside(kb, limit, question, resolution.document, None)
    section = kb.section_by_id(resolution.section)
    readings = list(_whole_or_place(section, resolution.start, resolution.end, limit))
    if not readings:
        readings += _inside(kb, limit, question, resolution.document, section.id)
    others = [kb.section_by_id(one) for one in resolution.following]
    others += [one for one in _next_door(*kb.neighbours(section.id)) if one.id not in known]
    for other in others:
        readings += _whole_or_place(other, None, None, limit)
    return unique(readings)


async def whole_sections(kb: KnowledgeBase, evidence: Sequence[Evidence]) -> set[str]:
    """Return the visited keys of the sections that the evidence covers completely."""

    def work() -> set[str]:
        pairs = [(item, kb.section_by_id(item.section)) for item in evidence if item.section]
        return {
            f"{item.document}/{section.id}"
            for item, section in pairs
            if item.start <= section.start and section.own_end <= item.end
        }

    return await run_in_thread(work)


def _whole_or_place(section: Section, start: int | None, end: int | None, limit_tokens: int) -> tuple[Reading, ...]:
    """Return the section with its subsections or, if it is too long, the exact place in it; empty if neither fits."""
    spans = [(section.start, section.end)]
    if start is not None and end is not None:
        spans.append((start, end))
    for begin, stop in spans:
        if 0 < tokens_of_span(begin, stop) <= limit_tokens:
            return (Reading(document=section.document, section=section.id, start=begin, end=stop, score=1.0),)
    return ()


def _inside(kb: KnowledgeBase, limit: int, question: str, document: str, section: str | None) -> tuple[Reading, ...]:
    hits = search_all(kb, [question], (), SCOPED_CHUNKS, documents=[document], section=section)
    return readings_of_hits(kb, hits, limit)


def _next_door(before: Section | None, after: Section | None) -> tuple[Section, ...]:
    """Return those of the two neighbours whose heading announces definitions or exceptions."""
    return tuple(one for one in (before, after) if one is not None and DEFINING.search(one.heading))
