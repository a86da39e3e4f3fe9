"""What a passage leaves to another place: 'is judged according to TR-12, Section 5.3' asks the reader to go there.

Where the best passage lacks the kind of figure that is asked for and a reference in it was followed, the place that
the reference led to, or one further down the chain, holds the answer more often than the next passage of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rabbithole.steps.models import Evidence
from rabbithole.steps.selection import Candidate, QuestionPart, RankedUnit
from rabbithole.steps.selection.expected import may_answer

from .choosing import followed_to


def delegated(
    part: QuestionPart,
    first: RankedUnit,
    evidence: Sequence[Evidence],
    chosen: Callable[[tuple[Candidate, ...]], Sequence[RankedUnit]],
) -> list[RankedUnit]:
    """The best unit behind the references of ``first`` that can answer; none where ``first`` can itself.

    ``chosen`` gives the units of candidates that may be quoted, best first.
    """
    if may_answer(part, f"{first.unit.head}\n{first.unit.text}"):
        return []
    candidates = behind(first, evidence)
    if not candidates:
        return []
    return [one for one in chosen(candidates) if may_answer(part, f"{one.unit.head}\n{one.unit.text}")][:1]


def handed_on(
    first: RankedUnit, evidence: Sequence[Evidence], chosen: Callable[[tuple[Candidate, ...]], Sequence[RankedUnit]]
) -> list[RankedUnit]:
    """The best unit of the place that the answering sentence itself refers to: 'who meets the conditions of § 5'."""
    if not first.sentences:
        return []
    best, unit = first.sentences[0], first.unit
    sentence = " ".join(unit.text[best.start - unit.start : best.end - unit.start].split())
    direct = [one for one in evidence if len(one.chain) == 1 and one.section != unit.section]
    return list(chosen(behind(first, direct, sentence)))[:1]


def behind(first: RankedUnit, evidence: Sequence[Evidence], words: str = "") -> tuple[Candidate, ...]:
    """Places whose chain of references passes through a reference that stands in a unit, or in these words of it."""
    unit = first.unit
    words = words or " ".join(unit.text.split())
    return followed_to(
        [
            one
            for one in evidence
            if any(
                link.document == unit.document
                and link.section == unit.section
                and " ".join(link.reference.split()) in words
                for link in one.chain
            )
        ]
    )
