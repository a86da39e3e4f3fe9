"""Recognises call-outs by the labels in the document's own bibliography: '[ESP]', '[Watson]'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from rabbithole.kb.ingest.document.bibliography import bibliography_regions
from rabbithole.kb.models import BibliographyEntry, Reference
from rabbithole.kb.references.resolution.literature import label_key

_BRACKET = re.compile(r"\[([^\[\]\n]{1,120})\]")
_ANGLE = re.compile(r"<(\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,20})>")
"""Call-outs in angle brackets, as in older papers; read only if the text has no other numbered call-outs."""
_SEPARATOR = re.compile(r"\s*[,;]\s*")
_TELLING = 3
"""Least number of labelled entries that shows how the document cites."""
_BY_NAMES = 5
"""Least number of unlabelled entries that shows that the document cites by author and year."""
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]")
_TO_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NOTE_WITHIN = 6000
"""Characters after a mark within which its footnote stands: about a page."""
_HEAD = 12
"""Characters of an entry's text that tell the bibliography entry itself from a call-out."""


def labelled_callouts(
    text: str, entries: Sequence[BibliographyEntry], found: Sequence[Reference] = ()
) -> tuple[Reference, ...]:
    """Return call-outs: brackets that contain only labels of ``entries`` and do not overlap ``found``. Linear.

    The form alone cannot tell "[Linux]" from an insertion, but the bibliography can.
    """
    heads = {label_key(entry.label): entry.text[:_HEAD] for entry in entries if entry.label}
    if not heads:
        return ()
    taken = sorted((one.start, one.end) for one in found)
    starts = [start for start, _ in taken]
    callouts: list[Reference] = []
    angles = () if any(one.kind == "academic_numbered" for one in found) else _ANGLE.finditer(text)
    for bracket in (*_BRACKET.finditer(text), *angles):
        labels = _SEPARATOR.split(bracket[1].strip())
        keys = [label_key(label) for label in labels]
        if not all(key in heads for key in keys) or _is_entry(text, bracket, heads[keys[0]]):
            continue
        before = bisect_right(starts, bracket.end() - 1) - 1
        if before >= 0 and taken[before][1] > bracket.start():
            continue
        for label in labels:
            callouts.append(
                Reference(
                    start=bracket.start(),
                    end=bracket.end(),
                    text=bracket[0],
                    kind="academic_numbered" if label.isdecimal() else "academic_shortform",
                    target=f"[{label}]",
                    path=(("ref", label),),
                )
            )
    return tuple(callouts)


def without_foreign_numbers(found: Sequence[Reference], entries: Sequence[BibliographyEntry]) -> tuple[Reference, ...]:
    """Drop numbers in brackets if the bibliography's labels are not numbers: 'opaque Random[32]' cites nothing."""
    labels = [label_key(entry.label) for entry in entries if entry.label]
    if not labels and len(entries) >= _BY_NAMES:
        return tuple(one for one in found if one.kind != "academic_numbered" or not one.text.startswith("["))
    if len(labels) < _TELLING or any(label.isdecimal() for label in labels):
        return tuple(found)
    return tuple(one for one in found if one.kind != "academic_numbered" or not one.path[0][1].isdecimal())


def without_unlisted_words(found: Sequence[Reference], entries: Sequence[BibliographyEntry]) -> tuple[Reference, ...]:
    """Drop words in brackets that are not in the bibliography: '[INDIRECT]' in a table, the token '[CLS]'."""
    labels = {label_key(entry.label) for entry in entries if entry.label}
    words = sum(not label.isdecimal() for label in labels)
    if len(entries) < _TELLING or 0 < words < _TELLING:
        return tuple(found)
    return tuple(
        one
        for one in found
        if one.kind != "academic_shortform"
        or not one.text.startswith("[")
        or any(map(str.isdigit, one.path[0][1]))
        or label_key(one.path[0][1]) in labels
    )


def without_entries(
    text: str, found: Sequence[Reference], entries: Sequence[BibliographyEntry]
) -> tuple[Reference, ...]:
    """Drop author-year citations inside bibliographies, where they belong to the entries themselves."""
    if not entries:
        return tuple(found)
    regions = bibliography_regions(text)
    return tuple(
        one
        for one in found
        if one.kind != "academic_shortform"
        or one.text.startswith("[")
        or not any(region.start <= one.start < region.end for region in regions)
    )


def without_footnotes(
    text: str, found: Sequence[Reference], entries: Sequence[BibliographyEntry]
) -> tuple[Reference, ...]:
    """Drop raised numbers that mark footnotes: those without an entry, or all if most have a footnote text."""
    raised = [one for one in found if _is_raised(one)]
    heads = {entry.label: entry.text[:_HEAD] for entry in entries if entry.label.isdecimal()}
    notes = sum(_has_note(text, one, heads) for one in raised)
    if heads and 2 * notes < len(raised):
        return tuple(one for one in found if not _is_raised(one) or one.path[0][1] in heads)
    return tuple(one for one in found if not _is_raised(one))


def _is_raised(one: Reference) -> bool:
    return one.kind == "academic_numbered" and _RAISED.match(one.text) is not None


def _has_note(text: str, mark: Reference, heads: Mapping[str, str]) -> bool:
    """Return whether a line in the next pages begins with the number and is not its bibliography entry."""
    number = mark.path[0][1]
    note = re.compile(rf"^(?:{number}|{number.translate(_TO_RAISED)})[.)]?[ \t]?(?=[^\W_]|[\"“„(])", re.M)
    line = note.search(text, mark.end, mark.end + _NOTE_WITHIN)
    return line is not None and not " ".join(text[line.end() : line.end() + 3 * _HEAD].split()).startswith(
        heads.get(number, "\0")
    )


def _is_entry(text: str, bracket: re.Match[str], head: str) -> bool:
    """Return whether the bracket is the label of the entry itself, followed by the entry's text."""
    return " ".join(text[bracket.end() : bracket.end() + 3 * _HEAD].split()).startswith(head.strip())
