"""Find and resolve the references in passages that were read, in order of appearance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model, Place, Reference, Resolution, Section
from rabbithole.kb.references.detection.amendment import only_amends
from rabbithole.kb.references.grammar.published import is_gazette
from rabbithole.steps.budget import tokens_of_span
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.protocol import FoundReference
from rabbithole.steps.scheduling.threads import run_in_thread
from rabbithole.steps.settings import ResearchSettings

from .relevance import INHERITED_SHARE

CONTEXT_CHARACTERS = 400
BESIDE = 120  # characters, about one sentence


class Mention(Model):
    """One reference in a passage and where it leads. ``place`` is its key in the visited set: see ``place_key``."""

    reference: Reference
    source: str
    source_label: str = ""
    source_score: float = Field(
        default=0.0, description="score of the passage when the reference stands beside a quote"
    )
    source_document: str = ""
    source_section: str | None = None
    context: str
    resolution: Resolution
    place: str
    amends: bool = Field(default=False, description="named only as the act that amended another")
    inside: bool = Field(default=False, description="the place lies in the passage the reference stands in")
    label: str
    page: int | None = None


def accept_found(text: str, start: int, found: Sequence[FoundReference], known: Sequence[Reference]) -> list[Reference]:
    """Return the references the reasoner found in a passage beginning at ``start``, if they are verbatim in its text.

    Those that overlap a detected reference are left out.
    """
    accepted: list[Reference] = []
    for item in found:
        words = item.text.strip()
        at = text.find(words) if words else -1
        if at < 0:
            continue
        begin, end = start + at, start + at + len(words)
        if any(one.start < end and begin < one.end for one in (*known, *accepted)):
            continue
        accepted.append(
            Reference(
                start=begin,
                end=end,
                text=words,
                kind="document_mention",
                target=item.document or words,
                document=item.document or words,
                method="llm",
            )
        )
    return accepted


def in_passage(kb: KnowledgeBase, evidence: Evidence, method: str) -> list[Reference]:
    """Return the references of one passage in order of appearance; ``method`` as in REFERENCE_EXTRACTION_METHOD."""
    detected = list(kb.references(evidence.document, evidence.start, evidence.end)) if method != "llm" else []
    found = list(evidence.found) if method != "regex" else []
    return sorted(detected + found, key=lambda one: (one.start, one.end, one.text))


async def mentions(
    kb: KnowledgeBase, evidence: Sequence[Evidence], collections: Sequence[str], settings: ResearchSettings
) -> tuple[Mention, ...]:
    """Return all references of these passages, resolved, in the order of the passages and of appearance in them."""

    def work() -> tuple[Mention, ...]:
        return tuple(mention for item in evidence for mention in mentions_of(kb, item, collections, settings))

    return await run_in_thread(work)


def root_score(evidence: Evidence) -> float:
    """Return the score of the passage that began the chain; each step inherited a share of it."""
    return min(1.0, evidence.score / INHERITED_SHARE ** len(evidence.chain))


def mentions_of(
    kb: KnowledgeBase, evidence: Evidence, collections: Sequence[str], settings: ResearchSettings
) -> Iterator[Mention]:
    """Yield the references of one passage, each resolved from its place; no gazettes that are not held."""
    if evidence.external:
        return
    text = kb.text(evidence.document)
    for reference in in_passage(kb, evidence, settings.reference_extraction_method):
        at = Place(document=evidence.document, section=evidence.section, offset=reference.start)
        resolution = kb.resolve(reference, at=at, collections=collections)
        if resolution.status == "missing" and is_gazette(resolution.name or reference.text):
            continue  # it says where something was published
        section = kb.section_by_id(resolution.section) if resolution.section else None
        half = CONTEXT_CHARACTERS // 2
        yield Mention(
            reference=reference,
            source=evidence.key,
            source_label=", ".join(
                part for part in (evidence.short or evidence.title or evidence.file, evidence.section_label) if part
            ),
            source_score=root_score(evidence) if beside_quote(reference, evidence) else 0.0,
            source_document=evidence.document,
            source_section=evidence.section,
            context=text[max(0, reference.start - half) : reference.end + half],
            resolution=resolution,
            place=place_key(reference, resolution, section, settings.section_read_tokens),
            label=label_of(reference, resolution),
            amends=only_amends(text, reference.start, reference.end),
            inside=(
                resolution.document == evidence.document
                and resolution.start is not None
                and resolution.end is not None
                and evidence.start <= resolution.start
                and resolution.end <= evidence.end
            ),
            page=resolution.page,
        )


def beside_quote(reference: Reference, evidence: Evidence) -> bool:
    """Return whether a reference is in or next to one of the sentences that the extraction quoted."""
    places = [quote.place for quote in evidence.quotes if quote.place is not None]
    return any(place.start - BESIDE <= reference.start <= place.end + BESIDE for place in places)


def place_key(reference: Reference, resolution: Resolution, section: Section | None, limit_tokens: int) -> str:
    """Return the key of the place in the visited set: document, section and, if the section is too long, the span."""
    if resolution.document is None:
        return f"?{(resolution.name or reference.document or reference.target).casefold()}"
    key = f"{resolution.document}/{resolution.section or ''}"
    long = section is not None and tokens_of_span(section.start, section.end) > limit_tokens
    if long and resolution.start is not None:
        return f"{key}@{resolution.start}-{resolution.end}"
    return key


def label_of(reference: Reference, resolution: Resolution) -> str:
    """Return where it leads, for display and for the gate: 'StrlSchG, § 78 Grenzwerte für exponierte Personen'."""
    name = resolution.name or resolution.file or reference.document or reference.target
    place = " ".join(part for part in (resolution.number, resolution.heading) if part)
    return ", ".join(part for part in (name, place if place != name else "") if part)
