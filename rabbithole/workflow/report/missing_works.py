"""Lists the works that references name but the collection lacks, each once under its fullest name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rabbithole.kb.references.bibliography.entry_key import entry_key
from rabbithole.kb.references.graph.missing import missing_kind
from rabbithole.kb.references.names.designations.designation import Designation
from rabbithole.kb.references.names.designations.well_known_series import designation_of
from rabbithole.kb.references.names.name_keys import NameKey, name_key
from rabbithole.kb.references.resolution.book_pages import PAGE_NOT_HELD
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.report_models import MissingDocument
from rabbithole.workflow.ledger import LedgerEntry

_PAGES_NAMED = 3
_FIELD = re.compile(r"[,;:()\"“”„]|(?<!Rev)(?<!Std)(?<!Vol)(?<!No)(?<!Nr)\.(?:\s|\Z)")
_ABBREVIATION = re.compile(r"\s\([A-Z]{2,8}\)(?=\s)")
_BRACKETED = re.compile(r"(?P<name>[^()]+)\((?P<short>[^()]+)\)\W*")
_BETWEEN = re.compile(r"\s[-–]\s")


def missing_documents(entries: Sequence[LedgerEntry]) -> tuple[MissingDocument, ...]:
    """Return the documents that references of the ledger name but the collection lacks."""
    lacking = [entry.mention for entry in entries if entry.decision == "missing"]
    return missing_of(lacking, [entry.mention for entry in entries])


def missing_of(mentions: Iterable[Mention], beside: Iterable[Mention] = ()) -> tuple[MissingDocument, ...]:
    """Return the works these mentions name but the collection lacks, most cited first; each place counts once.

    Several names of one work are one entry, and so are pages of one site. A name is none of a missing work if the
    call-out behind it leads to a document held: 'BCP 14 [RFC2119]'; ``beside`` are all mentions in which to look for
    these. Other addresses of the web are only counted: see ``addresses``.
    """
    lacking = [one for one in mentions if _is_page(one) or _is_work(one)]
    same_work = list(_named_twice((*lacking, *beside)))
    held = {_key(one) for one, call_out in same_work if call_out.resolution.document is not None}
    lacking = [one for one in lacking if _key(one) not in held]
    works = _Works(one.resolution.name for one in lacking if not _is_page(one))
    for one, call_out in same_work:
        if _is_work(call_out):
            works.join(_key(one), _key(call_out))
    names: dict[NameKey, str] = {}
    pages: dict[NameKey, dict[str, None]] = {}
    kinds: dict[NameKey, MissingDocument] = {}
    cited: dict[NameKey, dict[str, None]] = {}
    for mention in lacking:
        name = _without_brackets(mention.resolution.name)
        key = ("", *_key(mention)) if _is_page(mention) else works.of(_key(mention))
        if _is_page(mention):
            pages.setdefault(key, {})[mention.resolution.note] = None
        if len(name) > len(names.setdefault(key, name)):
            names[key] = name  # "Verordnung (EU) 2017/745" says more than "(EU) 2017/745"
        cited.setdefault(key, {})[mention.source_label] = None
        kinds.setdefault(key, MissingDocument(name=name, kind=mention.reference.kind, cited_by=(), count=0))
    names |= {key: _with_pages(names[key], tuple(files)) for key, files in pages.items()}
    found = [
        kinds[key].model_copy(update={"name": names[key], "cited_by": tuple(cited[key]), "count": len(cited[key])})
        for key in names
        if not any(part_of(names[key], names[other]) and cited[key].keys() <= cited[other].keys() for other in names)
    ]
    return tuple(sorted(found, key=lambda one: (-one.count, one.name.casefold())))


def addresses(mentions: Iterable[Mention]) -> int:
    """Return how many web addresses the mentions contain, apart from links to missing pages of their own site."""
    missing = (one for one in mentions if one.resolution.status == "missing")
    outside = (one for one in missing if one.resolution.rule != PAGE_NOT_HELD)
    return len({one.reference.target for one in outside if one.reference.kind == "external"})


def part_of(name: str, other: str) -> bool:
    """Return whether ``other`` ends with ``name``, as 'Lebens- und Futtermittelgesetzbuch' does."""
    bare = other.split(" (")[0]
    return bare != name and bare.endswith((f" {name}", f"-{name}"))


class _Works:
    """Groups the names of one work: a name, the short ones in brackets behind it, and the numbers of an entry."""

    def __init__(self, names: Iterable[str]) -> None:
        self._head: dict[NameKey, NameKey] = {}
        whole = {_name_key(name): name for name in names}
        numbered: dict[NameKey, set[NameKey]] = defaultdict(set)
        for key, name in whole.items():
            for short in _short_names(name):
                if short in whole:
                    self.join(key, short)
            *others, own = _numbers(name)
            self.join(own, key)
            for other in others:
                numbered[other].add(own)
        for number, (entry, *more) in numbered.items():
            if not more:  # else it collects several works, as a sub-series does
                self.join(entry, number)

    def of(self, key: NameKey) -> NameKey:
        """Return the key of the group that a name is in."""
        while key in self._head:
            key = self._head[key]
        return key

    def join(self, one: NameKey, other: NameKey) -> None:
        first, second = self.of(one), self.of(other)
        if first != second:
            self._head[second] = first


def _is_page(mention: Mention) -> bool:
    return mention.resolution.rule == PAGE_NOT_HELD


def _is_work(mention: Mention) -> bool:
    return missing_kind(mention.reference, mention.resolution) not in (None, "section")


def _named_twice(mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Yield each name that stands directly before a call-out, with the call-out: 'BCP 14 [RFC2119]'."""
    call_outs = {
        (one.source_document, one.reference.start): one for one in mentions if one.reference.text.startswith("[")
    }
    for one in mentions:
        after = (call_outs.get((one.source_document, one.reference.end + gap)) for gap in (0, 1))
        call_out = next((found for found in after if found is not None), None)
        if call_out is not None and _is_work(one) and not one.reference.text.startswith("["):
            yield one, call_out


def _key(mention: Mention) -> NameKey:
    return _name_key(mention.resolution.name)


def _name_key(name: str) -> NameKey:
    designation = designation_of(name)
    return _number_key(designation) if designation else entry_key(name) or name_key(name) or (name,)


def _without_brackets(name: str) -> str:
    """Return the number that a call-out consists of: 'RFC 2119' for '[RFC2119]'."""
    designation = designation_of(name) if name.startswith("[") else None
    return designation.full if designation else name


def _number_key(designation: Designation) -> NameKey:
    return (designation.key, designation.part, designation.edition)


def _short_names(name: str) -> tuple[NameKey, ...]:
    """Return the names of which one is written out and the others stand in brackets behind it."""
    found = _BRACKETED.fullmatch(name)
    return tuple(map(_name_key, (found["name"].strip(), *_BETWEEN.split(found["short"])))) if found else ()


def _numbers(name: str) -> list[NameKey]:
    """Return the numbers that are fields of a bibliography entry, in order: its own is the last, else its name."""
    if designation_of(name) is not None:
        return [_name_key(name)]
    fields = (designation_of(field.strip()) for field in _FIELD.split(_ABBREVIATION.sub("", name)) if field.strip())
    return list(dict.fromkeys(_number_key(one) for one in fields if one is not None)) or [_name_key(name)]


def _with_pages(site: str, files: Sequence[str]) -> str:
    """Return the name of a site with the pages that are not held: 'Manual: backup.html, restore.html, …'."""
    more = ", …" if len(files) > _PAGES_NAMED else ""
    return f"{site}: {', '.join(files[:_PAGES_NAMED])}{more}"
