"""Joins mentions that belong together: a work and a place in it, its edition, numbers standing alone.

Detection reads one mention at a time. This module joins neighbours: "[4], Section 5.3", "Abschnitt 3.2 von [2]",
"TR-12, Section 5.3", "[3, Section 4]", "Section 2.2 of the same paper", "Anhang B dieser Norm", "Verordnung vom 3. Mai
2012", and "nach 7.1" in documents with numbered sections. Pure and linear in the number of mentions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

from rabbithole.kb.models import PathElement, Reference
from rabbithole.kb.notation.months import ENGLISH_MONTHS, GERMAN_MONTHS
from rabbithole.kb.references.grammar.units import PART_UNITS

from .enumeration import enumerated

_UNITS = {
    "abschnitt": "Abschnitt",
    "abschn.": "Abschnitt",
    "kapitel": "Kapitel",
    "kap.": "Kapitel",
    "section": "section",
    "sections": "section",
    "sec.": "section",
    "sect.": "section",
    "chapter": "chapter",
    "anhang": "Anhang",
    "anlage": "Anlage",
    "annex": "annex",
    "appendix": "appendix",
    "§": "§",
}
_INSIDE = re.compile(
    rf",\s*(?P<unit>{'|'.join(map(re.escape, _UNITS))})\s*(?P<value>\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)*)\s*[\])]+$",
    re.I,
)
_BESIDE = re.compile(r",?\s{1,2}(?:in\s)?|,\s?")
_OF = re.compile(r"\s(?:von|aus|in|of|from)\s(?:(?:Ref|Lit)\.\s?|reference\s)?", re.I)
_WORKS_DE = r"Arbeit|Veröffentlichung|Studie|Schrift|Norm|Regel|Richtlinie|Leitlinie|Unterlage|Empfehlung"
_WORKS_EN = r"paper|report|standard|document|publication|work|study|article|guide|guideline"
_SAME = re.compile(
    rf"\s(?:(?:of|in)\s(?:the|that)\ssame\s(?:{_WORKS_EN})|(?:in\s)?der(?:selben|\sgenannten)\s(?:{_WORKS_DE}))\b"
)
_THIS = re.compile(rf"\s(?:(?:dieser|jener)\s(?:{_WORKS_DE})|of\s(?:this|that)\s(?:{_WORKS_EN}))\b")
_MONTHS = {name: number for names in (GERMAN_MONTHS, ENGLISH_MONTHS) for number, name in enumerate(names, 1)}
_DAY = rf"(?P<day>\d{{1,2}})\.?\s(?P<month>{'|'.join(_MONTHS)})\s(?P<year>\d{{4}})\b"
_DATED = re.compile(rf"\s(?:vom|in der Fassung vom|of|dated)\s{_DAY}")
_BARE = re.compile(
    r"\b(?:nach|gemäß|siehe|vgl\.|in|see|per|under|with)\s(?P<number>\d{1,3}(?:\.\d{1,3})+)"
    r"(?=\s*[.,;:)\]]|\s+(?:zu|und|oder|or|and|is|are|ist|sind|umzurechnen|beschrieben|described)\b|\s*$)"
    r"|(?<=[^\W\d_][ \u200e])(?P<long>[A-Z]?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?){2,}|[A-Z]\d{1,2}(?:\.\d{1,3}){1,4})"
    r"(?![\w%]|\.\d)",
    re.M,
)
_IBID = re.compile(
    # The first letter comes before the lookbehind, because a lookbehind at every letter is slow.
    r"[IiEeLl](?<![\w.].)"
    r"(?:(?:(?<=[Ii])bid(?:em)?|(?<=[Ee])(?:bd|benda)|(?<=[Ll])oc\.\s?cit)\b\.?|(?<=I)d\.(?=\sat\s\d))"
)
_NEAR = 400
"""Maximum number of characters back to the work that "the same paper" or "this standard" means."""


def join(text: str, references: Sequence[Reference], numbers: Collection[str] = ()) -> tuple[Reference, ...]:
    """Return the references in order of appearance with neighbours joined; ``numbers`` are the section numbers."""
    ordered = [_plain_number(_with_locator(each)) for each in sorted(references, key=lambda one: (one.start, one.end))]
    joined: list[Reference] = []
    for reference in ordered:
        last = joined[-1] if joined else None
        if last is not None and (both := _pair(text, last, reference)):
            joined[-1] = both
            continue
        joined.append(_of_the_same(text, reference, joined))
    dated = enumerated(text, [_with_edition(text, each) for each in joined])
    dated = [*dated, *_repeated(text, dated)]
    return tuple(sorted([*dated, *_bare(text, dated, numbers)], key=lambda one: (one.start, one.end)))


def _with_locator(reference: Reference) -> Reference:
    """Add the place inside the cited work: '[3, Section 4]'."""
    if not reference.kind.startswith("academic") or not (found := _INSIDE.search(reference.text)):
        return reference
    element: PathElement = (_UNITS[found["unit"].lower()], found["value"])
    return reference if element in reference.path else reference.model_copy(update={"path": (*reference.path, element)})


def _plain_number(reference: Reference) -> Reference:
    """Turn 'Nummer 4.3' into a section, because list items are not numbered like that."""
    if not reference.path or reference.path[0][0] != "Nr" or "." not in reference.path[0][1].rstrip("."):
        return reference
    return reference.model_copy(update={"path": (("section", reference.path[0][1]), *reference.path[1:])})


def _pair(text: str, first: Reference, second: Reference) -> Reference | None:
    """Return one reference for a work and a place in it that stand side by side, or None."""
    between = text[first.end : second.start]
    if first.method != "grammar" or second.method != "grammar" or len(between) > 20:
        return None
    if _is_place(first) and _is_paragraph(second) and re.fullmatch(r",\s{1,2}", between):
        return first.model_copy(
            update={
                "end": second.end,
                "text": text[first.start : second.end],
                "path": (*first.path, *second.path),
                "target": f"{first.target} {second.target}",
            }
        )
    if _is_work(first) and _is_place(second) and _BESIDE.fullmatch(between) and not _owned(text, second.end):
        work, place = first, second
    elif _is_place(first) and _is_work(second) and second.kind.startswith("academic") and _OF.fullmatch(between):
        work, place = second, first
    elif _is_place(first) and _is_work(second) and re.fullmatch(r"\sim\s", between):
        work, place = second, first  # "Abschnitt 3.1 im Kate-Handbuch"
    else:
        return None
    return work.model_copy(
        update={
            "start": first.start,
            "end": second.end,
            "text": text[first.start : second.end],
            "path": (*work.path, *place.path),
            "target": f"{work.target} {place.target}",
            "following": place.following,
        }
    )


def _is_work(reference: Reference) -> bool:
    if reference.kind.startswith("academic"):
        return all(unit == "ref" for unit, _ in reference.path)
    return reference.kind == "document_mention" and not reference.path and not reference.relative


def _is_place(reference: Reference) -> bool:
    if reference.document or reference.relative or not reference.path or reference.kind == "document_mention":
        return False
    return not reference.kind.startswith("academic") and reference.path[0][0] not in PART_UNITS


def _is_paragraph(reference: Reference) -> bool:
    """Return whether this is 'paragraph 3' after the section it belongs to."""
    return (
        reference.document is None
        and len(reference.path) > 0
        and reference.path[0][0] == "paragraph"
        and reference.text[:4].casefold() == "para"
    )


def _owned(text: str, end: int) -> bool:
    """Return whether the place is followed by its own document: '§ 5 dieser Verordnung', 'Section 2 of this Act'."""
    return re.match(r"\s(?:dieser|dieses|of\s|des\s|der\s)", text[end : end + 12]) is not None


def _of_the_same(text: str, reference: Reference, before: Sequence[Reference]) -> Reference:
    """Give 'Section 2.2 of the same paper' or 'Anhang B dieser Norm' the work last named, if it is near."""
    if not _is_place(reference):
        return reference
    after = text[reference.end : reference.end + 60]
    same, this = _SAME.match(after), _THIS.match(after)
    found = same or this
    work = next((one for one in reversed(before) if one.document or one.kind.startswith("academic")), None)
    if found is None or work is None or reference.start - work.end > _NEAR:
        return reference
    end = reference.end + found.end()
    wider = {"end": end, "text": text[reference.start : end]}
    if this:
        return reference.model_copy(update={**wider, "relative": True, "antecedent": work.document})
    if work.document:
        return reference.model_copy(update={**wider, "document": work.document, "edition": work.edition})
    label = tuple(element for element in work.path if element[0] == "ref")
    return work.model_copy(update={**wider, "start": reference.start, "path": (*label, *reference.path)})


def _repeated(text: str, known: Sequence[Reference]) -> list[Reference]:
    """Return references for 'Ibid.' and 'ebd., S. 12': they repeat the work cited last, if it is near."""
    works = sorted((one for one in known if one.document or one.kind.startswith("academic")), key=lambda one: one.end)
    ends = [one.end for one in works]
    found: list[Reference] = []
    for match in _IBID.finditer(text):
        place = bisect_right(ends, match.start()) - 1
        if place >= 0 and match.start() - ends[place] <= _NEAR:
            span = {"start": match.start(), "end": match.end(), "text": match[0]}
            found.append(works[place].model_copy(update={**span, "method": "grammar", "page": None, "goal": None}))
    return found


def _with_edition(text: str, reference: Reference) -> Reference:
    """Add the edition of the day named: 'Verordnung vom 3. Mai 2012'."""
    if not reference.document or reference.edition or reference.method != "grammar":
        return reference
    found = _DATED.match(text[reference.end : reference.end + 60])
    if found is None:
        return reference
    end = reference.end + found.end()
    edition = f"{found['year']}-{_MONTHS[found['month']]:02d}-{int(found['day']):02d}"
    return reference.model_copy(update={"end": end, "text": text[reference.start : end], "edition": edition})


def _bare(text: str, known: Iterable[Reference], numbers: Collection[str]) -> list[Reference]:
    """Return bare numbers such as 'nach 7.1' where the document has section 7.1 and nothing else was found."""
    if not any("." in number for number in numbers):
        return []
    taken = [(each.start, each.end) for each in known]
    found: list[Reference] = []
    at = 0
    for match in _BARE.finditer(text):
        start, end = match.span("number" if match["number"] else "long")
        words = text[start:end]
        while at < len(taken) and taken[at][1] <= start:
            at += 1
        covered = at < len(taken) and taken[at][0] < end
        if words in numbers and not covered:
            path: tuple[PathElement, ...] = (("section", words),)
            found.append(
                Reference(start=start, end=end, text=words, kind="section", target=f"section {words}", path=path)
            )
    return found
