"""The notes of reference resolution about a place, in the user's language."""

from __future__ import annotations

import re

from .phrases import phrase

_AROUND = "report.note.around"
_OF_EDITIONS = ("latest", "other_edition", "undated", "replaced", "newer", "status", "version", "repealed")
_OF_VALIDITY = ("replaced", "newer", "status")
_FORMS = (
    (re.compile(r"latest edition taken; also held: (?P<older>[^;]+)"), "report.note.latest"),
    (re.compile(r"edition (?P<asked>[^;]+) is not held, but (?P<held>[^;]+)"), "report.note.other_edition"),
    (re.compile(r"asked for (?P<asked>[^;]+); the document does not say its edition"), "report.note.undated"),
    (re.compile(r"replaced by (?P<newer>[^;]+), which is held"), "report.note.replaced"),
    (re.compile(r"a later edition is held: (?P<newer>[^;]+)"), "report.note.newer"),
    (re.compile(r"status: (?P<status>[^;]+)"), "report.note.status"),
    (re.compile(r"the text means the version (?P<when>[^;]+); see whether this is it"), "report.note.version"),
    (re.compile(r"the section was repealed"), "report.note.repealed"),
    (re.compile(r"(?P<unit>\S+) (?P<value>\S+) was not found there; the place around it is given"), _AROUND),
    (
        re.compile(r"the enumeration goes on to name (?P<name>[^;]+), which may be meant instead"),
        "report.note.enumeration",
    ),
    (re.compile(r"the number occurs (?P<count>\d+) times in the document"), "report.note.repeated"),
    (re.compile(r"not in the outline"), "report.note.unlisted"),
    (re.compile(r"the document lists this section but holds no text of it"), "report.note.empty"),
)


def said(note: str, language: str) -> str:
    """Translate the parts of a note; a part in no known form stays as it is."""
    for form, key in _FORMS:
        note = form.sub(lambda match, key=key: phrase(language, key, **match.groupdict()), note)  # type: ignore[misc]
    return note.replace(".; ", ". ")


def concerns_edition(note: str) -> bool:
    """Return whether a note is about editions or validity (rather than a place that was only partly found)."""
    return any(form.search(note) for form, key in _FORMS if key.removeprefix("report.note.") in _OF_EDITIONS)


def validity_in(note: str) -> str:
    """Return the part of a note that says a document was replaced or is not in force; '' if there is none."""
    return "; ".join(part for part in note.split("; ") if _is_on_validity(part))


def without_validity(note: str) -> str:
    """Return the note without the parts that ``validity_in`` returns."""
    return "; ".join(part for part in note.split("; ") if not _is_on_validity(part))


def _is_on_validity(part: str) -> bool:
    return any(form.search(part) for form, key in _FORMS if key.removeprefix("report.note.") in _OF_VALIDITY)
