"""Finds section numbers the document lacks but the act it comments on may have: "section 92(2)" in a code of conduct.

Such a reference gets that act as its antecedent; resolution checks whether it has the place. Pure and linear in the
number of references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rabbithole.kb.models import Reference
from rabbithole.kb.references.grammar.units import Units

_LEAST = 2
"""Least number of references to sections of one document for it to count as the document commented on."""
_OWN = frozenset({"table", "figure", "Tabelle", "ref", "Abs", "Satz", "Nr", "Buchst", "DBuchst", "Spalte"})


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
