"""Whether a target is still in force, as far as the collection itself says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rabbithole.kb.models import Document, Section
from rabbithole.kb.references.names.registry import Registry

from .reader import Reader

_OPENING = 2500
_OBSOLETES = re.compile(
    r"^\s*Obsoletes:\s*(?:RFCs?\s*)?(?P<numbers>\d{1,5}(?:\s*,\s*(?:RFC\s*)?\d{1,5})*)", re.M | re.I
)
_REPLACES = re.compile(
    r"\b(?:Ersatz für|ersetzt(?: die Fassung)?|[Ss]upersedes|[Rr]eplaces)\s*:?\s+"
    r"(?P<name>(?:DIN|KTA|ISO|IEC|EN|VDI|NIST|ICRP|IAEA|NUREG|RG)\b[^\n;.()]{2,60})"
)
_REPEALED = re.compile(r"^\W*(?:weggefallen|aufgehoben|entfallen|repealed|reserved|omitted)\W*$", re.I)
_OUT_OF_FORCE = re.compile(r"\b(?:aufgehoben|außer Kraft|repealed|withdrawn|zurückgezogen|superseded|obsolete)\b", re.I)


class Standing:
    """Which documents others of the collection replace. Built at the first question: one look at each opening."""

    def __init__(self, reader: Reader, registry: Registry) -> None:
        self._reader = reader
        self._registry = registry
        self._replaced: dict[str, str] | None = None
        self._said: dict[str, str] = {}

    def of_document(self, document: Document) -> str:
        """'replaced by RFC 6434, which is held', 'status: repealed', 'a later edition is held: ...', or nothing."""
        if document.id not in self._said:
            self._said[document.id] = self._look(document)
        return self._said[document.id]

    def _look(self, document: Document) -> str:
        status = document.metadata.get("status")
        if isinstance(status, str) and _OUT_OF_FORCE.search(status):
            return f"status: {status}"
        if self._replaced is None:
            self._replaced = dict(self._find())
        return self._replaced.get(document.id, "") or self._newer(document)

    def _newer(self, document: Document) -> str:
        """A later edition of the same work in the same collection, by one of the names they share."""
        for name in self._registry.names_of(document.id):
            lookup = self._registry.lookup(name, collections=(document.collection,))
            others = [entry.document for entry in lookup.entries if entry.document.id != document.id]
            if len(others) == len(lookup.entries) == 1 and lookup.rule == "exact name, latest edition":
                return f"a later edition is held: {others[0].title or self._registry.proper_name(others[0])}"
        return ""

    def of_section(self, section: Section) -> str:
        """A section whose whole heading says that it fell away."""
        return "the section was repealed" if _REPEALED.match(section.heading) else ""

    def _find(self) -> Iterator[tuple[str, str]]:
        for document in self._registry.documents.values():
            by = self._registry.proper_name(document)
            for name in replaced_names(self._reader.text(document.id, 0, _OPENING)):
                lookup = self._registry.lookup(name, collections=(document.collection,))
                for entry in lookup.entries:
                    exact = lookup.rule.startswith("exact") and "other edition" not in lookup.rule
                    if exact and entry.document.id != document.id:
                        yield entry.document.id, f"replaced by {by}, which is held"


def replaced_names(opening: str) -> tuple[str, ...]:
    """Names of the documents that the opening of one says it replaces."""
    names = [
        f"RFC {int(number)}"
        for found in _OBSOLETES.finditer(opening)
        for number in re.findall(r"\d+", found["numbers"])
    ]
    names += [" ".join(found["name"].split()).rstrip(" ,") for found in _REPLACES.finditer(opening)]
    return tuple(dict.fromkeys(names))
