"""Lists what a collection refers to but does not hold, as a guide to what to acquire next."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import Field

from rabbithole.kb.models import Model, Reference, ReferenceKind, Resolution
from rabbithole.kb.references.bibliography.entry_key import entry_key
from rabbithole.kb.references.grammar.published import is_gazette
from rabbithole.kb.references.names.designations.well_known_series import designation_of
from rabbithole.kb.references.names.name_keys import name_key, split_edition
from rabbithole.kb.store.reference_rows import Lacking

MissingKind = Lacking
_NUMBER = re.compile(r"\d{3}|\d[-–/]\d")
_WORD_OF_SENTENCE = re.compile(r"[a-zäöüß]+")
"""A single quoted word in small letters after "document": 'to make a document "free"' names none."""
_NO_WORK = re.compile(
    r"\A(?:(?:https?://|www\.)\S+\Z|.*\b(?:(?:private|personal|oral) (?:communications?|correspondence)|"
    r"(?:persönliche|mündliche|private) (?:Mitteilung|Auskunft|Kommunikation))(?:\W+(?:\w+\W+){0,2}\d{4})?\W*\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""An entry of a bibliography that is no document to acquire: an address by itself, or what somebody said."""
_BOOK = re.compile(r"(?:[Hh]andbuch|\b[Mm]anual|\b[Gg]uide)\Z")
"""The name of a book, which is no law although the text cites a section of it."""
_SECTIONS = 12
"""Maximum number of sections listed for one citing document."""
_KINDS: dict[ReferenceKind, MissingKind] = {
    "legal_section": "law",
    "document": "document",
    "document_mention": "document",
    "academic_numbered": "literature",
    "academic_shortform": "literature",
    "section": "section",
}


class CitedBy(Model):
    document: str = Field(description="id of the citing document")
    file: str
    times: int
    sections: tuple[str, ...] = Field(default=(), description="numbers of the sections that cite it")


class Missing(Model):
    """A work that is cited but not held, or a section that a held document does not have (kind ``section``)."""

    kind: MissingKind
    name: str
    times: int
    cited_by: tuple[CitedBy, ...]


class Lack(NamedTuple):
    """Something missing that a document (id and file) refers to."""

    kind: MissingKind
    name: str
    document: str
    file: str
    section: str = ""


def collect_missing(lacks: Iterable[Lack]) -> tuple[Missing, ...]:
    """Return the missing works and sections, each once, the most cited first."""
    names: dict[tuple[str, ...], str] = {}
    kinds: dict[tuple[str, ...], MissingKind] = {}
    cited: dict[tuple[str, ...], Counter[tuple[str, str]]] = {}
    sections: dict[tuple[tuple[str, ...], str], dict[str, None]] = {}
    for kind, name, document, file, section in lacks:
        if is_gazette(name):
            continue  # it says where something was published
        key = ("section", name) if kind == "section" else work_key(name)
        names.setdefault(key, name)
        if section:
            sections.setdefault((key, document), {})[section] = None
        kinds[key] = "law" if "law" in (kind, kinds.get(key)) else kind
        cited.setdefault(key, Counter())[document, file] += 1
    found = [
        Missing(
            kind=kinds[key],
            name=names[key],
            times=sum(by.values()),
            cited_by=tuple(
                CitedBy(
                    document=document,
                    file=file,
                    times=times,
                    sections=tuple(sections.get((key, document), ()))[:_SECTIONS],
                )
                for (document, file), times in sorted(by.items(), key=lambda item: (-item[1], item[0]))
            ),
        )
        for key, by in cited.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.times, each.kind, each.name)))


def work_key(name: str) -> tuple[str, ...]:
    """Return the same key for all spellings of a work.

    It is the series number and part; of an entry of a bibliography the author, year and title in whatever style they
    are written; else the name without its edition.
    """
    if designation := designation_of(name):
        return (designation.key, designation.part)
    if entry := entry_key(name):
        return entry
    return name_key(split_edition(name).base) or (name,)


def missing_kind(reference: Reference, resolution: Resolution) -> MissingKind | None:
    """Return what kind of thing is missing, or None if nothing is missing or it has no name to look for.

    A web address is no missing document, nor is a private communication; a number or a label alone does not say what
    to acquire.
    """
    if resolution.status != "missing" or reference.kind == "external" or not resolution.name:
        return None
    if resolution.document is not None:
        return "section"
    if _unexplained(reference, resolution.name) or not any(map(str.isalpha, resolution.name)):
        return None
    if _NO_WORK.match(resolution.name):
        return None
    if reference.kind == "document" and _WORD_OF_SENTENCE.fullmatch(resolution.name):
        return None
    itself = resolution.name == (reference.target or reference.text)
    bare = reference.document is None and reference.kind in ("section", "legal_section")
    if bare and (reference.antecedent is None or itself):
        return None
    if _BOOK.search(resolution.name):
        return "document"
    return "law" if reference.kind == "section" else _KINDS.get(reference.kind)


def _unexplained(reference: Reference, name: str) -> bool:
    """Return whether a name is a call-out that no entry explains, '[Doe92]', and no number such as '[SP800-21]'."""
    own = reference.kind.startswith("academic") and name in (reference.target, reference.text)
    return own and (reference.text[:1] != "[" or _NUMBER.search(name) is None)
