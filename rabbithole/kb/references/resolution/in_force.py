"""Finds out from the collection itself whether a target is still in force."""

from __future__ import annotations

import re
from functools import lru_cache

from rabbithole.kb.models import Document, Section
from rabbithole.kb.references.names.name_keys import name_key, split_edition
from rabbithole.kb.references.names.registry import Registry

_REMEMBERED = 4096
"""Number of documents whose result is cached."""
_REPEALED = re.compile(r"^\W*(?:weggefallen|aufgehoben|entfallen|repealed|reserved|omitted)\W*$", re.I)
_OUT_OF_FORCE = re.compile(r"\b(?:aufgehoben|außer Kraft|repealed|withdrawn|zurückgezogen|superseded|obsolete)\b", re.I)


class Validity:
    """What the collection says about each document's validity; results are cached."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._said = lru_cache(maxsize=_REMEMBERED)(self._look)

    def of_document(self, document: Document) -> str:
        """Return 'replaced by RFC 6434, which is held', 'status: repealed', 'a later edition is held: ...', or ''."""
        return self._said(document.id)

    def _look(self, identifier: str) -> str:
        document = self._registry.documents[identifier]
        status = document.metadata.get("status")
        if isinstance(status, str) and _OUT_OF_FORCE.search(status):
            return f"status: {status}"
        return self._replaced(document) or self._newer(document)

    def _replaced(self, document: Document) -> str:
        """Return a note if the opening of another document in the collection says that it replaces this one."""
        keys = {" ".join(name_key(split_edition(name).base)) for name in self._registry.names_of(document.id)}
        for by, name in self._registry.store.replacing(sorted(keys)):
            other = self._registry.documents.get(by)
            if other is None or by == document.id or other.collection != document.collection:
                continue
            lookup = self._registry.lookup(name, collections=(document.collection,))
            exact = lookup.rule.startswith("exact") and "other edition" not in lookup.rule
            if exact and any(entry.document.id == document.id for entry in lookup.entries):
                return f"replaced by {self._registry.proper_name(other)}, which is held"
        return ""

    def _newer(self, document: Document) -> str:
        """Return a note if the collection holds a later edition of the same designation or act."""
        for name in self._registry.names_of(document.id):
            lookup = self._registry.lookup(split_edition(name).base, collections=(document.collection,))
            others = [entry.document for entry in lookup.entries if entry.document.id != document.id]
            same = lookup.rule.startswith("exact name") and lookup.rule.endswith("latest edition")
            if same and len(others) == len(lookup.entries) == 1 and one_work(self._registry, document, others[0]):
                return f"a later edition is held: {others[0].title or self._registry.proper_name(others[0])}"
        return ""

    def of_section(self, section: Section) -> str:
        """Return a note if a section's heading says nothing but that the section was repealed."""
        return "the section was repealed" if _REPEALED.match(section.heading) else ""


def one_work(registry: Registry, document: Document, other: Document) -> bool:
    """Return whether two documents are editions of one work.

    Parts, volumes and namesakes are not editions of each other. Titles of editions differ in few words.
    """
    one = {(key, found.part) for key, found in registry.store.designations_of(document.id)}
    two = {(key, found.part) for key, found in registry.store.designations_of(other.id)}
    if one or two:
        return bool(one & two)
    first, second = set(name_key(document.title)), set(name_key(other.title))
    return 2 * len(first & second) >= max(len(first), len(second))
