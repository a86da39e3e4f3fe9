"""Texts to read: searching with several queries, widening a hit to its section, evidence keys."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Hit, Model, Section
from rabbithole.kb.place_names import short_place
from rabbithole.steps.budget import tokens_of_span
from rabbithole.steps.document_names import document_name
from rabbithole.steps.models import ChainLink, Evidence
from rabbithole.steps.reasoning.protocol import Passage
from rabbithole.steps.reasoning.text.sentences import left_open

from .relevance import calibrated

KEY_DIGITS = 8
LONGEST_SENTENCE = 800
"""Characters before a part of a section in which the sentence it begins in may have begun."""
LITERATURE = re.compile(
    r"^\W*(?:(?:appendix|annex|anhang|anlage)\s+\w{1,4}\W+|[\dA-Z]{1,3}(?:\.\d+)*\.?\s+)?"
    r"(?:(?:normative|informative|selected|general|cited|additional|further|annotated|notes|acknowledge?ments?|and|list\s+of|"
    r"ausgewähltes?|weiterführende|allgemeine)\W+){0,3}"
    r"(?:references|bibliography|literature|literatur(?:verzeichnis|hinweise)?|quellen(?:verzeichnis)?|schrifttum)\W*$",
    re.IGNORECASE,
)


class Reading(Model):
    """A span of a document that is read: a whole section where it fits, else a part of it."""

    document: str
    section: str | None
    chunk: str | None = None
    start: int
    end: int
    score: float = 0.0


def evidence_key(task: int, document: str, start: int, end: int, via: str = "") -> str:
    """Opaque and stable: the same span read for the same task by the same way has the same key in every run."""
    digest = hashlib.sha256(f"{task}|{document}|{start}|{end}|{via}".encode()).hexdigest()
    return f"e{digest[:KEY_DIGITS]}"


def passage_of_chunk(chunk: Chunk, file: str, score: float = 0.0, title: str = "") -> Passage:
    """A chunk as the reasoner sees it; its key is the chunk's id."""
    where = ", ".join((file, *chunk.section_path[-1:], short_place(chunk.page_label, chunk.page)))
    return Passage(key=chunk.id, where=where, text=chunk.text, title=title, score=score)


def search_all(
    kb: KnowledgeBase,
    queries: Sequence[str],
    collections: Sequence[str],
    top_k: int,
    *,
    documents: Sequence[str] = (),
    section: str | None = None,
) -> tuple[Hit, ...]:
    """The best chunks of every query, each chunk once, first the best of each query, then the second best...

    Scores are calibrated to 0-1 within each query: fused scores mean different things with different embeddings.
    """

    def one(query: str) -> list[Hit]:
        found = kb.search(query, collections, top_k=top_k, documents=documents, section=section).hits
        scores = calibrated([hit.score for hit in found])
        return [hit.model_copy(update={"score": score}) for hit, score in zip(found, scores, strict=True)]

    results = [one(query) for query in dict.fromkeys(queries) if query.strip()]
    best: dict[str, Hit] = {}
    for row in zip_longest(*results):
        for hit in row:
            if hit is not None and (hit.chunk.id not in best or hit.score > best[hit.chunk.id].score):
                best[hit.chunk.id] = hit
    return tuple(best.values())


def is_literature(section: Section, above: Iterable[str] = ()) -> bool:
    """Lists of literature match every query on their subject and say nothing themselves.

    ``above``: the headings the section stands under, with their numbers.
    """
    return any(LITERATURE.search(heading) for heading in (section.heading, *above))


def widen(hits: Sequence[Hit], sections: dict[str, Section], limit_tokens: int) -> tuple[Reading, ...]:
    """Each hit's whole section where it fits into ``limit_tokens``, else the chunk; every span once, in hit order."""
    readings: dict[tuple[str, int, int], Reading] = {}
    for hit in hits:
        chunk = hit.chunk
        section = sections.get(chunk.section)
        fits = section is not None and tokens_of_span(section.start, section.own_end) <= limit_tokens
        start, end = (section.start, section.own_end) if section is not None and fits else (chunk.start, chunk.end)
        key = (chunk.document, start, end)
        if key not in readings:
            readings[key] = Reading(
                document=chunk.document, section=chunk.section, chunk=chunk.id, start=start, end=end, score=hit.score
            )
    return tuple(readings.values())


def unique(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Every span once, where it first stands."""
    return tuple({(one.document, one.start, one.end): one for one in reversed(readings)}.values())[::-1]


def readings_of_hits(kb: KnowledgeBase, hits: Sequence[Hit], limit_tokens: int) -> tuple[Reading, ...]:
    """What is read for these hits; lists of literature are not."""
    sections = {hit.chunk.section: kb.section_by_id(hit.chunk.section) for hit in hits}
    telling = [hit for hit in hits if not is_literature(sections[hit.chunk.section])]
    return unique([_from_sentence(kb, one, sections) for one in widen(telling, sections, limit_tokens)])


def _from_sentence(kb: KnowledgeBase, reading: Reading, sections: dict[str, Section]) -> Reading:
    """A part of a long section is read from the beginning of the sentence it begins in."""
    section = sections.get(reading.section or "")
    if section is None or reading.start <= section.start:
        return reading
    before = max(section.start, reading.start - LONGEST_SENTENCE)
    opened = left_open(kb.text(reading.document, before, reading.start))
    # a sentence that begins with what was looked at may begin earlier still
    return reading if not opened else reading.model_copy(update={"start": before + opened})


def open_reading(
    kb: KnowledgeBase,
    task: int,
    reading: Reading,
    *,
    depth: int = 0,
    chain: tuple[ChainLink, ...] = (),
    via: str = "",
) -> tuple[Evidence, Passage]:
    """The evidence a reading would become (nothing extracted yet) and the passage shown to the reasoner."""
    document = kb.document(reading.document)
    section = kb.section_by_id(reading.section) if reading.section else None
    page, label = kb.page_of(reading.document, reading.start)
    evidence = Evidence(
        key=evidence_key(task, reading.document, reading.start, reading.end, via),
        task=task,
        document=reading.document,
        section=reading.section,
        chunk=reading.chunk,
        file=document.file,
        title=document.title,
        short=document_name(document),
        section_label=section.label if section else "",
        page=page,
        page_label=label,
        start=reading.start,
        end=reading.end,
        info="",
        note=kb.standing(reading.document),
        depth=depth,
        chain=chain,
    )
    where = ", ".join(part for part in (document.file, evidence.section_label, short_place(label, page)) if part)
    text = kb.text(reading.document, reading.start, reading.end)
    return evidence, Passage(key=evidence.key, where=where, text=text, score=reading.score, depth=depth)
