"""Find texts to read: search with several queries, widen hits to sections, and make evidence keys."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Document, Hit, Model, Section
from rabbithole.kb.place_names import short_place
from rabbithole.steps.budget import tokens_of_span
from rabbithole.steps.distinct_names import name_in
from rabbithole.steps.models import ChainLink, Evidence
from rabbithole.steps.reasoning.protocol import Passage
from rabbithole.steps.reasoning.text.sentences import left_open

from .relevance import calibrated

KEY_DIGITS = 8
LONGEST_SENTENCE = 800
"""How far back to look for the beginning of the sentence in which a part of a section begins, in characters."""
LITERATURE = re.compile(
    r"^\W*(?:(?:appendix|annex|anhang|anlage)\s+\w{1,4}\W+|[\dA-Z]{1,3}(?:\.\d+)*\.?\s+)?"
    r"(?:(?:normative|informative|selected|general|cited|additional|further|annotated|notes|acknowledge?ments?|and|list\s+of|"
    r"ausgewähltes?|weiterführende|allgemeine)\W+){0,3}"
    r"(?:references|bibliography|literature|literatur(?:verzeichnis|hinweise)?|quellen(?:verzeichnis)?|schrifttum)\W*$",
    re.IGNORECASE,
)


class Reading(Model):
    """A span of a document to read: a whole section if it fits, else a part of it."""

    document: str
    section: str | None
    chunk: str | None = None
    start: int
    end: int
    score: float = 0.0


def evidence_key(task: int, document: str, start: int, end: int, via: str = "") -> str:
    """Return an opaque, stable key: the same span, task and reference (``via``) give the same key in every run."""
    digest = hashlib.sha256(f"{task}|{document}|{start}|{end}|{via}".encode()).hexdigest()
    return f"e{digest[:KEY_DIGITS]}"


def passage_of_chunk(chunk: Chunk, document: Document, name: str, score: float = 0.0) -> Passage:
    """Return a chunk of the document as a passage for the reasoner; its key is the chunk's id."""
    where = ", ".join((document.file, *chunk.section_path[-1:], short_place(chunk.page_label, chunk.page)))
    return Passage(key=chunk.id, where=where, text=chunk.text, title=document.title, name=name, score=score)


def search_all(
    kb: KnowledgeBase,
    queries: Sequence[str],
    collections: Sequence[str],
    top_k: int,
    *,
    documents: Sequence[str] = (),
    section: str | None = None,
) -> tuple[Hit, ...]:
    """Return the best chunks of every query, each once: first the best of each query, then the second best...

    Scores are calibrated to 0-1 within each query, because fused scores differ in range between embeddings.
    """

    def one(query: str) -> list[Hit]:
        found = kb.search(query, collections, top_k=top_k, documents=documents, section=section, reread=False).hits
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
    """Return whether a section is a bibliography; these match every query on their subject but contain no statements.

    ``above`` are the headings above the section, with their numbers.
    """
    return any(LITERATURE.search(heading) for heading in (section.heading, *above))


def widen(hits: Sequence[Hit], sections: dict[str, Section], limit_tokens: int) -> tuple[Reading, ...]:
    """Return each hit's section if it fits into ``limit_tokens``, else its chunk; every span once, in hit order."""
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
    """Return the readings with every span once, at its first position."""
    return tuple({(one.document, one.start, one.end): one for one in reversed(readings)}.values())[::-1]


def readings_of_hits(kb: KnowledgeBase, hits: Sequence[Hit], limit_tokens: int) -> tuple[Reading, ...]:
    """Return what to read for these hits, without bibliographies."""
    sections = {hit.chunk.section: kb.section_by_id(hit.chunk.section) for hit in hits}
    telling = [hit for hit in hits if not is_literature(sections[hit.chunk.section])]
    return unique([_from_sentence(kb, one, sections) for one in widen(telling, sections, limit_tokens)])


def _from_sentence(kb: KnowledgeBase, reading: Reading, sections: dict[str, Section]) -> Reading:
    """Extend a part of a long section back to the beginning of its first sentence."""
    section = sections.get(reading.section or "")
    if section is None or reading.start <= section.start:
        return reading
    before = max(section.start, reading.start - LONGEST_SENTENCE)
    opened = left_open(kb.text(reading.document, before, reading.start))
    # None: the reading starts a sentence. 0: its sentence may begin before the text looked at.
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
    """Return the evidence of a reading, with nothing extracted yet, and the passage to show to the reasoner."""
    document = kb.document(reading.document)
    section = kb.section_by_id(reading.section) if reading.section else None
    page, label = kb.page_of(reading.document, reading.start)
    title = kb.title_at(document.id, reading.start)
    evidence = Evidence(
        key=evidence_key(task, reading.document, reading.start, reading.end, via),
        task=task,
        document=reading.document,
        section=reading.section,
        chunk=reading.chunk,
        file=document.file,
        title=title,
        short=name_in(kb, document) if title == document.title else title,
        section_label=kb.section_label(section.id) if section else "",
        page=page,
        page_label=label,
        start=reading.start,
        end=reading.end,
        info="",
        note=kb.validity_note(reading.document),
        depth=depth,
        chain=chain,
    )
    where = ", ".join(part for part in (document.file, evidence.section_label, short_place(label, page)) if part)
    text = kb.text(reading.document, reading.start, reading.end)
    return evidence, Passage(key=evidence.key, where=where, text=text, score=reading.score, depth=depth)
