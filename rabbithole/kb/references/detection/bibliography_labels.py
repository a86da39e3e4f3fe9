"""Recognises call-outs by the labels in the document's own bibliography: '[ESP]', '[Watson]'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from rabbithole.kb.models import BibliographyEntry, Reference
from rabbithole.kb.notation.raised_digits import raised_digits
from rabbithole.kb.references.bibliography.cited_entry import label_key
from rabbithole.kb.references.bibliography.entries import bibliography_regions

_BRACKET = re.compile(r"\[([^\[\]\n]{1,120})\]")
_ANGLE = re.compile(r"<(\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,20})>")
"""Call-outs in angle brackets, as in older papers; read only if the text has no other numbered call-outs."""
_SEPARATOR = re.compile(r"\s*[,;]\s*")
_TELLING = 3
"""Minimum number of labelled entries that shows how the document cites."""
_NOTE_LINE = re.compile(r"^[ \t]*\[(\d{1,3})\][ \t]+(?=[^\W\d_]{2}|[“„])", re.M)
_LETTER_AFTER = re.compile(r"(?<=\d)[a-z]$")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]")
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
        if bracket[0][0] == "[" and keys[0].isdecimal():
            continue  # their form alone shows that they are call-outs
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


def without_foreign_numbers(
    text: str, found: Sequence[Reference], entries: Sequence[BibliographyEntry]
) -> tuple[Reference, ...]:
    """Drop numbers in brackets that the bibliography or a list of notes does not reach, and all if most are such.

    'opaque Random[32]', 'x = [2, 30]' and 'job [5] started' cite nothing.
    """
    listed = {label_key(entry.label) for entry in entries if entry.label.isdecimal()} | _notes(text)
    last = max(map(int, listed), default=0)
    foreign: set[str] = set()
    for bracket in "[(":
        numbers = {_number(one) for one in found if _is_number(one, bracket)}
        if 2 * len(numbers & listed) < len(numbers):
            foreign.add(bracket)
    return tuple(
        one
        for one in found
        if not (_is_number(one, "[") or _is_number(one, "("))
        or (one.text[0] not in foreign and int(_number(one)) <= last)
    )


def _is_number(one: Reference, bracket: str) -> bool:
    return one.kind == "academic_numbered" and one.text.startswith(bracket)


def _number(one: Reference) -> str:
    return _LETTER_AFTER.sub("", one.path[0][1])


def _notes(text: str) -> set[str]:
    """Return the numbers of a list of notes, '[1] See the annex.': lines that count up from 1 to at least 2."""
    last = 0
    for line in _NOTE_LINE.finditer(text):
        if int(line[1]) == last + 1:
            last += 1
    return {str(number) for number in range(1, last + 1)} if last > 1 else set()


def without_unlisted_words(found: Sequence[Reference], entries: Sequence[BibliographyEntry]) -> tuple[Reference, ...]:
    """Drop words in brackets that are not in the bibliography: '[INDIRECT]' in a table, the token '[CLS]'."""
    labels = {label_key(entry.label) for entry in entries if entry.label}
    words = sum(not label.isdecimal() for label in labels)
    if 0 < len(entries) < _TELLING or 0 < words < _TELLING:
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
    note = re.compile(rf"^(?:{number}|{raised_digits(number)})[.)]?[ \t]?(?=[^\W_]|[\"“„(])", re.M)
    line = note.search(text, mark.end, mark.end + _NOTE_WITHIN)
    return line is not None and not " ".join(text[line.end() : line.end() + 3 * _HEAD].split()).startswith(
        heads.get(number, "\0")
    )


def _is_entry(text: str, bracket: re.Match[str], head: str) -> bool:
    """Return whether the bracket is the label of the entry itself, followed by the entry's text."""
    return " ".join(text[bracket.end() : bracket.end() + 3 * _HEAD].split()).startswith(head.strip())
