"""The references of a paragraph, each with where it leads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Place, Reference, Resolution
from rabbithole.steps.reasoning.text.quotations import quotations

from .models import Finding, Verdict

AROUND = "the place around it is given"
"""How resolution says that the innermost part of a path was not found."""


@dataclass(frozen=True)
class Cited:
    """A reference as the draft writes it and the place it leads to; ``text`` is that place's text, '' when unknown."""

    reference: Reference
    resolution: Resolution
    text: str = ""

    @property
    def is_held(self) -> bool:
        return self.resolution.status == "resolved" and self.resolution.document is not None

    @property
    def is_section(self) -> bool:
        return self.is_held and self.resolution.start is not None and self.resolution.section is not None


def cited_in(text: str, kb: KnowledgeBase, collections: Sequence[str], last: str | None) -> list[Cited]:
    """References of a paragraph in order. ``last``: id of the document last cited, for a bare "§ 5" after it.

    References inside a quotation are the quoted document's own words; the quotation as a whole is checked.
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
        last = resolution.document or last
        found.append(Cited(reference, resolution, _place_text(resolution, kb)))
    return found


def _place_text(resolution: Resolution, kb: KnowledgeBase) -> str:
    if resolution.status != "resolved" or resolution.document is None or resolution.section is None:
        return ""
    return kb.section_text(resolution.section)


def reference_finding(paragraph: int, cited: Cited, kb: KnowledgeBase) -> Finding:
    """Whether the place a reference names exists, is held and is in force."""
    resolution = cited.resolution
    verdict, detail = _judged(cited, kb)
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


def _judged(cited: Cited, kb: KnowledgeBase) -> tuple[Verdict, str]:
    resolution = cited.resolution
    if resolution.status == "ambiguous":
        return "unresolved", f"Several documents may be meant by {resolution.name or cited.reference.text!r}."
    if resolution.status == "missing":
        if resolution.document is not None:
            return "no_such_place", f"{resolution.name} does not exist in the document held."
        if cited.reference.document is None and cited.reference.kind in ("section", "legal_section"):
            return "unresolved", "The text does not say of which document."
        return "not_held", f"{resolution.name or cited.reference.text} is not in the collection."
    if AROUND in resolution.note:
        return "no_such_place", resolution.note
    standing = kb.standing(resolution.document) if resolution.document else ""
    if standing:
        return "outdated", standing
    return "holds", resolution.note
