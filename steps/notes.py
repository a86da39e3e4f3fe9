"""What resolution has to say about a place, in the person's language."""

from __future__ import annotations

import re

from .phrases import phrase

_FORMS = (
    (re.compile(r"latest edition taken; also held: (?P<older>.+)"), "report.note.latest"),
    (re.compile(r"edition (?P<asked>.+) is not held, but (?P<held>.+)"), "report.note.other_edition"),
    (re.compile(r"asked for (?P<asked>.+); the document does not say its edition"), "report.note.undated"),
    (
        re.compile(r"(?P<unit>\S+) (?P<value>\S+) was not found there; the place around it is given"),
        "report.note.around",
    ),
)


def said(note: str, language: str) -> str:
    """The note's parts (joined by '; ') as phrases; a form not known stays as it is."""
    for form, key in _FORMS:
        match = form.fullmatch(note)
        if match:
            return phrase(language, key, **match.groupdict())
    head, separator, tail = note.partition("; ")
    while separator:
        if any(form.fullmatch(head) for form, _ in _FORMS):
            return f"{said(head, language)} {said(tail, language)}"
        more, separator, rest = tail.partition("; ")
        head, tail = f"{head}; {more}", rest
    return note


def concerns_edition(note: str) -> bool:
    """Whether a note says that another edition is at stake (rather than that a part of a place is missing)."""
    return any(form.search(note) for form, key in _FORMS if key != "report.note.around")
