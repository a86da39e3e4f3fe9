"""Decides whose sections an enumeration means: those of its own document or of the law named after it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rabbithole.kb.models import Document, Enumeration, PathElement, Section
from rabbithole.kb.references.corpus_reader import CorpusReader

from .results import Resolutions
from .sections.places import FoundPlace, find_place

Owner = Literal["own", "shared", "either"]
_STEM = 6
"""Letters of a noun that are compared, so that inflection and the rest of a compound do not matter."""

_UMLAUTS = str.maketrans("äöü", "aou")


class _Fit(NamedTuple):
    held: bool
    """Whether every place enumerated exists, down to the paragraph."""
    sections: bool
    """Whether at least every section exists."""
    heading: bool
    text: bool


def owner(
    reader: CorpusReader,
    resolutions: Resolutions,
    enumeration: Enumeration,
    own: Document,
    enclosing: Section | None,
    shared: Document | None,
) -> Owner:
    """Decide by grammar, then by which places exist, then by subject.

    ``shared`` is the law named after the enumeration, None if it is not held. Members joined by "and" alone belong to
    that law. A section does not cite itself by number. A place that one of the two documents lacks belongs to the
    other. A noun before the enumeration ("Genehmigung nach § 31") points to the document whose section mentions it in
    its heading, or else in its text. Returns ``either`` if nothing decides; the reader is then told so.
    """
    here = _fit(reader, resolutions, own, enumeration)
    within = resolutions.index(own.id).ancestors(enclosing) if enclosing is not None else ()
    itself = any(_alone(path, own, resolutions) in within for path in enumeration.paths if len(path) == 1)
    if shared is None:
        unspoken = bool(enumeration.noun) and not here.text
        return "shared" if enumeration.plain or itself or unspoken or not here.sections else "own"
    there = _fit(reader, resolutions, shared, enumeration)
    if enumeration.plain and there.sections:
        return "shared"
    if itself or not here.held:
        return "shared" if there.held else "own"
    if not there.held or here.heading:
        return "own"
    if there.heading or (there.text and not here.text):
        return "shared"
    return "own" if here.text and not there.text else "either"


def _alone(path: tuple[PathElement, ...], own: Document, resolutions: Resolutions) -> Section | None:
    found = resolutions.index(own.id).find(*path[0])
    return found[0] if found else None


def _fit(reader: CorpusReader, resolutions: Resolutions, document: Document, enumeration: Enumeration) -> _Fit:
    index = resolutions.index(document.id)
    found = [find_place(reader, document.id, index, path) for path in enumeration.paths]
    first = found[0] if found else None
    return _Fit(
        held=all(each is not None and each.missing is None for each in found),
        sections=all(each is not None for each in found),
        heading=bool(first and first.section and _speaks(first.section.heading, enumeration.noun)),
        text=bool(first and _speaks(_text(reader, document, first), enumeration.noun)),
    )


def _text(reader: CorpusReader, document: Document, found: FoundPlace) -> str:
    span = found.section or found
    return reader.text(document.id, span.start, span.end)


def _speaks(text: str, noun: str) -> bool:
    return bool(noun) and _plain(noun)[:_STEM] in _plain(text)


def _plain(text: str) -> str:
    """Return the text in lower case without umlauts, so that 'Antrag' is found in 'Anträge'."""
    return text.casefold().translate(_UMLAUTS)
