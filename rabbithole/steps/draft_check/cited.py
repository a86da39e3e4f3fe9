"""The references of a paragraph, resolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.editions_in_force import since
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Place, Reference, Resolution
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.quotations import quotations
from rabbithole.steps.resolution_notes import said

from .models import Finding, Verdict

AROUND = "the place around it is given"
"""How resolution says that the innermost part of a path was not found."""
_IN_FORCE = frozenset({"act", "standard", "guideline", "manual", "contract"})
_BY_TITLE = "its title begins with the name"
_EDITION = re.compile(r"\W{0,3}(?:vom |von |of |Fassung |edition )?((?:19|20)\d\d)(?!\d)")


@dataclass(frozen=True)
class Cited:
    """A reference as written in the draft, and the place it leads to.

    ``text`` is the section's text, ``part`` that of the paragraph or item named in it; '' if unknown.
    """

    reference: Reference
    resolution: Resolution
    text: str = ""
    part: str = ""

    @property
    def is_held(self) -> bool:
        return self.resolution.status == "resolved" and self.resolution.document is not None

    @property
    def is_section(self) -> bool:
        return self.is_held and self.resolution.start is not None and self.resolution.section is not None


def cited_in(text: str, kb: KnowledgeBase, collections: Sequence[str], last: str | None) -> list[Cited]:
    """Return the references of a paragraph in order. ``last``: id of the document last cited, for a bare "§ 5".

    References inside a quotation are left out, because the quotation is checked as a whole.
    """
    found: list[Cited] = []
    quoted = [(each.start, each.end) for each in quotations(text) if not each.is_term]
    for reference in kb.detect(text):
        inside = any(start <= reference.start < end for start, end in quoted)
        if reference.kind == "external" or inside:
            continue
        resolution = kb.resolve(reference, collections=collections)
        if resolution.status != "resolved" and reference.document is None and last is not None:
            near = kb.resolve(reference, at=Place(document=last), collections=collections)
            resolution = near if near.status == "resolved" or near.document is not None else resolution
        elif resolution.status == "missing" and resolution.document is None and reference.document is not None:
            resolution = _by_title(kb, collections, reference, resolution, text[reference.end :])
        if resolution.document or reference.document:
            last = resolution.document  # a bare "§ 5" belongs to the document named last, even if that is missing
        whole = kb.section_text(resolution.section) if _is_section(resolution) and resolution.section else ""
        found.append(Cited(reference, resolution, whole, _part(kb, resolution)))
    return found


def _is_section(resolution: Resolution) -> bool:
    return resolution.status == "resolved" and resolution.document is not None and resolution.section is not None


def _part(kb: KnowledgeBase, resolution: Resolution) -> str:
    """Return the text of the paragraph or item named inside a section; '' if the whole section is meant."""
    if not _is_section(resolution) or AROUND in resolution.note or resolution.section is None:
        return ""
    section = kb.section_by_id(resolution.section)
    start, end = resolution.start or section.start, resolution.end or section.end
    if (start, end) == (section.start, section.end):
        return ""
    return kb.text(section.document, start, end)


def _by_title(
    kb: KnowledgeBase, collections: Sequence[str], reference: Reference, resolution: Resolution, after: str
) -> Resolution:
    """Resolve 'die Hausordnung' to the only document whose title begins with that word; else return the resolution.

    Of several editions it is that of the year that follows in the text, else the latest.
    """
    name = " ".join((reference.document or "").split()).casefold()
    documents = [each for each in kb.documents() if not collections or each.collection in collections]
    named = [each for each in documents if re.match(rf"{re.escape(name)}\b", each.title.casefold())] if name else []
    document = _one_of(kb, named, after)
    if document is None:
        return resolution
    number = f"{reference.path[0][0]} {reference.path[0][1]}" if reference.path else ""
    section = kb.section(document.id, number) or kb.section(document.id, number.split()[-1]) if number else None
    changed: dict[str, object] = {"document": document.id, "file": document.file, "rule": _BY_TITLE}
    if reference.path and section is None:
        return resolution.model_copy(update={**changed, "name": f"{document.title}, {number}"})
    changed |= {"status": "resolved", "name": document.title}
    if section is not None:
        changed |= {"section": section.id, "number": section.number, "heading": section.heading,
                    "start": section.start, "end": section.end, "page": section.page,
                    "page_label": section.page_label}  # fmt: skip
    return resolution.model_copy(update=changed)


def _one_of(kb: KnowledgeBase, named: Sequence[Document], after: str) -> Document | None:
    if len(named) < 2:
        return named[0] if named else None
    ids = {each.id for each in named}
    works = [work for work in kb.works() if ids <= {each.id for each in work}]
    if not works:
        return None
    year = _EDITION.match(after)
    if year is None:
        return works[0][-1]
    return next((each for each in works[0] if since(each).startswith(year[1])), None)


def reference_finding(paragraph: int, cited: Cited, kb: KnowledgeBase, language: str) -> Finding:
    """Return the finding on a reference: whether its place exists, is in the collection and is in force."""
    resolution = cited.resolution
    verdict, detail = _judged(cited, kb, language)
    return Finding(
        paragraph=paragraph,
        start=cited.reference.start,
        end=cited.reference.end,
        text=cited.reference.text,
        kind="reference",
        verdict=verdict,
        detail=detail,
        document=resolution.document or "",
        title=resolution.name,
        file=resolution.file or "",
        section=resolution.number or "",
        page=resolution.page,
        page_label=resolution.page_label or "",
    )


def _judged(cited: Cited, kb: KnowledgeBase, language: str) -> tuple[Verdict, str]:
    resolution = cited.resolution
    name = resolution.name or cited.reference.text
    if resolution.status == "ambiguous":
        return "unresolved", phrase(language, "check.ambiguous", name=name)
    if resolution.status == "missing":
        if resolution.document is not None:
            return "no_such_place", phrase(language, "check.no_such_place", name=resolution.name)
        if cited.reference.document is None and cited.reference.kind in ("section", "legal_section"):
            return "unresolved", phrase(language, "check.no_document")
        return "not_held", phrase(language, "check.not_held", name=name)
    if AROUND in resolution.note:
        return "no_such_place", said(resolution.note, language)
    note = kb.validity_note(resolution.document) if resolution.document else ""
    if note:
        return "outdated", said(note, language)
    if later := _later_edition(kb, resolution.document):
        return "outdated", phrase(language, "check.later", name=later.title, day=since(later))
    return "holds", said(resolution.note, language)


def _later_edition(kb: KnowledgeBase, document: str | None) -> Document | None:
    """Return the latest edition if this is an earlier one with the same title, of a kind that can be in force."""
    for work in kb.works():
        if work[-1].id != document and any(each.id == document for each in work):
            here, latest = next(each for each in work if each.id == document), work[-1]
            same = here.title == latest.title and here.collection == latest.collection
            return latest if same and {here.metadata.get("kind"), latest.metadata.get("kind")} <= _IN_FORCE else None
    return None
