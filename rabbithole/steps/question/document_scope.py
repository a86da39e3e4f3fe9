"""Finds the documents a question means by the names in it: of an organisation, a programme or a series.

Such names occur in a document's title or first lines and seldom in its text, so that a word search misses them: 'Wie
lange ... an der HTW Dresden?' is answered by Dresden's rules, which contain 'Dresden' only once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Model
from rabbithole.kb.notation.months import MONTH
from rabbithole.kb.references.names.books import book_of, books_named
from rabbithole.steps.reasoning.text.terms import stem_set, stems

from .ordinary_nouns import ordinary

OPENING = 400
"""Characters at the beginning of a document that usually name its issuer."""
MOST_DOCUMENTS = 500
_COMMON = 0.5
"""A name that more than this share of the documents bear does not distinguish them."""
_NEAR_BEST = 0.6
_RARE = 0.45
"""Minimum rarity for a capitalised word to count as a name; a word such as 'Members' is too common."""
_NAME = re.compile(r"(?<![.?!]\s)(?<!\A)\b[A-ZÄÖÜ][\w-]*\w")
_CAPITALS = re.compile(r"[A-ZÄÖÜ]\w+(?:(?:[ -]|,? (?:(?:und|für|der|des|die|and|for|of|the|in|&) )+)[A-ZÄÖÜ]\w+){2,}")
"""A run of capitalised words with small words between them: 'Hochschule für Technik und Wirtschaft Dresden'."""
_ACRONYM = 3
"""Minimum number of letters of an abbreviation by initials."""
_SHARED, _MOST = 2, 0.6
"""Least number and share of the words of a title that name the document, if they are ordinary nouns."""
_WHOLE = 3
"""Least number of words of a title that, one after the other in a question, name the document."""
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_MONTHS = re.compile(MONTH)
_DATED = re.compile(rf"\b(?:{MONTH}) (?:\d{{1,2}}, ?)?(?:19|20)\d{{2}}\b|\d{{1,2}}\. ?\d{{1,2}}\. ?(?:19|20)\d{{2}}\b")


class DocumentScope(Model):
    """The preferred documents (ids) and the ``names`` (stems) that select them and are no subject words.

    ``titled`` are documents with an ordinary noun of the question in their titles, if no name selects any.
    """

    documents: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    titled: tuple[str, ...] = ()


def borne_names(kb: KnowledgeBase, document: Document, query: str) -> int:
    """Return how many capitalised words of a question the first lines of a document have, also as initials."""
    beginning = " ".join(_opening(kb, document.id).split())
    known = {word.casefold() for word in re.findall(r"\w+", beginning)} | initials(beginning)
    return len({word.casefold() for word in _NAME.findall(query)} & known)


def scope_of(kb: KnowledgeBase, query: str, language: str, collections: Sequence[str]) -> DocumentScope:
    """Return the documents that bear most of the names in the question; none if no name distinguishes documents."""
    documents = [one for one in kb.documents() if not collections or one.collection in collections]
    if books := books_named(map(book_of, documents), query):
        pages = tuple(one.id for one in documents if book_of(one) in books)
        words = stem_set(" ".join(frozenset().union(*books.values())), language)
        return DocumentScope(documents=pages if len(pages) < len(documents) else (), names=tuple(sorted(words)))
    if len(documents) < 2 or len(documents) > MOST_DOCUMENTS:
        return DocumentScope()
    if called := _called(documents, query, language):
        return called
    names = _names(query, language)
    if not names:
        return DocumentScope()
    bearing: dict[str, set[str]] = {name: set() for name in names}
    titled: set[str] = set()
    spelled: set[str] = set()
    titles = {document.id: _titled(document, language) for document in documents}
    for document in documents:
        title = titles[document.id]
        beginning = _opening(kb, document.id)
        words = stem_set(beginning, language)
        opening = words | initials(" ".join(beginning.split()))
        titled |= names & title
        spelled |= names & (words | stem_set(document.title, language))
        for name in names & (title | opening):
            bearing[name].add(document.id)
    for name in names - spelled:  # found as initials
        if not _is_written(kb, name, documents, bearing[name]):
            bearing[name] = set()
    headed = _headed(kb, documents, language)
    telling = {
        name: ids
        for name, ids in bearing.items()
        if ids and len(ids) <= _COMMON * len(documents) and name not in headed
        if name in titled
        or (language != "de" and kb.rarity(name, language) >= _RARE)  # in German every noun is capitalised
    }
    asked = stem_set(query, language)
    nouns = ordinary(kb, query, telling, language, collections)
    covered = {one.id for one in documents if covers(asked, stem_set(one.title, language))}
    naming = {name: ids & covered if name in nouns else ids for name, ids in telling.items()}
    naming = {name: ids for name, ids in naming.items() if ids}
    if not naming:
        return DocumentScope(titled=_bearing_most(documents, telling))
    chosen = _bearing_most(documents, naming)
    borne_by_all = names.intersection(*(titles[one] for one in chosen))  # tells no passage from another there
    return DocumentScope(documents=chosen, names=tuple(sorted(naming.keys() | borne_by_all)))


def _called(documents: Sequence[Document], query: str, language: str) -> DocumentScope | None:
    """Return the documents whose whole title stands in the question, in any inflection; of editions, those asked for.

    'unter der Deutschen Freien Software Lizenz' names the document 'Deutsche Freie Software Lizenz'.
    """
    asked, years = f" {_run(query, language)} ", frozenset(_YEAR.findall(query))
    titles = {one.id: [_run(said, language) for said in (one.title, *one.synonyms)] for one in documents}
    words = {name for own in titles.values() for name in own if len(name.split()) >= _WHOLE and f" {name} " in asked}
    called = [one for one in documents if words.intersection(titles[one.id])]
    dated = [one for one in called if str(one.metadata.get("year")) in years]
    if not called or len(called) > _COMMON * len(documents):
        return None
    chosen = tuple(one.id for one in dated or called)
    bare = {part for name in words for part in name.split()}
    names = {stem for stem in stems(query, language) if _bare(stem, language) in bare} | (years if dated else set())
    return DocumentScope(documents=chosen, names=tuple(sorted(names)))


def _run(text: str, language: str) -> str:
    return " ".join(_bare(stem, language) for stem in stems(text, language))


def _bare(stem: str, language: str) -> str:
    """Return a stem without the ending of an adjective, which the German stemmer leaves to short words ('freien')."""
    return re.sub(r"(?<=\w{3})e[mnrs]?\Z", "", stem) if language == "de" else stem


def _bearing_most(documents: Sequence[Document], bearing: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the documents that bear most of the names; a name that many bear counts less."""
    scores = {
        document.id: sum(1.0 / len(ids) ** 0.5 for ids in bearing.values() if document.id in ids)
        for document in documents
    }
    best = max(scores.values())
    return tuple(one for one, score in scores.items() if score >= _NEAR_BEST * best)


