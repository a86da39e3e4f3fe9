"""Exports works for reference managers as BibTeX, RIS or CSL-JSON, with the libraries that also read them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import rispy
from pybtex.database import BibliographyData, Entry, Person

from rabbithole.kb.models import Model

KINDS: Final = {
    "law": ("misc", "STAT", "legislation"),
    "paper": ("article", "JOUR", "article-journal"),
    "report": ("techreport", "RPRT", "report"),
    "book": ("book", "BOOK", "book"),
    "thesis": ("phdthesis", "THES", "thesis"),
    "work": ("misc", "GEN", "document"),
}
"""Kind -> its name in BibTeX, RIS and CSL."""
_TYPES: Final = {
    "law": "stat legislation bill legal_case",
    "paper": "article article-journal article-magazine jour inproceedings conference conf cpaper paper-conference "
    "incollection chap chapter",
    "report": "techreport rprt report",
    "book": "book inbook collection proceedings",
    "thesis": "phdthesis mastersthesis thes thesis",
}
LITERATURE_KINDS: Final = {name: kind for kind, names in _TYPES.items() for name in names.split()}
"""Types of reference managers, in lower case -> kind."""
_BRACES = str.maketrans("{}\\", "()/")
"""Characters with a meaning in BibTeX; the writer escapes the others."""


class Work(Model):
    """One work. ``kind`` is one of ``KINDS``; ``authors`` as "Family, Given"; ``container``: the journal or book."""

    key: str
    title: str
    kind: str = "work"
    authors: tuple[str, ...] = ()
    year: int | None = None
    container: str = ""
    publisher: str = ""
    volume: str = ""
    doi: str = ""
    url: str = ""
    note: str = ""


def to_bibtex(works: Sequence[Work]) -> str:
    entries = {}
    for work in works:
        fields = {
            "title": work.title,
            "journal": work.container,
            "publisher": work.publisher,
            "volume": work.volume,
            "year": str(work.year or ""),
            "doi": work.doi,
            "url": work.url,
            "note": work.note,
        }
        kept = {name: value.translate(_BRACES) for name, value in fields.items() if value}
        people = [Person(name.translate(_BRACES)) for name in work.authors]
        entries[work.key] = Entry(KINDS[work.kind][0], fields=kept, persons={"author": people} if people else {})
    return str(BibliographyData(entries).to_string("bibtex"))


class _Ris(rispy.RisWriter):
    """Writes RIS without record numbers, which other programs take for text."""

    def set_header(self, count: int) -> str:
        return ""


def to_ris(works: Sequence[Work]) -> str:
    """Return RIS with the line ends the format requires."""
    rows = []
    for work in works:
        row = {
            "type_of_reference": KINDS[work.kind][1],
            "id": work.key,
            "title": work.title,
            "authors": list(work.authors),
            "secondary_title": work.container,
            "publisher": work.publisher,
            "volume": work.volume,
            "year": str(work.year or ""),
            "doi": work.doi,
            "urls": [work.url] if work.url else [],
            "notes": [work.note] if work.note else [],
        }
        rows.append({name: value for name, value in row.items() if value})
    return str(rispy.dumps(rows, implementation=_Ris)).lstrip().replace("\r\n", "\n").replace("\n", "\r\n")


def to_csl(works: Sequence[Work]) -> str:
    rows = []
    for work in works:
        row = {
            "id": work.key,
            "type": KINDS[work.kind][2],
            "title": work.title,
            "author": [_name(name) for name in work.authors],
            "issued": {"date-parts": [[work.year]]} if work.year else None,
            "container-title": work.container,
            "publisher": work.publisher,
            "volume": work.volume,
            "DOI": work.doi,
            "URL": work.url,
            "note": work.note,
        }
        rows.append({name: value for name, value in row.items() if value})
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def _name(author: str) -> dict[str, str]:
    family, _, given = author.partition(",")
    return {"family": family.strip(), "given": given.strip()} if given.strip() else {"literal": author}


WRITERS: Final[Mapping[str, Callable[[Sequence[Work]], str]]] = {".bib": to_bibtex, ".ris": to_ris, ".csl": to_csl}
"""Writers by suffix."""
