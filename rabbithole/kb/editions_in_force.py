"""Determines which documents were in force on a day, from their dates and from what they say about each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Document, Scalar

from .references.names.name_keys import name_key, split_edition
from .references.names.registry import Registry
from .references.resolution.in_force import one_work

_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_FROM = ("in_force_from", "valid_from", "gilt_ab", "date", "edition", "year")
_UNTIL = ("in_force_until", "valid_until", "gilt_bis")


class DatedEdition(NamedTuple):
    """A document with the works it is an edition of, and the documents that say they replace it."""

    id: str
    since: str
    until: str = ""
    works: frozenset[str] = frozenset()
    replaced_by: frozenset[str] = frozenset()


def parsed_day(text: str) -> str:
    """Return a day as '2016-05-01'; a year or month alone means its first day. Raises UsageError for anything else."""
    match = _DAY.fullmatch(text.strip())
    if match is None or not (1 <= int(match[2] or 1) <= 12 and 1 <= int(match[3] or 1) <= 31):
        raise UsageError(f"{text!r} is not a date; write it as 2016-05-01, 2016-05 or 2016.")
    return f"{match[1]}-{match[2] or '01'}-{match[3] or '01'}"


def since(document: Document) -> str:
    """Return the first day of the edition, as exactly as it is known, or ''."""
    return _first(document.metadata, _FROM)


def until(document: Document) -> str:
    return _first(document.metadata, _UNTIL)


def not_in_force(documents: Sequence[DatedEdition], day: str) -> frozenset[str]:
    """Return the ids of documents not in force on a day.

    These came later, had ended, or had been replaced by then by a later edition or a successor. A document without a
    date counts as in force.
    """
    begun = {each.id: each.since for each in documents}
    by_work: dict[str, list[DatedEdition]] = {}
    for each in documents:
        for work in each.works:
            by_work.setdefault(work, []).append(each)
    hidden: set[str] = set()
    for each in documents:
        later = each.since > day
        ended = bool(each.until) and each.until < day
        followed = bool(each.since) and any(
            each.since < other.since <= day for work in each.works for other in by_work[work]
        )
        replaced = any(by in begun and begun[by] and begun[by] <= day for by in each.replaced_by)
        if later or ended or followed or replaced:
            hidden.add(each.id)
    return frozenset(hidden)


def dated_editions(documents: Sequence[Document], registry: Registry) -> list[DatedEdition]:
    """Return each document with its works; a work is identified by the id of the first of its editions."""
    keys: dict[tuple[str, str], list[Document]] = {}
    own: dict[str, set[str]] = {}
    for document in documents:
        own[document.id] = {" ".join(name_key(split_edition(name).base)) for name in registry.names_of(document.id)}
        for key in own[document.id]:
            keys.setdefault((document.collection, key), []).append(document)
    works: dict[str, set[str]] = {document.id: {document.id} for document in documents}
    for named in keys.values():
        for document in named[1:]:
            if one_work(registry, named[0], document):
                works[document.id].add(named[0].id)
    collections = {document.id: document.collection for document in documents}
    return [
        DatedEdition(
            document.id,
            since(document),
            until(document),
            frozenset(works[document.id]),
            frozenset(
                by
                for by, _ in registry.store.replacing(sorted(own[document.id]))
                if by != document.id and collections.get(by) == document.collection
            ),
        )
        for document in documents
    ]


def works_with_editions(documents: Sequence[Document], registry: Registry) -> tuple[tuple[Document, ...], ...]:
    """Return dated documents that are editions of one work or replace each other, grouped, oldest first."""
    known = {each.id: each for each in documents}
    group = {each.id: each.id for each in documents}

    def head(of: str) -> str:
        while group[of] != of:
            of = group[of]
        return of

    for each in dated_editions(documents, registry):
        for other in (each.works | each.replaced_by) & known.keys():
            group[head(other)] = head(each.id)
    works: dict[str, list[Document]] = {}
    for each_document in documents:
        if since(each_document):
            works.setdefault(head(each_document.id), []).append(each_document)
    ordered = (tuple(sorted(work, key=since)) for work in works.values())
    return tuple(work for work in ordered if len(work) > 1 and len({since(each) for each in work}) == len(work))


def _first(values: Mapping[str, Scalar], fields: Iterable[str]) -> str:
    for field in fields:
        if (match := _DAY.fullmatch(str(values.get(field) or ""))) is not None:
            return f"{match[1]}-{match[2] or '01'}-{match[3] or '01'}"
    return ""