def covers(asked: Collection[str], title: Collection[str]) -> bool:
    """Return whether a question has most of the words of a title, so that it names the document by its title.

    A title of one word may only be the subject.

    >>> covers({"ordnung", "archiv", "frist"}, {"ordnung", "archiv", "stadt"}), covers({"brief"}, {"brief"})
    (True, False)
    """
    shared = sum(stem in asked for stem in title)
    return shared >= _SHARED and shared >= _MOST * len(title)


def _names(query: str, language: str) -> frozenset[str]:
    """Return the stems of words capitalised inside a sentence, and years; the year of a date is none."""
    words = [found.group() for found in _NAME.finditer(query) if not _MONTHS.fullmatch(found.group())]
    parts = [part for word in words for part in word.split("-")]
    return frozenset(stem for part in parts for stem in stems(part, language)) | frozenset(
        _YEAR.findall(_DATED.sub(" ", query))
    )


def _titled(document: Document, language: str) -> frozenset[str]:
    year = str(document.metadata.get("year") or "")
    file = document.file.rsplit(".", 1)[0].replace("_", " ")
    if language == "de" and len(file.split()) < 2:
        file = ""  # 'Reisekosten.pdf' only states the subject; in German every noun is capitalised
    said = " ".join((document.title, *document.synonyms, file, book_of(document)))
    return stem_set(said, language) | frozenset((year,)) | initials(said)


def initials(text: str) -> frozenset[str]:
    """Return the abbreviations that a run of words may have: 'Chaos Computer Club Mannheim' -> ccc, cccm, ccm."""
    found: set[str] = set()
    for run in _CAPITALS.findall(text):
        letters = "".join(word[0] for word in re.split(r"[ -]", run) if word[:1].isupper()).casefold()
        found |= {letters[a:b] for a in range(len(letters)) for b in range(a + _ACRONYM, len(letters) + 1)}
    return frozenset(found)


@lru_cache(maxsize=4096)
def _opening(kb: KnowledgeBase, document: str) -> str:
    return kb.text(document, 0, OPENING)


def _is_written(kb: KnowledgeBase, name: str, documents: Sequence[Document], bearing: Collection[str]) -> bool:
    """Return whether one of the documents whose initials are a name also writes it, or none does.

    "SMS" is no name of 'Security M. Smith ...' if other documents write of SMS.
    """
    if not bearing or not kb.chunks_with(name):
        return True
    word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    return any(word.search(kb.text(document.id)) for document in documents if document.id in bearing)


def _headed(kb: KnowledgeBase, documents: Sequence[Document], language: str) -> frozenset[str]:
    """Return the stems of section headings: a word in a heading is a subject, not the name of an issuer.

    In other languages than German a capital tells a name, which headings of the highest level may repeat.
    """
    return _headings(kb, tuple(document.id for document in documents), language, 0 if language == "de" else 1)


@lru_cache(maxsize=16)
def _headings(kb: KnowledgeBase, documents: tuple[str, ...], language: str, level: int) -> frozenset[str]:
    found: set[str] = set()
    for document in documents:
        sections = kb.outline(document)
        for section in sections:
            if section.level >= level and section.start > OPENING:
                found |= stem_set(section.heading, language)
    return frozenset(found)
