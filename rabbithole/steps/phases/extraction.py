"""Turn passages into evidence, several in one call; quotations are kept only if they are found verbatim."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model, QuotePlace
from rabbithole.steps.models import Anchor, Evidence, Quote, Todo
from rabbithole.steps.reasoning.protocol import Extraction, Passage, Reasoner
from rabbithole.steps.reasoning.text.enumerations import introduced
from rabbithole.steps.reasoning.text.markdown_tables import one_line
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.scheduling.threads import aside_later, run_in_thread
from rabbithole.steps.settings import ResearchSettings

from .mentions import Mention, accept_found
from .relevance import classify, scaled

Opened = tuple[Evidence, Passage]


class ExtractedEvidence(Model):
    """Evidence in the order of its passages, and the best relevance among them."""

    evidence: tuple[Evidence, ...] = ()
    best: float = 0.0


class Read(Model):
    """Passages and the reasoner's extraction from each, still unchecked."""

    opened: tuple[Opened, ...] = ()
    answers: tuple[Extraction, ...] = ()


class NamedPassage(Model):
    """A passage that is exactly the place a reference names, and its minimum score."""

    mention: Mention
    least: float = 0.0


async def extract(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    anchor: Anchor,
    todo: Todo,
    opened: Sequence[Opened],
    *,
    named: Mapping[str, NamedPassage] | None = None,
    scale: float | None = None,
) -> ExtractedEvidence:
    """Extract and check. Passages without any relevance to the task are left out.

    Scores are relative to ``scale``, the best relevance in the task's search, or if None to the best of these passages.
    ``named`` maps evidence keys to the places references name; these are always kept.
    """
    read = await ask(kb, reasoner, settings, anchor, todo, opened)
    return await run_in_thread(check, kb, anchor, read, named or {}, scale)


async def ask(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    anchor: Anchor,
    todo: Todo,
    opened: Sequence[Opened],
) -> Read:
    """Let the reasoner extract from the passages; a span that several references lead to is read only once."""
    if not opened:
        return Read()
    once = {_span(evidence): passage for evidence, passage in reversed(opened)}
    asked = [passage for evidence, passage in opened if once[_span(evidence)] is passage]
    wanted = settings.reference_extraction_method != "regex"
    answered, _ = await asyncio.gather(
        reasoner.extract(anchor, todo, asked, references=wanted), aside_later(_prepare, kb, opened)
    )
    by_key = {one.key: one for one in answered}
    keys = [once[_span(evidence)].key for evidence, _ in opened]
    return Read(opened=tuple(opened), answers=tuple(by_key.get(key, Extraction(key=key)) for key in keys))


def check(
    kb: KnowledgeBase, anchor: Anchor, read: Read, named: Mapping[str, NamedPassage], scale: float | None
) -> ExtractedEvidence:
    """Return the evidence from what was read, with its quotations verified; see ``extract``."""
    best = scale or max((one.relevance for one in read.answers), default=0.0)
    kept = []
    for (evidence, passage), extraction in zip(read.opened, read.answers, strict=True):
        place = named.get(evidence.key)
        if place is not None:
            found = _complete(kb, anchor, evidence, passage, extraction, best)
            kept.append(_named_place(kb, found, place.mention, place.least))
        elif extraction.relevance > 0:
            kept.append(_complete(kb, anchor, evidence, passage, extraction, best))
    return ExtractedEvidence(evidence=tuple(kept), best=best)


def _prepare(kb: KnowledgeBase, opened: Sequence[Opened]) -> None:
    """While the reasoner reads, load what the documents are needed for next: their references and quotable words."""
    for document in dict.fromkeys(evidence.document for evidence, _ in opened):
        kb.references(document, 0, 0)
        kb.find_quote(document, "")


def _span(evidence: Evidence) -> tuple[str, int, int]:
    return evidence.document, evidence.start, evidence.end


def _complete(
    kb: KnowledgeBase, anchor: Anchor, evidence: Evidence, passage: Passage, extraction: Extraction, best: float
) -> Evidence:
    found = [quote for words in extraction.quotes if (quote := verified(kb, evidence, words)) is not None]
    quotes = introduced(kb, evidence, found)
    names_entity = any(entity.casefold() in passage.text.casefold() for entity in anchor.entities if entity.strip())
    known = kb.references(evidence.document, evidence.start, evidence.end) if extraction.references else ()
    score = scaled(extraction.relevance, best, passage.score if evidence.depth == 0 else 0.0)
    return evidence.model_copy(
        update={
            "info": extraction.info or (quotes[0].text if quotes else ""),
            "quotes": quotes,
            "score": score,
            "tier": classify(evidence.depth, score, names_entity=names_entity),
            "found": tuple(accept_found(passage.text, evidence.start, extraction.references, known)),
        }
    )


def _named_place(kb: KnowledgeBase, evidence: Evidence, mention: Mention, least: float) -> Evidence:
    """Return the evidence of the exact place a reference names, quoting its first words if extraction quoted none."""
    resolution = mention.resolution
    quotes, info = evidence.quotes, evidence.info
    narrow = resolution.start is not None and resolution.end is not None
    start, end = (resolution.start or 0, resolution.end or 0) if narrow else (evidence.start, evidence.end)
    at_place = tuple(quote for quote in quotes if quote.place and start <= quote.place.start < end)
    if narrow and at_place:
        quotes = at_place  # quotations from elsewhere in the section are not from the place the reference names
    if not at_place:
        words = _first_words(kb.text(evidence.document, start, end))
        quote = verified(kb, evidence, words) if words else None
        if quote:
            quotes = (quote,) if narrow else (quote, *quotes)
        info = info or one_line(words)
    score = max(evidence.score, least)
    note = resolution.note or evidence.note
    return evidence.model_copy(update={"quotes": quotes, "info": info, "score": score, "note": note})


def _first_words(text: str) -> str:
    """Return the first complete sentence of a place, after its heading."""
    every = [one.text for one in sentences(text) if len(one.text.split()) >= 5]
    return next((words for words in every if words.rstrip().endswith((".", ";", ":"))), every[0] if every else "")


def verified(kb: KnowledgeBase, evidence: Evidence, words: str) -> Quote | None:
    """Return the words as a quotation with its place, or None if they are not verbatim within the evidence's span."""
    place = find_within(kb, evidence, words)
    inside = place is not None and evidence.start <= place.start and place.end <= evidence.end
    return Quote(text=words, place=place) if inside else None


def find_within(kb: KnowledgeBase, evidence: Evidence, words: str) -> QuotePlace | None:
    """Return where the words occur on the evidence's pages, preferably within its span; None if nowhere."""
    first = kb.page_of(evidence.document, evidence.start)[0]
    last = kb.page_of(evidence.document, max(evidence.start, evidence.end - 1))[0]
    best: QuotePlace | None = None
    for page in range(first, last + 1):
        place = kb.find_quote(evidence.document, words, page=page)
        if place is None:
            return None
        if evidence.start <= place.start and place.end <= evidence.end:
            return place
        best = best or place
    return best
