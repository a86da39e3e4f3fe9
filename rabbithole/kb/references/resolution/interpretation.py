"""Decides against which document and section a relative reference is read. Pure decisions without lookups."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from rabbithole.kb.models import Reference
from rabbithole.kb.references.grammar.units import PART_UNITS

Base = Literal["own", "antecedent", "own_or_antecedent", "enabling", "unknown"]
Step = Literal["this", "previous", "next"]
Work = Literal["act", "ordinance", "other"]

_ACT = r"Gesetz(?:es|e)?|Gesetzbuch(?:e?s)?|Act|Law|Statute|Code"
_ORDINANCE = r"(?:Rechts)?[Vv]erordnung|Ordinance|Regulations?"
_OTHER = (
    r"Richtlinie|Satzung|Norm|Regel|Abkommens?|Übereinkommens?|Vertrag(?:e?s)?|Dokuments?|Berichte?s?|Directive|Decision|"
    r"Standard|Title|Guide|document|report|specification|memo|RFC|agreement|contract|treaty|chapter|"
    r"Recommendation|[Pp]ublication|Specification|[Gg]uideline|[Pp]olicy|Report|[Ss]eries"
)
_WORK = rf"(?:(?P<act>{_ACT})|(?P<ordinance>{_ORDINANCE})|(?P<other>{_OTHER}))"
_THIS = re.compile(
    r"\b(?:dieser|dieses|diesem|diese|vorliegende[nrs]?|this|the present|hereof|herein)\b"
    rf"(?:\s+{_WORK}\b)?"
)
_THE = re.compile(
    r"\b(?:des|der|dem|jenes|jener|desselben|derselben|the|said|that)\s+"
    rf"(?:(?:gleichen|genannten|vorgenannten|same|said)\s+)?{_WORK}\b"
)
_PREVIOUS = re.compile(
    r"\b(?:vorstehend\w*|vorherig\w*|vorhergehend\w*|vorig\w*|vorangegangen\w*|preceding|previous|foregoing)\b", re.I
)
_NEXT = re.compile(r"\b(?:nachstehend\w*|nachfolgend\w*|nächst\w*|following|next|succeeding)\b", re.I)
_NAMES_ACT = re.compile(
    r"^Gesetz\b|(?:gesetz|gesetzbuch)(?:es|s)?$|\b(?:Act|Code|U\.?S\.?C\.?)(?:\s|$)|[a-zäöü](?:G|GB)$"
)
_NAMES_ORDINANCE = re.compile(
    r"^(?:\w+ )?Verordnung\b|[vV]erordnung(?:en)?$|\b(?:Regulations?|CFR|C\.F\.R\.)(?:\s|$)|[a-zäöü]V$|\((?:EU|EG|EC)\)"
)
_INSIDE = PART_UNITS - {"ref"}


class Interpretation(NamedTuple):
    """Where to begin: the document, whether inside the section the reference stands in, and by which rule."""

    base: Base
    within_section: bool
    step: Step
    rule: str


def read_relative(reference: Reference, own: Work | None) -> Interpretation:
    """Return how to read a reference that names no document; ``own`` is the kind of the document it stands in.

    'this Regulation' means the citing document. 'the Act' means the document last named if that can be an act, else the
    citing document if it is an act, else (in an ordinance) the act that authorises it. A bare section number belongs to
    the citing document if that is divided in this way; 'paragraph 2' belongs to the section of the reference.
    """
    text = " ".join(reference.text.split())
    step: Step = "previous" if _PREVIOUS.search(text) else "next" if _NEXT.search(text) else "this"
    within = bool(reference.path) and reference.path[0][0] in _INSIDE
    if step != "this":
        return Interpretation("own", within, step, f"{step} place of the same document")
    if this := _THIS.search(text):
        work = _class_of(this)
        if work and own and work != own and "other" not in (work, own) and fits(work, reference.antecedent):
            return Interpretation("antecedent", False, step, "the document last named")
        if work == "other" and own in ("act", "ordinance") and fits("other", reference.antecedent):
            return Interpretation("antecedent", False, step, "the document last named")
        return Interpretation("own", within, step, "the document it stands in")
    if the := _THE.search(text):
        return _definite(_class_of(the) or "other", reference.antecedent, own)
    if within:
        return Interpretation("own", True, step, "inside the section it stands in")
    return Interpretation("own_or_antecedent", False, step, "a number of the document it stands in")


def fits(work: Work, antecedent: str | None) -> bool:
    """Return whether 'the Act' can mean the document last named: an ordinance is not an act."""
    if not antecedent:
        return False
    named = work_of((antecedent,))
    return named == work or (named == "other" and work == "other")


def work_of(names: Iterable[str]) -> Work:
    """Return what kind of work a document is; the first of its names that shows a kind decides."""
    for name in names:
        if _NAMES_ORDINANCE.search(name):
            return "ordinance"
        if _NAMES_ACT.search(name):
            return "act"
    return "other"


def _definite(work: Work, antecedent: str | None, own: Work | None) -> Interpretation:
    if fits(work, antecedent):
        return Interpretation("antecedent", False, "this", "the document last named")
    if own == work or work == "other":
        return Interpretation("own", False, "this", "the document it stands in")
    if work == "act" and own == "ordinance":
        return Interpretation("enabling", False, "this", "the act the ordinance was made under")
    return Interpretation("unknown", False, "this", "no document of this kind was named before")


def _class_of(found: re.Match[str]) -> Work | None:
    if found["act"]:
        return "act"
    if found["ordinance"]:
        return "ordinance"
    return "other" if found["other"] else None
