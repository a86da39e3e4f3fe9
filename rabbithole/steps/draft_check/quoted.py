"""Check the quotations of a paragraph against the places cited next to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from rapidfuzz import fuzz

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import QuotePlace
from rabbithole.kb.reading.quotation_search import find, reduce
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.quotations import quotations

from .cited import Cited
from .models import Finding, Paragraph, Verdict

LEAST_WORDS = 4
LIKENESS = 80.0
"""Percent of equal characters (Levenshtein, best window) from which a passage is the one quoted, with differences."""
SEARCHED = 8
_ITEM = re.compile(r"(?:\(?(?:\d{1,2}[a-z]?|[a-z]{1,2})[.)]|[-–•])")
_BEFORE = re.compile(r"[,;:.]\Z|\A(?:und|oder|and|or)\Z")
"""What stands before the number of an item; "vom 19. Juni" has none."""
ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.{3})\s*\]|\(\s*(?:…|\.{3})\s*\)|…|\.{3})\s*")


def quotation_findings(
    paragraph: int, text: str, cited: Sequence[Cited], kb: KnowledgeBase, collections: Sequence[str], language: str
) -> Iterator[Finding]:
    """Return a finding for each part of a quotation of at least four words; omissions ("...") separate the parts."""
    for quotation in quotations(text):
        near = _nearest(cited, quotation.start, quotation.end)
        for start, words in _parts(text, quotation.start, quotation.text):
            yield _checked(paragraph, start, words, near, kb, collections, language)


def block_findings(
    paragraph: Paragraph, cited: Sequence[Cited], kb: KnowledgeBase, collections: Sequence[str], language: str
) -> Iterator[Finding]:
    """Return the findings on a paragraph that is quoted as a whole; ``cited``: the references of the one before it."""
    for start, words in _parts(paragraph.text, 0, paragraph.text):
        yield _checked(paragraph.index, start, words, cited[::-1], kb, collections, language)


def _parts(text: str, start: int, quoted: str) -> Iterator[tuple[int, str]]:
    """Yield where in the text each part of a quotation begins, and its words; short ones are left out."""
    for part in ELLIPSIS.split(quoted):
        words = part.strip()
        if len(words.split()) >= LEAST_WORDS:
            yield text.index(words, start), words


def _nearest(cited: Sequence[Cited], start: int, end: int) -> list[Cited]:
    """Return the references outside the quotation, nearest first."""
    outside = [one for one in cited if one.reference.end <= start or one.reference.start >= end]
    return sorted(outside, key=lambda one: max(start - one.reference.end, one.reference.start - end))


def _checked(
    paragraph: int,
    start: int,
    words: str,
    near: Sequence[Cited],
    kb: KnowledgeBase,
    collections: Sequence[str],
    language: str,
) -> Finding:
    def found(verdict: Verdict, detail: str, place: QuotePlace | None = None, expected: str = "") -> Finding:
        document = kb.document(place.document) if place is not None else None
        section = kb.section_at(place.document, place.start) if place is not None else None
        return Finding(
            paragraph=paragraph,
            start=start,
            end=start + len(words),
            text=words,
            kind="quotation",
            verdict=verdict,
            detail=detail,
            expected=expected,
            document=document.id if document else "",
            title=document.title if document else "",
            file=document.file if document else "",
            section=section.number or section.heading if section else "",
            page=place.page if place is not None else None,
            page_label=place.page_label if place is not None else "",
        )

    held = [one for one in near if one.is_held]
    elsewhere: QuotePlace | None = None
    for one in held:
        document = one.resolution.document
        place = kb.find_quote(document, words) if document else None
        if place is not None and _within(place, one, kb, words):
            return found("holds", "", place)
        elsewhere = elsewhere or place
    if elsewhere is not None:
        return found("elsewhere", phrase(language, "check.other_section"), elsewhere)
    for one in held:
        altered = _altered(words, one.text or _whole(one, kb))
        if altered:
            place = kb.find_quote(one.resolution.document or "", altered)
            if same_but_marks(words, altered):
                return found("holds", phrase(language, "check.marks"), place, altered)
            return found("small_difference", differences(words, altered), place, altered)
    other = _anywhere(words, kb, collections)
    if other is not None:
        if held:
            return found("elsewhere", phrase(language, "check.other_document"), other)
        return found("holds", "", other)
    if held:
        return found("nowhere", phrase(language, "check.nowhere"))
    return found("not_checked", phrase(language, "check.not_found"))


def _within(place: QuotePlace, cited: Cited, kb: KnowledgeBase, words: str) -> bool:
    """Return whether the quotation is in the cited section; the same words may occur in several places."""
    if not cited.is_section or cited.resolution.section is None:
        return True
    section = kb.section_by_id(cited.resolution.section)
    return section.start <= place.start < section.end or find(reduce(cited.text), words) is not None


def _whole(cited: Cited, kb: KnowledgeBase) -> str:
    return kb.text(cited.resolution.document) if cited.resolution.document else ""


def _altered(words: str, text: str) -> str:
    """Return the passage most similar to a quotation, or '' if none is similar."""
    flat = " ".join(text.split())
    best = fuzz.partial_ratio_alignment(words, flat, score_cutoff=LIKENESS)
    if best is None:
        return ""
    start = flat.rfind(" ", 0, best.dest_start + 1) + 1
    end = flat.find(" ", max(best.dest_end - 1, 0))
    return flat[start : end if end >= 0 else len(flat)]


def _anywhere(words: str, kb: KnowledgeBase, collections: Sequence[str]) -> QuotePlace | None:
    result = kb.search(words[:300], collections, mode="keyword", top_k=SEARCHED)
    for document in dict.fromkeys(hit.chunk.document for hit in result.hits):
        place = kb.find_quote(document, words)
        if place is not None:
            return place
    return None


def same_but_marks(said: str, held: str) -> bool:
    """Return whether two wordings differ only in the numbers of list items and in punctuation."""

    def bare(text: str) -> list[str]:
        words = text.split()
        items = {
            at for at, word in enumerate(words) if _ITEM.fullmatch(word) and (at == 0 or _BEFORE.search(words[at - 1]))
        }
        return [word for at, one in enumerate(words) if at not in items and (word := one.strip(".,;:–-"))]

    return bare(said) == bare(held)


def differences(said: str, held: str) -> str:
    """Return the differing words as "[-draft-] {+document+}", with the equal ones around them shortened."""
    left, right = said.split(), held.split()
    parts: list[str] = []
    for kind, i, j, k, m in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if kind == "equal":
            same = left[i:j]
            parts.append(" ".join(same if len(same) <= 4 else [*same[:2], "…", *same[-2:]]))
        else:
            parts += [f"[-{' '.join(left[i:j])}-]"] * (j > i) + [f"{{+{' '.join(right[k:m])}+}}"] * (m > k)
    return " ".join(parts)
