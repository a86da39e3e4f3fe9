"""Find a document and its edition by the name a user gives: 'IsoLV@2012', 'KTA 1404@2013-11', 'rules.pdf'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Reference

_ASKED = ("edition", "version", "date", "year")


class Version(NamedTuple):
    document: Document
    note: str = ""


def find_version(kb: KnowledgeBase, name: str, collections: Sequence[str] = ()) -> Version:
    """Return the document. Raises UsageError if the edition after '@' is not in the collections, or several fit."""
    words, _, edition = name.rpartition("@") if "@" in name else (name, "", "")
    if not words.strip():
        raise UsageError(f"{name!r} does not name a document; write NAME@EDITION, such as 'IsoLV@2012'.")
    documents = [each for each in kb.documents() if not collections or each.collection in collections]
    named = [each for each in documents if words in (each.id, each.file, each.title, each.file.rsplit(".", 1)[0])]
    if edition:
        fitting = [each for each in named if _is_edition(each, edition)]
        named = fitting or [each for each in _editions(kb, words, edition, collections) if _is_edition(each, edition)]
        named = named or _begin_with(documents, words, edition)
        if not named:
            raise UsageError(
                f"There is no edition {edition} of {words!r} here{_held(kb, words, documents, collections)}."
            )
    elif not named:
        named = _editions(kb, words, "", collections) or _begin_with(documents, words, "")
    if not named:
        raise UsageError(f"There is no document {words!r}; give its file name, title or id.")
    if len(named) > 1:
        raise UsageError(f"Several documents are called {name!r}: {', '.join(each.file for each in named[:8])}.")
    return Version(named[0], f"{name}: {named[0].file}" if edition else "")


def _editions(kb: KnowledgeBase, name: str, edition: str, collections: Sequence[str]) -> list[Document]:
    """Return the documents that the name leads to, resolved like a reference in a text."""
    reference = Reference(
        start=0, end=len(name), text=name, kind="document_mention", target=name, document=name, edition=edition or None
    )
    found = kb.resolve(reference, collections=collections)
    ids = [found.document] if found.document else list(found.candidates)
    return [kb.document(each) for each in ids]


def _begin_with(documents: Sequence[Document], name: str, edition: str) -> list[Document]:
    """Return documents whose title begins with the name: 'Hausordnung' for 'Hausordnung des Labors'."""
    folded = name.strip().casefold()
    named = [each for each in documents if f"{each.title.casefold()} ".startswith(f"{folded} ")]
    return [each for each in named if not edition or _is_edition(each, edition)]


def _is_edition(document: Document, edition: str) -> bool:
    """Return whether a document is this edition ('2012' also matches 2012-05-03); the file name is the last resort."""
    said = [str(value) for field in _ASKED if (value := document.metadata.get(field)) not in (None, "")]
    if said:
        return any(value.casefold() == edition.casefold() or value.startswith(f"{edition}-") for value in said)
    return edition.casefold() in document.file.casefold()


def _held(kb: KnowledgeBase, name: str, documents: Sequence[Document], collections: Sequence[str]) -> str:
    near = _editions(kb, name, "", collections)
    folded = name.casefold()
    near += [each for each in documents if each not in near and folded in f"{each.file} {each.title}".casefold()]
    rows = [
        f"{each.file} ({each.metadata.get('edition') or each.metadata.get('year') or 'no edition'})" for each in near
    ]
    return f"; held: {', '.join(rows[:8])}" if rows else ""
