"""What resolution has to say about a place, in the person's language."""

from __future__ import annotations

import re

from .phrases import phrase

_AROUND = "report.note.around"
_FORMS = (
    (re.compile(r"latest edition taken; also held: (?P<older>[^;]+)"), "report.note.latest"),
    (re.compile(r"edition (?P<asked>[^;]+) is not held, but (?P<held>[^;]+)"), "report.note.other_edition"),
    (re.compile(r"asked for (?P<asked>[^;]+); the document does not say its edition"), "report.note.undated"),
    (re.compile(r"(?P<unit>\S+) (?P<value>\S+) was not found there; the place around it is given"), _AROUND),
)


def said(note: str, language: str) -> str:
    """The parts of a note as phrases; a part of no known form stays as it is."""
    for form, key in _FORMS:
        note = form.sub(lambda match, key=key: phrase(language, key, **match.groupdict()), note)  # type: ignore[misc]
    return note.replace(".; ", ". ")


def concerns_edition(note: str) -> bool:
    """Whether a note says that another edition is at stake (rather than that a part of a place is missing)."""
    return any(form.search(note) for form, key in _FORMS if key != _AROUND)
