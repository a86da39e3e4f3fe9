"""Example questions made from the collection, about sections that refer to other places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Model, Section
from rabbithole.steps.document_names import document_name
from rabbithole.workflow.chat.locales import Language, say

WANTED = 4
MAX_DOCUMENTS = 40
MAX_SECTIONS = 60
ENOUGH = 12
"""References of a section from which more do not count."""
HEADING_LENGTH = range(8, 71)
DULL = re.compile(
    r"(?i)\b(inhalt\w*|\w*verweisung\w*|anwendungsbereich|scope|verzeichnis|vorwort|einleitung|einführung|zusammenfassung|begriff\w*|literatur|anhang|anlage|"
    r"impressum|inkrafttreten|introduction|abstract|contents|preface|foreword|summary|references|bibliography|"
    r"acknowledge?ments|definitions?|appendix|annex|index|glossary|terminology|status of this memo|copyright)\b"
)


class ExampleQuestion(Model):
    question: str
    document: str
    references: int


def is_telling(section: Section, title: str) -> bool:
    """Return whether the heading names a subject and adds something to the document's title."""
    heading = section.heading.strip()
    return (
        len(heading) in HEADING_LENGTH
        and " " in heading
        and not DULL.search(heading)
        and heading.casefold() not in title.casefold()
    )


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
    """Return questions in the user's language, from documents in that language if there are any."""
    documents = [one for one in kb.documents() if not collections or one.collection in collections]
    same = [one for one in documents if one.language == language]
    found: list[ExampleQuestion] = []
    best: list[ExampleQuestion] = []
    for document in (same or documents)[:MAX_DOCUMENTS]:
        found += _of(kb, document, language)
        best = chosen(found)
        if is_final(best):
            break
    return best


def _of(kb: KnowledgeBase, document: Document, language: Language) -> list[ExampleQuestion]:
    asked: Language = "de" if document.language == "de" else "en" if document.language == "en" else language
    starts = sorted(reference.start for reference in kb.references(document.id))
    made: list[ExampleQuestion] = []
    for section in [one for one in kb.outline(document.id) if is_telling(one, document.title)][:MAX_SECTIONS]:
        count = sum(section.start <= start < section.own_end for start in starts)
        question = say(
            asked, "example.question", heading=section.heading.strip().rstrip("."), title=document_name(document)
        )
        made.append(ExampleQuestion(question=question, document=document.id, references=min(count, ENOUGH)))
    return made
