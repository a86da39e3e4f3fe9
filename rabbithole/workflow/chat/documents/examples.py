"""Example questions made from the collection: of sections with a clean heading whose text answers the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Model, Section
from rabbithole.steps.document_names import document_name
from rabbithole.steps.language import detect_language
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.workflow.chat.locales import Language, say

from .example_headings import RIGHTS, heading_of, is_clean, is_framed, is_question, is_telling

WANTED = 4
MAX_DOCUMENTS = 40
MAX_SECTIONS = 60
PER_DOCUMENT = 2
READ = 12
"""Most sections of a document that are read to find one that answers its question."""
ENOUGH = 12
"""References of a section from which more do not count."""
LONGEST_NAME = 64
FEWEST_SENTENCES, FEWEST_WORDS = 2, 6
FEW = 0.25
"""Share of the documents from which those in the person's language make the examples alone."""
FOUND = 5
"""The section has to be among so many hits when the question is searched."""
_LEGAL = re.compile(r"\A§\s?\d+\w?\Z")


class ExampleQuestion(Model):
    question: str
    document: str
    references: int


def is_readable(text: str, heading: str, language: str) -> bool:
    """Return whether a text has sentences in the document's language, with words of its heading, and is no licence."""
    told = [one.flat for one in sentences(text) if one.flat != heading]
    whole = [one for one in told if len(one.split()) >= FEWEST_WORDS]
    words = " ".join(whole)
    supported: Language = "de" if language == "de" else "en"
    return (
        len(whole) >= FEWEST_SENTENCES
        and not RIGHTS.search(words)
        and bool(stem_set(heading, supported) & stem_set(words, supported))
        and detect_language(words) == supported
    )


def question_of(heading: str, number: str, name: str, language: Language) -> str:
    """Return the question a person would ask about a section."""
    if is_question(heading):
        return heading
    if " " not in name and _LEGAL.match(number):
        return say(language, "example.section", section=number, heading=heading, title=name)
    designation = " " not in name or (len(name.split()) == 2 and name[-1].isdigit())
    title = name if designation else say(language, "example.quoted", title=name)
    return say(language, "example.question", heading=heading, title=title)


def chosen(candidates: Iterable[ExampleQuestion], wanted: int = WANTED) -> list[ExampleQuestion]:
    """Return the examples with the most references, one per document if possible, without duplicates (two editions)."""
    unique: dict[str, ExampleQuestion] = {}
    for one in sorted(candidates, key=lambda one: -one.references):
        unique.setdefault(one.question, one)
    ranked = list(unique.values())
    first: dict[str, ExampleQuestion] = {}
    for one in ranked:
        first.setdefault(one.document, one)
    others = [one for one in ranked if first[one.document] is not one]
    return [*first.values(), *others][:wanted]


def is_final(best: Sequence[ExampleQuestion], wanted: int = WANTED) -> bool:
    """Return whether no later document can take the place of one of these: all are of the best kind."""
    several = len({one.document for one in best}) == wanted
    return several and all(one.references == ENOUGH for one in best)


def examples(kb: KnowledgeBase, language: Language, collections: Sequence[str] = ()) -> list[ExampleQuestion]:
    """Return questions in the person's language, each with a heading as it stands in its document."""
    names = [one.name for one in kb.collections() if not collections or one.name in collections]
    readable = list(_in_turn(_readable(kb, name) for name in names))
    found: list[ExampleQuestion] = []
    best: list[ExampleQuestion] = []
    for document in preferred(readable, language)[:MAX_DOCUMENTS]:
        found += _of(kb, document, language)
        best = chosen(found)
        if is_final(best):
            break
    return best


def preferred(documents: Sequence[Document], language: Language) -> Sequence[Document]:
    """Return the documents in the person's language, or all where these are few: examples show what is held."""
    same = [one for one in documents if one.language == language]
    return same if len(same) >= FEW * len(documents) else documents


def _readable(kb: KnowledgeBase, collection: str) -> list[Document]:
    """Return the documents of a collection with a readable text in a known language and a name that can be said."""
    unread = {file.file for file in kb.unread((collection,))}
    return [
        one
        for one in kb.documents()
        if one.collection == collection and one.file not in unread and one.language in ("de", "en")
        if len(_name(one)) <= LONGEST_NAME and is_clean(_name(one)) and not (" " in _name(one) and _name(one).isupper())
    ]


def _name(document: Document) -> str:
    """Return the document's name without its edition, which a question need not say."""
    return document_name(document).removesuffix(f", {document.metadata.get('edition')}")


def _in_turn(groups: Iterable[Sequence[Document]]) -> Iterator[Document]:
    """Yield the documents of the collections in turn, so that none is left out because others are large."""
    return (one for one in chain.from_iterable(zip_longest(*groups)) if one is not None)


def _of(kb: KnowledgeBase, document: Document, language: Language) -> list[ExampleQuestion]:
    """Return the questions about the sections of a document that refer to most places.

    A heading that is a question is asked as it stands, so only where the document is in the person's language.
    """
    starts = sorted(reference.start for reference in kb.references(document.id))
    name = _name(document)
    outline = {one.id: one for one in kb.outline(document.id)}
    telling = [
        one
        for one in outline.values()
        if is_telling(heading_of(one), document.title) and not is_framed(one, outline, document.title)
    ][:MAX_SECTIONS]
    counted = [(min(sum(one.start <= at < one.own_end for at in starts), ENOUGH), one) for one in telling]
    made: list[ExampleQuestion] = []
    for count, section in sorted(counted, key=lambda pair: -pair[0])[:READ]:
        heading = heading_of(section)
        if is_question(heading) and document.language != language:
            continue
        question = question_of(heading, section.number, name, language)
        text = kb.section_text(section.id, own=True)
        if is_readable(text, heading, document.language) and _is_found(kb, question, section):
            made.append(ExampleQuestion(question=question, document=document.id, references=count))
        if len(made) == PER_DOCUMENT:
            break
    return made


def _is_found(kb: KnowledgeBase, question: str, section: Section) -> bool:
    """Return whether a search for the question finds the section."""
    hits = kb.search(question, mode="keyword", top_k=FOUND).hits
    return any(hit.chunk.section == section.id for hit in hits)
