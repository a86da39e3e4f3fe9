"""Finds the places a question names, with the same detection and resolution of references as for documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Reference, Resolution, Section
from rabbithole.kb.notation.raised_digits import plain_digits
from rabbithole.kb.reading.section_lookup import find_section
from rabbithole.kb.references.names.books import book_of, books_named
from rabbithole.kb.references.names.file_parts import KIND_OF_DOCUMENT

from .bare_numbers import bare_numbers
from .captioned_places import captioned_place, is_captioned
from .described_works import DescribedWork, abbreviated, described, shared_words, works_in
from .document_scope import borne_names
from .held_places import held_place, resolved_in
from .models import NamedPlace, NamedStatus
from .nearest_places import NEAREST, near_numbers, nearest
from .place_phrases import document_words
from .quoted_headings import quoted_headings

LEAD = "… "
"""Put before the question so that it is read as running text: at the start of a line, '§ 12' would be a heading."""
_LEAST_DESCRIBED = 2
_BEFORE_NAME = re.compile(r"\A(?:of|in|from|der|des|dem|im|von|aus)\s+(?:(?:the|der|dem)\s+)?", re.IGNORECASE)
_ENGLISH = re.compile(r"\A(?:of|in|from)\s")
_KIND = re.compile(KIND_OF_DOCUMENT, re.IGNORECASE)
_ABBREVIATED_LAW = re.compile(
    r"\b[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*(?:G|V|O|GB|VO|Gesetz|gesetz|verordnung|gesetzbuch|ordnung)\b"
)


def named_places(kb: KnowledgeBase, query: str, collections: Sequence[str]) -> tuple[NamedPlace, ...]:
    """Return the documents and sections the question names, each once.

    Words that are a document's name but also an ordinary word of the question are left out.
    """
    documents = [one for one in kb.documents() if not collections or one.collection in collections]
    found: dict[tuple[str | None, str | None, str], NamedPlace] = {}
    # a raised number in a question belongs to a name, "GOsa²"; it cites no literature
    references = [
        one for one in kb.detect(f"{LEAD}{query}") if one.kind != "external" and plain_digits(one.text) == one.text
    ]
    bare = bare_numbers(
        query,
        references,
        held=lambda number: any(kb.section(one.id, number) is not None for one in documents),
        names=lambda word: any(described(DescribedWork(one), word) for one in documents),
    )
    for reference in (*references, *bare):
        resolution = kb.resolve(reference, collections=collections)
        if is_captioned(reference):
            scope = [resolution.document] if resolution.document else []
            place = captioned_place(kb, reference, query, collections, scope)
        else:
            place = _place(kb, documents, reference, resolution, query)
        if place is not None:
            found.setdefault((place.document, place.section, place.name if place.document is None else ""), place)
    for place in quoted_headings(kb, query, documents):
        found.setdefault((place.document, place.section, ""), place)
    places = tuple(found.values())
    sectioned = {place.document for place in places if place.section}
    return tuple(
        place for place in places if place.section or place.document is None or place.document not in sectioned
    )


def _place(
    kb: KnowledgeBase, documents: Sequence[Document], reference: Reference, resolution: Resolution, query: str
) -> NamedPlace | None:
    asked = " ".join(f"{unit} {value}" for unit, value in reference.path)
    name = resolution.name or reference.document or reference.text
    if not reference.path and not _is_designation(reference):
        return None  # "TLS", "Satzung": an ordinary word of the question as well as a name
    called = not _is_designation(reference) or _is_kind_held(documents, reference.document or "")
    if resolution.document is None and reference.path and called:
        return _by_description(kb, documents, reference, query, asked)
    status = _status(reference, resolution)
    if status == "no_section" and reference.path and not _is_designation(reference):
        other = _by_description(kb, documents, reference, query, asked)
        if other is not None and other.document is not None and _better_described(documents, other, resolution, query):
            return other
    if status == "not_held" and (meant := _by_file_name(kb, documents, reference)) is not None:
        section = kb.section(meant.id, reference.path[0][1]) if reference.path else None
        if section is not None:
            return _held(reference, DescribedWork(meant), section, asked)
        if not reference.path:
            return NamedPlace(text=reference.text, name=name, status="held", document=meant.id)
    return NamedPlace(
        text=reference.text,
        name=name,
        status=status,
        document=resolution.document,
        section=resolution.section if status == "held" else None,
        start=resolution.start,
        end=resolution.end,
        asked=asked,
        nearest=nearest(kb, documents, reference, resolution) if status in ("no_section", "not_held") else (),
        note=resolution.note,
    )


def _by_file_name(kb: KnowledgeBase, documents: Sequence[Document], reference: Reference) -> Document | None:
    """Return the document whose file name or title is the designation, the latest if there are several.

    An issuer before the designation and a revision after it are ignored: 'NIST SP 800-63B' finds 'SP800-63B.pdf' and
    'SP 800-41' finds 'SP800-41r1.pdf', but 'SP 800-63' finds neither.
    """
    words = (reference.document or "").split()
    wanted = {_plain(" ".join(words[at:])) for at in range(len(words)) if any(c.isalpha() for c in words[at])}
    designations = [one for one in wanted if len(re.findall(r"\d", one)) >= 2 and re.match(r"[a-z]", one)]
    fitting = [
        document
        for document in documents
        for name in (document.file.rsplit(".", 1)[0].rsplit("/", 1)[-1], document.title)
        if any(re.match(rf"{re.escape(one)}(?:(?:r|rev|v|ed)\d+.*)?\Z", _plain(name)) for one in designations)
    ]
    return max(fitting, key=lambda one: (str(one.metadata.get("year") or ""), one.file), default=None)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9äöü]", "", text.casefold())


def _status(reference: Reference, resolution: Resolution) -> NamedStatus:
    if resolution.status == "resolved":
        return "held"
    if resolution.status == "ambiguous":
        return "ambiguous"
    return "no_section" if resolution.document else "not_held"


def _is_designation(reference: Reference) -> bool:
    """Return whether a name belongs to one document: it contains a number or is the abbreviation of a law."""
    name = reference.document or ("" if reference.path else reference.text)
    if any(character.isdigit() for character in name):
        return True
    return bool(name) and reference.kind == "legal_section" and _ABBREVIATED_LAW.search(name) is not None


def _is_kind_held(documents: Sequence[Document], name: str) -> bool:
    """Return whether a name is a word for a kind of document, as in 'der Prüfungsordnung', that titles have."""
    return _KIND.fullmatch(name) is not None and any(described(DescribedWork(one), name) for one in documents)


def _by_description(
    kb: KnowledgeBase, documents: Sequence[Document], reference: Reference, query: str, asked: str
) -> NamedPlace | None:
    """Find the document the question describes best, for '§ 5 der Prüfungsordnung' or '§ 27' without a name."""
    works = works_in(kb, documents)
    held = [(one, section) for one in works if (section := _section(kb, one, reference)) is not None]
    name = reference.document or ""
    words = f"{name} {query}"
    likeness = {
        one: (described(one, words), borne_names(kb, one.document, query), abbreviated(one, words)) for one, _ in held
    }
    ranked = sorted(held, key=lambda pair: likeness[pair[0]], reverse=True)
    called = document_words(query, reference.text)
    meant = _meant(works, f"{name} {called}")
    if meant is not None and all(described(meant, words) > described(one, words) for one, _ in held):
        return _unlisted(kb, meant, reference, asked)
    books = books_named(map(book_of, documents), words)
    if books and not any(book_of(one.document) in books for one, _ in held):
        return NamedPlace(text=reference.text, name=next(iter(books)), status="no_section", asked=asked)
    if called and not name and meant is None and all(_is_another(kb, one, called) for one, _ in held):
        if any(_heads(kb, one, called) for one in documents):
            return None  # not sure that it is missing
        return NamedPlace(text=reference.text, name=_BEFORE_NAME.sub("", called), status="not_held", asked=asked)
    if not ranked:
        return NamedPlace(
            text=reference.text, name=name or asked, status="not_held" if name else "no_section", asked=asked
        )
    best, second = ranked[0], ranked[1] if len(ranked) > 1 else None
    clear = second is None or likeness[best[0]] > likeness[second[0]]
    if not clear or (second is not None and not any(likeness[best[0]])):
        names = tuple(dict.fromkeys(one.name for one, _ in ranked))[:NEAREST]
        return NamedPlace(text=reference.text, name=name, status="ambiguous", asked=asked, nearest=names)
    work, section = best
    return _held(reference, work, section, asked)


def _section(kb: KnowledgeBase, work: DescribedWork, reference: Reference) -> Section | None:
    """Return the section of a document that a reference without a document asks for, as its outline lists it."""
    unit, number = reference.path[0]
    written = [f"{unit} {number}"] if unit.startswith("§") else [number, f"{unit} {number}"]
    outline = work.outline(kb)
    return next(filter(None, (find_section(outline, name) for name in written)), None)


def _unlisted(kb: KnowledgeBase, work: DescribedWork, reference: Reference, asked: str) -> NamedPlace:
    """Return a place that the outline of a document does not list, or that it has no such place."""
    found = resolved_in(kb, reference, work.document.id, work.part.start if work.part else 0)
    if found is not None:
        span = found.start, found.end
        return held_place(reference, work.name, work.document.id, found.section, span, asked, found.note)
    numbers = [section.number for section in work.outline(kb) if section.number]
    near = tuple(near_numbers(reference.path[0][1], numbers))
    return NamedPlace(
        text=reference.text, name=work.name, status="no_section", document=work.document.id, asked=asked, nearest=near
    )


def _held(reference: Reference, work: DescribedWork, section: Section, asked: str) -> NamedPlace:
    span = section.start, section.end
    return held_place(reference, work.name, work.document.id, section.id, span, asked)


def _meant(works: Sequence[DescribedWork], words: str) -> DescribedWork | None:
    """Return the document whose names have more of these words than those of any other, and at least two.

    The abbreviation of one document alone is enough.
    """
    counted = sorted(((described(one, words), one) for one in works), key=lambda pair: -pair[0])
    best = [one for count, one in counted if count == counted[0][0]]
    if len(short := [one for one in best if abbreviated(one, words)]) == 1:
        return short[0]
    if not counted or counted[0][0] < _LEAST_DESCRIBED or len(best) > 1:
        return None
    return counted[0][1]


def _is_another(kb: KnowledgeBase, work: DescribedWork, called: str) -> bool:
    """Return whether words that name a document have a proper name that is not this document's.

    German writes every noun with a capital letter, so there the document's text must not have the name either.
    """
    proper = _proper(called)
    if not proper or described(work, " ".join(proper)):
        return False
    if _ENGLISH.match(called):
        return True
    return not any(kb.search(one, mode="keyword", documents=(work.document.id,), top_k=1).total for one in proper)


def _heads(kb: KnowledgeBase, document: Document, called: str) -> bool:
    """Return whether a heading of the document has the proper name, so that a part of it may be meant."""
    asked = {word.casefold() for word in _proper(called)}
    return any(shared_words(asked, section.heading) == len(asked) for section in kb.outline(document.id))


def _proper(called: str) -> list[str]:
    """Return the capitalised words that are no words for a kind of document."""
    proper = [word for word in re.findall(r"[^\W_][\w-]{2,}", called) if word[0].isupper()]
    return [word for word in proper if not _KIND.fullmatch(word)]


def _better_described(documents: Sequence[Document], place: NamedPlace, resolution: Resolution, query: str) -> bool:
    """Return whether the question has more words of a place's document than of the one it seems to name.

    'Section 2.9 of the KiCad calculator manual' is no section of the manual called 'KiCad'.
    """
    said = {
        one.id: described(DescribedWork(one), query)
        for one in documents
        if one.id in (place.document, resolution.document)
    }
    return said.get(place.document or "", 0) > said.get(resolution.document or "", 0)
