"""The read-only tools for other programs: the knowledge base as typed calls on ids and names.

Parameter names are those agents usually expect (``bucket``, ``query``, ``filters``, ``top_k``, ``context_chars``,
``doc_id``). ``filters`` maps a field to a value, a list of values (any of them), or ``{operator: value}``.
All functions are synchronous and thread-safe; errors are ``RabbitholeError`` with one clear sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.as_of import on_day
from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import (
    Citing,
    Filter,
    Model,
    Place,
    Reference,
    Resolution,
    Scalar,
    SearchMode,
    SearchResult,
    Section,
)
from rabbithole.kb.references.names.books import title_with_book
from rabbithole.steps.comparison.compare import compare
from rabbithole.steps.comparison.models import Comparison
from rabbithole.steps.comparison.versions import find_version
from rabbithole.steps.draft_check.check import check_draft
from rabbithole.steps.draft_check.models import DraftCheck
from rabbithole.steps.draft_check.splitting import split_text

MAX_TOP_K = 100
MAX_CONTEXT = 4000
LEAD_CHARACTERS = 500
OPERATORS = frozenset({"=", "!=", "<", "<=", ">", ">=", "in"})


class ToolHit(Model):
    doc_id: str
    title: str
    file: str
    section: str
    page: int
    page_label: str
    score: float
    snippet: str
    reasons: tuple[str, ...] = ()
    times_cited: int = 0


class ToolHits(Model):
    """``total`` counts all matching passages; ``hits`` are the best of them.

    The ``reasons`` of a hit say which references raised its rank, ``times_cited`` how often other sections refer to its
    section.
    """

    total: int
    hits: tuple[ToolHit, ...]


class OutlineEntry(Model):
    number: str
    heading: str
    level: int
    page: int
    page_label: str
    section_id: str
    times_cited: int = 0


class Inspection(Model):
    """A document's table of contents and its first words, without its text."""

    doc_id: str
    title: str
    file: str
    pages: int
    lead: str
    outline: tuple[OutlineEntry, ...]


class SectionText(Model):
    doc_id: str
    title: str
    section_id: str
    section: str
    page: int
    page_label: str
    text: str
    truncated: bool = False


def parse_filters(filters: Mapping[str, Any] | None) -> tuple[Filter, ...]:
    """Return filters as conditions: ``{"year": 2023}``, ``{"year": {">=": 2020}}``, ``{"type": ["act", "order"]}``.

    Raises UsageError for an unknown operator or a value of another type.
    """
    conditions: list[Filter] = []
    for field, wanted in (filters or {}).items():
        if isinstance(wanted, Mapping):
            unknown = sorted(set(wanted) - OPERATORS)
            if unknown:
                raise UsageError(
                    f"The filter on {field!r} uses the unknown operator {unknown[0]!r}; "
                    f"the known operators are {sorted(OPERATORS)}."
                )
            conditions += [
                Filter(field=field, operator=operator, value=_value(value)) for operator, value in wanted.items()
            ]
        elif isinstance(wanted, Sequence) and not isinstance(wanted, str):
            conditions.append(Filter(field=field, operator="in", value=_value(wanted)))
        else:
            conditions.append(Filter(field=field, operator="=", value=_value(wanted)))
    return tuple(conditions)


def _value(value: Any) -> Scalar | tuple[Scalar, ...]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(value)
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    raise UsageError(
        f"The value of a filter must be a string, a number or a list of these, not {type(value).__name__}."
    )


def search(
    kb: KnowledgeBase,
    mode: SearchMode,
    bucket: str,
    query: str,
    filters: Mapping[str, Any] | None,
    top_k: int,
    context_chars: int,
    doc_id: str | None,
) -> ToolHits:
    """Search one collection (``bucket``; all if empty); snippets have up to ``context_chars`` characters."""
    if not 1 <= top_k <= MAX_TOP_K:
        raise UsageError(f"top_k must be between 1 and {MAX_TOP_K}, not {top_k}.")
    result = kb.search(
        query,
        kb.require([bucket] if bucket else []),
        mode=mode,
        filters=parse_filters(filters),
        top_k=top_k,
        documents=(doc_id,) if doc_id else (),
    )
    return to_hits(kb, result, min(context_chars, MAX_CONTEXT))


def search_on(kb: KnowledgeBase, as_of: str, mode: SearchMode, *given: Any) -> ToolHits:
    """Search only what was in force on the day ``as_of``; the other arguments are those of ``search``."""
    return search(on_day(kb, as_of), mode, *given)


def to_hits(kb: KnowledgeBase, result: SearchResult, context_chars: int) -> ToolHits:
    cited = {document: kb.times_cited(document) for document in {hit.chunk.document for hit in result.hits}}
    hits = tuple(
        ToolHit(
            doc_id=hit.chunk.document,
            title=title_with_book(kb.document(hit.chunk.document)),
            file=hit.file,
            section=" > ".join(hit.chunk.section_path),
            page=hit.chunk.page,
            page_label=hit.chunk.page_label,
            score=hit.score,
            snippet=hit.chunk.text[:context_chars],
            reasons=hit.reasons,
            times_cited=cited[hit.chunk.document].get(hit.chunk.section, 0),
        )
        for hit in result.hits
    )
    return ToolHits(total=result.total, hits=hits)


