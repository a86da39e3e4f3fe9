"""Which document and section a relative reference is read against. Decisions only; nothing is looked up here."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from ..models import Reference

Base = Literal["own", "antecedent", "own_or_antecedent"]
Step = Literal["this", "previous", "next"]

_WORK = (
    r"(?:Gesetz(?:es|e)?|Gesetzbuch(?:e?s)?|(?:Rechts)?[Vv]erordnung|Richtlinie|Satzung|Norm|Regel|Abkommens?|Übereinkommens?|"
    r"Vertrag(?:e?s)?|Dokuments?|Berichte?s?|Act|Law|Statute|Ordinance|Regulation|Directive|Decision|Code|Standard|Title|"
    r"Guide|document|report|specification|memo|RFC|agreement|contract|treaty)"
)
_THIS = re.compile(
    r"\b(?:dieser|dieses|diesem|diese|desselben|derselben|vorliegende[nrs]?|this|the present|hereof|herein)\b"
)
_THE = re.compile(
    rf"\b(?:des|der|dem|jenes|jener|the|said|that)\s+(?:(?:gleichen|genannten|vorgenannten|same|said)\s+)?(?P<work>{_WORK})\b"
)
_PREVIOUS = re.compile(
    r"\b(?:vorstehend\w*|vorherig\w*|vorhergehend\w*|vorig\w*|vorangegangen\w*|preceding|previous|foregoing)\b", re.I
)
_NEXT = re.compile(r"\b(?:nachstehend\w*|nachfolgend\w*|nächst\w*|following|next|succeeding)\b", re.I)
_ORDINANCE = re.compile(r"verordnung|ordinance|regulation|V$", re.I)
_ACT = re.compile(r"gesetz|buch|act\b|code\b|G$|GB$", re.I)

_SECTION_UNITS = frozenset({"§", "Art", "section", "article", "Abschnitt", "Kapitel", "chapter", "Teil", "ref"})
_ANNEX_UNITS = frozenset({"Anlage", "Anhang", "annex", "appendix"})


class Reading(NamedTuple):
    """Where to begin: the document, whether inside the section the reference stands in, and by which rule."""

    base: Base
    within_section: bool
    step: Step
    rule: str


def read_relative(reference: Reference) -> Reading:
    """How a reference that names no document is to be read.

    'this Regulation' is the document it stands in; 'the Act' the one last named, if that can be an act; a bare section
    number belongs to the document it stands in when that is divided so; 'paragraph 2' to the section it stands in.
    """
    text = " ".join(reference.text.split())
    step: Step = "previous" if _PREVIOUS.search(text) else "next" if _NEXT.search(text) else "this"
    first = reference.path[0][0] if reference.path else ""
    within = (
        bool(first) and first not in _SECTION_UNITS and first not in _ANNEX_UNITS and first not in {"table", "figure"}
    )
    if step != "this":
        return Reading("own", within, step, f"{step} place of the same document")
    if _THIS.search(text):
        return Reading("own", within, step, "the document it stands in")
    if named := _THE.search(text):
        if antecedent_fits(named["work"], reference.antecedent):
            return Reading("antecedent", False, step, "the document last named")
        return Reading("own", False, step, "the document it stands in")
    if within:
        return Reading("own", True, step, "inside the section it stands in")
    return Reading("own_or_antecedent", False, step, "a number of the document it stands in")


def antecedent_fits(work: str, antecedent: str | None) -> bool:
    """Whether 'the Act' can mean the document last named: an act is not an ordinance."""
    if not antecedent:
        return False
    if re.match(r"gesetz|act|law|statute|code", work, re.I):
        return not _ORDINANCE.search(antecedent)
    if re.match(r"(?:rechts)?verordnung|ordinance", work, re.I):
        return not _ACT.search(antecedent) or bool(re.search(r"verordnung|\(E[UG]\)|V$", antecedent))
    return True
