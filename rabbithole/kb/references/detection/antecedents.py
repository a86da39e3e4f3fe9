"""Finds the document that a section number belongs to where the number itself does not say it.

"FHS, section 4.9" belongs to what the document calls FHS. A number the document lacks may be one of the act it comments
on ("section 92(2)" in a code of conduct): that act is its antecedent, and resolution checks whether it has the place.
Pure and linear in the number of references.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from rabbithole.kb.models import Reference
from rabbithole.kb.references.grammar.units import Units
from rabbithole.kb.references.names.abbreviations import spelled_out

_LEAST = 2
"""Minimum number of references to sections of one document for it to count as the document commented on."""
_OWN = frozenset({"table", "figure", "Tabelle", "ref", "Abs", "Satz", "Nr", "Buchst", "DBuchst", "Spalte"})

_ABBREVIATION = re.compile(r"(?<![\w-])([A-Z][A-Z0-9-]{1,9}),?[ \n]{1,3}\Z")
_LONGEST = 14


def with_abbreviation(
    text: str, references: Sequence[Reference], is_name: Callable[[str], bool]
) -> tuple[Reference, ...]:
    """Return the references; a section after an abbreviation gets it as its document: "FHS, section 4.9".

    Only if the text spells the abbreviation out as the name of a document, since "in SQL, section 4.2" names none.
    """

    @cache
    def names_document(abbreviation: str) -> bool:
        return any(is_name(name) for name in spelled_out(text, abbreviation))

    found = []
    for one in references:
        before = text[max(0, one.start - _LONGEST) : one.start]
        short = None if one.document or one.relative or one.kind != "section" else _ABBREVIATION.search(before)
        if short is not None and one.method == "grammar" and names_document(short[1]):
            start = one.start - len(before) + short.start()
            named = {"document": short[1], "target": f"{short[1]} {one.target}"}
            one = one.model_copy(update={**named, "start": start, "text": text[start : one.end]})
        found.append(one)
    return tuple(found)


def with_cited_act(references: Sequence[Reference], units: Units) -> tuple[Reference, ...]:
    """Return the references; bare sections that the document does not have get the document they may belong to.

    That is the first document with which the same section was named elsewhere, else the document whose sections are
    named most often.
    """
    named = [one for one in references if one.document and one.path and not one.relative]
    same: dict[tuple[str, str], str] = {}
    counts: Counter[str] = Counter()
    for one in named:
        if one.document:
            same.setdefault(one.path[0], one.document)
            counts[one.document] += 1
    most = next((name for name, count in counts.most_common(1) if count >= _LEAST), None)
    return tuple(_with_antecedent(one, units, same, most) for one in references)


def _with_antecedent(one: Reference, units: Units, same: dict[tuple[str, str], str], most: str | None) -> Reference:
    if one.document or not one.path or one.antecedent or one.kind != "section" or one.method != "grammar":
        return one
    unit, value = one.path[0]
    if unit in _OWN or value.casefold() in units.numbers:
        return one
    antecedent = same.get(one.path[0]) or same.get(("section", value)) or most
    return one.model_copy(update={"antecedent": antecedent}) if antecedent else one