def inspect_document(kb: KnowledgeBase, doc_id: str) -> Inspection:
    document = kb.document(doc_id)
    cited = kb.times_cited(doc_id)
    return Inspection(
        doc_id=document.id,
        title=title_with_book(document),
        file=document.file,
        pages=document.pages,
        lead=kb.text(doc_id, 0, LEAD_CHARACTERS),
        outline=tuple(_entry(section, cited.get(section.id, 0)) for section in kb.outline(doc_id)),
    )


def _entry(section: Section, times_cited: int) -> OutlineEntry:
    return OutlineEntry(
        number=section.number,
        heading=section.heading,
        level=section.level,
        page=section.page,
        page_label=section.page_label,
        section_id=section.id,
        times_cited=times_cited,
    )


def read_section(kb: KnowledgeBase, doc_id: str, section: str, max_chars: int) -> SectionText:
    """Return one section by its number ('§ 27', '4.2') or its section id. Raises UsageError if there is none."""
    known = {entry.id: entry for entry in kb.outline(doc_id)}
    found = known.get(section) or kb.section(doc_id, section)
    if found is None:
        numbers = [entry.number for entry in known.values() if entry.number]
        raise UsageError(
            f"The document {kb.document(doc_id).title!r} has no section {section!r}; "
            f"it has {', '.join(numbers[:20]) or 'no numbered sections'}."
        )
    text = kb.section_text(found.id)
    return SectionText(
        doc_id=doc_id,
        title=kb.document(doc_id).title,
        section_id=found.id,
        section=found.label,
        page=found.page,
        page_label=found.page_label,
        text=text[:max_chars],
        truncated=len(text) > max_chars,
    )


def find_references(kb: KnowledgeBase, text: str, doc_id: str | None, section: str | None) -> tuple[Reference, ...]:
    """Return the references in ``text`` or, if ``doc_id`` is given, in that document or one of its sections."""
    if doc_id is None:
        return tuple(kb.detect(text))
    if section is None:
        return kb.references(doc_id)
    found = kb.section(doc_id, section)
    if found is None:
        raise UsageError(f"The document {kb.document(doc_id).title!r} has no section {section!r}.")
    return kb.references(doc_id, found.start, found.end)


def cited_by(kb: KnowledgeBase, doc_id: str, section: str | None) -> tuple[Citing, ...]:
    """Return the places that refer to a document, or to one of its sections (number or section id)."""
    if section is None:
        return kb.cited_by(doc_id)
    known = {entry.id: entry for entry in kb.outline(doc_id)}
    found = known.get(section) or kb.section(doc_id, section)
    if found is None:
        raise UsageError(f"The document {kb.document(doc_id).title!r} has no section {section!r}.")
    return kb.cited_by(doc_id, found.id)


def detected_alone(kb: KnowledgeBase, text: str) -> tuple[Reference, ...]:
    """Return the references in ``text``, read as running text; at the start of a line "§ 12" would be a heading."""
    lead = "… "
    found = kb.detect(f"{lead}{text}")
    shift = len(lead)
    return tuple(each.model_copy(update={"start": each.start - shift, "end": each.end - shift}) for each in found)


def resolve_reference(
    kb: KnowledgeBase, reference: str, bucket: str, doc_id: str | None, as_of: str = ""
) -> tuple[Resolution, ...]:
    """Return where the references in ``reference`` lead on the day ``as_of``, as if they occurred in ``doc_id``."""
    kb = on_day(kb, as_of)
    found = detected_alone(kb, reference)
    if not found:
        raise UsageError(f"No reference was found in {reference[:80]!r}; write it as it would appear in a text.")
    collections = kb.require([bucket] if bucket else [])
    place = Place(document=doc_id) if doc_id else None
    return tuple(kb.resolve(item, at=place, collections=collections) for item in found)


def check_text(kb: KnowledgeBase, text: str, bucket: str, as_of: str = "") -> DraftCheck:
    """Check the references, quotations and figures of a text against a collection (``bucket``; all if empty)."""
    return check_draft("draft", split_text(text), on_day(kb, as_of), [bucket] if bucket else [])


def compare_editions(
    kb: KnowledgeBase, old: str, new: str, section: str | None = None, collections: Sequence[str] = ()
) -> Comparison:
    """Compare two documents, each given by name, file, id or NAME@EDITION.

    ``section`` limits the comparison to that section and its subsections. Raises UsageError if both are one document.
    """
    names = kb.require(collections)
    one, two = find_version(kb, old, names), find_version(kb, new, names)
    if one.document.id == two.document.id:
        raise UsageError(f"{old!r} and {new!r} are the same document: {one.document.file}.")
    notes = [note for note in (one.note, two.note) if note]
    return compare(kb, one.document, two.document, section=section, notes=notes)
