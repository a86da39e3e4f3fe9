"""Finds the sections whose headings a question quotes, or repeats as a whole, as one of an FAQ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Section
from rabbithole.kb.notation.quotation_marks import quoted
from rabbithole.steps.page_names import letters_of

from .models import NamedPlace

QUOTED = re.compile(quoted(4, 200))
_HITS = 20
_LEAST_LETTERS, _WORDS = 6, 4
"""Least letters of a heading, and words of a question that may be one as a whole."""


def quoted_headings(kb: KnowledgeBase, query: str, documents: Sequence[Document]) -> Iterator[NamedPlace]:
    """Yield the section of each quoted heading, if exactly one has it, or one in a document the question names.

    What does the manual say about “Solving problems”?
    """
    held = {one.id: one for one in documents}
    titles = {letters_of(one.title) for one in documents}
    whole = [(query, query)] if len(query.split()) >= _WORDS else []
    for text, words in (*((match[0], match[1].strip()) for match in QUOTED.finditer(query)), *whole):
        if len(letters_of(words)) < _LEAST_LETTERS or letters_of(words) in titles:
            continue
        found = {section.id: section for section in _headed(kb, words, tuple(held))}
        rest = letters_of(query.replace(text, " "))
        named = [one for one in found.values() if _is_named(held[one.document], rest)]
        chosen = named if len(named) == 1 else list(found.values())
        if len(chosen) == 1:
            yield _place(text, held[chosen[0].document], chosen[0])


def _headed(kb: KnowledgeBase, words: str, documents: tuple[str, ...]) -> Iterator[Section]:
    """Yield the sections with this heading, with or without its number, among those that a search for it finds."""
    wanted = letters_of(words)
    for hit in kb.search(words, mode="keyword", documents=documents, top_k=_HITS).hits:
        section = kb.section_at(hit.chunk.document, hit.chunk.start)
        if section is not None and wanted in (letters_of(section.heading), letters_of(section.label)):
            yield section


def _is_named(document: Document, rest: str) -> bool:
    """Return whether the letters of a question hold a name of the document."""
    names = (document.title, *document.synonyms, document.file.rpartition("/")[2].rsplit(".", 1)[0])
    return any(len(letters_of(name)) > 2 and letters_of(name) in rest for name in names)


def _place(text: str, document: Document, section: Section) -> NamedPlace:
    return NamedPlace(
        text=text,
        name=document.title,
        status="held",
        document=document.id,
        section=section.id,
        asked=section.label,
    )
