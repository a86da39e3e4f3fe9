"""Collects everything known about a question before the search."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.search.fiscal_years import written_out
from rabbithole.steps.reasoning.parts.question_parts import LONG, asks, question_parts
from rabbithole.steps.reasoning.text.terms import stem_set

from .document_scope import DocumentScope, scope_of
from .indexed_words import absent_words, strange
from .models import Understood
from .named_places import named_places
from .spelling_corrections import corrected, corrections

_COURTESY = re.compile(
    r"\W*(?:(?:vielen |herzlichen |besten )?dank(?:e)?(?: dir| ihnen| schön| sehr)?|bitte|hallo|hi|hey|moin|servus|"
    r"guten (?:tag|morgen|abend)|tschüss|ok(?:ay)?|test|ja|nein|super|prima|thanks?(?: you)?(?: (?:so|very) much)?|"
    r"please|hello|good (?:morning|afternoon|evening|day)|bye|yes|no|great|cool|help|hilfe)\W*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def understand(
    kb: KnowledgeBase,
    query: str,
    language: Literal["de", "en"],
    collections: Sequence[str] = (),
    refinements: Sequence[str] = (),
) -> Understood:
    """Analyse a question. Blocks; run it in a thread.

    ``refinements`` are the person's answers to questions asked back; they may include titles of documents.
    """
    changes = corrections(kb, query, language, collections)
    query = _written_out(kb, corrected(query, changes))
    places = named_places(kb, query, collections)
    designated = tuple(dict.fromkeys(place.document for place in places if place.document))
    chosen, said = ((), tuple(refinements)) if designated else _chosen(kb, refinements, collections)
    # A document that was chosen is the scope; the names in the question are not what is asked for all the same.
    scope = DocumentScope() if designated else scope_of(kb, query, language, collections)
    foreign = _other_language(kb, language, collections)
    return Understood(
        query=query,
        corrections=changes,
        language=language,
        parts=(query,) if any(place.text == query for place in places) else question_parts(query, language),
        places=places,
        documents=designated or chosen,
        preferred=() if chosen else scope.documents,
        names=scope.names,
        titled=() if chosen else scope.titled,
        matter=bool(places) or has_matter(kb, query, language),
        long=len(query) > LONG,
        strange=None if places or foreign or _is_courtesy(query) else strange(kb, (query, *said), language),
        absent=() if places or foreign or _is_courtesy(query) else absent_words(kb, query, language, scope.names),
        foreign=foreign,
        said=said,
    )


def read_as(kb: KnowledgeBase, query: str, language: str, collections: Sequence[str] = ()) -> str:
    """Return a question as it is understood: mistyped words read as those of the collection. Blocks."""
    return corrected(query, corrections(kb, query, language, collections))


def _written_out(kb: KnowledgeBase, query: str) -> str:
    """Return a question with "FY2022" as "fiscal year 2022", unless the documents write it so themselves."""
    whole = written_out(query)
    short = [word for word in query.split() if written_out(word) != word]
    return query if any(kb.chunks_with(word.strip("?.,;:!()").lower()) for word in short) else whole


def _chosen(
    kb: KnowledgeBase, refinements: Sequence[str], collections: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the documents whose titles the person chose, and what the person said beside these.

    A title may have been shortened.
    """
    documents = [one for one in kb.documents() if not collections or one.collection in collections]
    chosen: dict[str, None] = {}
    said: list[str] = []
    for text in refinements:
        rest: list[str] = []
        for part in (each.strip().rstrip(" …") for each in text.split(";")):
            meant = [
                one.id
                for one in documents
                if len(part) > 3 and (one.title.startswith(part) or one.file.removesuffix(".pdf") == part)
            ]
            chosen.update(dict.fromkeys(meant))
            rest += [] if meant else [part]
        said += ["; ".join(rest)] if any(rest) else []
    return tuple(chosen), tuple(said)


def has_matter(kb: KnowledgeBase, query: str, language: str) -> bool:
    """Return whether a question contains a word to look up, so that it is not just a greeting or keyboard noise."""
    if _is_courtesy(query):
        return False
    words = stem_set(query, language)
    if asks(query) and len(query.split()) > 2:
        return True
    if not words:
        return False
    return len(words) > 2 or any(kb.rarity(stem, language) < 1.0 for stem in words) or _known(kb, query)


def _is_courtesy(query: str) -> bool:
    return not _WORD.search(query) or _COURTESY.fullmatch(query) is not None


def _known(kb: KnowledgeBase, query: str) -> bool:
    """Return whether the keyword index has any passage with a word of the question."""
    return bool(kb.search(query, mode="keyword", top_k=1).hits)


def _other_language(kb: KnowledgeBase, language: str, collections: Sequence[str]) -> str:
    """Return the documents' language if none is in the question's language, else ''."""
    spoken = Counter(one.language for one in kb.documents() if not collections or one.collection in collections)
    total = sum(spoken.values())
    if not total or spoken.get(language, 0) > 0:
        return ""
    return spoken.most_common(1)[0][0]
