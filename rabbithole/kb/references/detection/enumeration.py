"""Handles sections enumerated before a law: "nach § 6, § 7 Absatz 1 oder einer Genehmigung nach § 9b des Atomgesetzes".

German law texts name the law once, at the end; a section named before may belong to that law or to the citing document.
This module only notes which law an enumeration names; ``resolution.enumeration_owner`` decides. Pure and linear in the
number of mentions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rabbithole.kb.models import Enumeration, Reference

_WORD = (
    r"(?:(?:ein|d)(?:e|er|es|em|en|ie|as)|oder|und|sowie|nach|von|bei|zur|zum|[A-ZÄÖÜ][\wäöüß-]*|[a-zäöüß]+e[nrsm]?)"
)
_PREPOSITION = r"(?:nach|gemäß|aufgrund|auf Grund)\s"
_ONWARD = re.compile(
    rf"(?:,\s|,?\s(?:oder|und|sowie)\s(?:{_WORD}\s){{0,9}}?)(?:{_PREPOSITION})?(?:(?:den|dem|der|des)\s)?"
)
_OF_THIS = re.compile(r"\bdiese[rs]\b")
_PLAIN = re.compile(r"(?:,|,?\s(?:und|oder|sowie))\s(?:d(?:ie|er|es|en|em)\s)?")
_NOUN = re.compile(rf"([A-ZÄÖÜ][\wäöüß-]{{3,}})\s(?:\w+\s)?{_PREPOSITION}(?:(?:den|dem|der|des)\s)?\Z")
_WIDEST = 130
"""Maximum number of characters between two members; the connective words above are not matched further."""


class _Member(NamedTuple):
    """One mention: all references with the same span."""

    first: int
    last: int
    start: int
    end: int


def enumerated(text: str, references: Sequence[Reference]) -> list[Reference]:
    """Return the references in order; bare sections of an enumeration get the law named after them."""
    found = list(references)
    members = _members(found)
    law: Reference | None = None
    chain: list[_Member] = []
    plain = True
    following: _Member | None = None
    for member in reversed(members):
        reference = found[member.first]
        onward = following is not None and _leads_on(text, member.end, following.start)
        if not reference.document and onward and law is not None and following is not None:
            chain.append(member)
            plain = plain and _PLAIN.fullmatch(text, member.end, following.start) is not None
        else:
            _settle(text, found, chain, law, plain)
            law, chain, plain = (reference if reference.document else None), [], True
        following = member
    _settle(text, found, chain, law, plain)
    return found


def _members(references: Sequence[Reference]) -> list[_Member]:
    members: list[_Member] = []
    for index, reference in enumerate(references):
        if not _is_section(reference):
            continue
        if members and (members[-1].start, members[-1].end) == (reference.start, reference.end):
            members[-1] = members[-1]._replace(last=index)
        else:
            members.append(_Member(index, index, reference.start, reference.end))
    return members


def _is_section(reference: Reference) -> bool:
    """Return whether a mention begins with a section or article, unlike 'BGB § 433', which names its own law."""
    return bool(
        reference.method == "grammar"
        and reference.kind == "legal_section"
        and reference.path
        and reference.path[0][0] in ("§", "Art")
        and reference.text[:1] in ("§", "A")
        and (reference.document or not _OF_THIS.search(reference.text))
    )


def _leads_on(text: str, end: int, start: int) -> bool:
    return 0 < start - end <= _WIDEST and _ONWARD.fullmatch(text, end, start) is not None


def _settle(
    text: str, references: list[Reference], chain: Sequence[_Member], law: Reference | None, plain: bool
) -> None:
    """Note the law at every member of a chain; the chain is in reverse order of appearance."""
    if not chain or law is None or law.document is None:
        return
    spans = (range(member.first, member.last + 1) for member in reversed(chain))
    indexes = [index for span in spans for index in span if _is_section(references[index])]
    noun = _NOUN.search(text, max(0, chain[-1].start - 80), chain[-1].start)
    shared = Enumeration(
        document=law.document,
        edition=law.edition,
        paths=tuple(references[index].path for index in indexes),
        noun=noun[1] if noun else "",
        plain=plain,
    )
    for index in indexes:
        references[index] = references[index].model_copy(update={"enumeration": shared})
