"""Phase 3: follow a reference to exactly the place it names, read on, extract."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rabbithole.kb.errors import RabbitholeError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model, Section
from rabbithole.steps.budget import tokens_of_span
from rabbithole.steps.models import TIER_WEIGHTS, Anchor, ChainLink, Evidence, Todo
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.steps.threads import run_in_thread

from .extraction import NamedPassage, Opened, extract
from .mentions import Mention
from .neighbours import next_door
from .reading_units import Reading, open_reading, readings_of_hits, search_all, unique
from .relevance import INHERITED_SHARE

SUCCESSORS = 2
SCOPED_CHUNKS = 3


class Reach(Model):
    """What following one reference reads. ``sections`` are all of them, kept or not."""

    places: tuple[Reading, ...] = ()
    sections: tuple[str, ...] = ()
    tokens: int = 0


class Step(Model):
    """One reference to follow, the evidence it stands in, and the places it leads to."""

    mention: Mention
    source: Evidence
    places: tuple[Reading, ...] = ()


class Followed(Model):
    """What following one reference brought; ``error`` says why it brought nothing."""

    evidence: tuple[Evidence, ...] = ()
    error: str = ""


def reach(
    kb: KnowledgeBase, settings: ResearchSettings, question: str, mention: Mention, known: Collection[str] = ()
) -> Reach:
    """The places following a reference reads, known before any model is asked.

    ``known``: sections the task had read before, which are not read again for standing next door.
    Raises RabbitholeError when a place cannot be opened.
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
    steps: Sequence[Step],
    depth: int,
    *,
    scale: float | None = None,
) -> tuple[Followed, ...]:
    """Read the places these references lead to; one extraction for all of them.

    A place itself is kept whatever it scores (a gate has said it is worth reading); what stands beside it must be
    relevant, measured by the weight of its tier. ``scale``: see ``extract``. A place that cannot be read is a result
    that says so.
    """

    def read() -> list[list[Opened] | str]:
        return [_opened(kb, todo, step, depth) for step in steps]

    opened = await run_in_thread(read)
    named = {
        evidence.key: NamedPassage(mention=step.mention, least=round(INHERITED_SHARE * step.source.score, 4))
        for step, one in zip(steps, opened, strict=True)
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
    """One reference alone, opened and extracted."""
    try:
        found = await run_in_thread(reach, kb, settings, todo.text, mention)
    except RabbitholeError as error:
        return Followed(error=str(error))
    step = Step(mention=mention, source=source, places=found.places)
    return (await extract_all(kb, reasoner, settings, anchor, todo, [step], depth, scale=scale))[0]


def _opened(kb: KnowledgeBase, todo: Todo, step: Step, depth: int) -> list[Opened] | str:
    """The texts of one reference's places; the error's words when they cannot be read."""
    mention, source = step.mention, step.source
    link = ChainLink(
        document=source.document,
        section=source.section,
        reference=mention.reference.text,
        kind=mention.reference.kind,
    )
    chain, via = (*source.chain, link), f"{mention.source}:{mention.reference.start}"
    try:
        return [open_reading(kb, todo.id, place, depth=depth, chain=chain, via=via) for place in step.places]
    except RabbitholeError as error:
        return str(error)


def places_to_read(
    kb: KnowledgeBase, settings: ResearchSettings, question: str, mention: Mention, known: Collection[str] = ()
) -> tuple[Reading, ...]:
    """The section whole when it fits, else the exact place, else what a search inside it finds; then neighbours.

    ``known``: sections that need not be read again for standing next door.
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
    others = [kb.section_by_id(one) for one in resolution.following[:SUCCESSORS]]
    others += [one for one in next_door(*kb.neighbours(section.id)) if one.id not in known]
    for other in others:
        readings += _whole_or_place(other, None, None, limit)
    return unique(readings)


async def whole_sections(kb: KnowledgeBase, evidence: Sequence[Evidence]) -> set[str]:
    """Visited keys of the sections that were read as a whole."""

    def work() -> set[str]:
        pairs = [(item, kb.section_by_id(item.section)) for item in evidence if item.section]
        return {
            f"{item.document}/{section.id}"
            for item, section in pairs
            if item.start <= section.start and section.own_end <= item.end
        }

    return await run_in_thread(work)


def _whole_or_place(section: Section, start: int | None, end: int | None, limit_tokens: int) -> tuple[Reading, ...]:
    """The section with its subsections, or the exact place in it, whichever first fits; empty when neither does."""
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
