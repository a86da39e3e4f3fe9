"""Handles passages that delegate to another place: 'is judged according to TR-12, Section 5.3'.

If the best passage lacks the kind of figure the question asks for and one of its references was followed, the place the
reference led to, or one further down the chain, holds the answer more often than the next search result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Place
from rabbithole.kb.notation.captions import NUMBER, TABLE
from rabbithole.kb.references.grammar.units import CAPTIONED
from rabbithole.steps.models import Evidence
from rabbithole.steps.question.named_places import LEAD
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, RankedUnit
from rabbithole.steps.selection.expected import announces, may_answer
from rabbithole.steps.selection.models import AnswerUnit
from rabbithole.steps.selection.units.unit_lines import WHOLE

from .choosing import led_to

_TABLE = re.compile(rf"\b{TABLE}\s+(?={NUMBER})", re.IGNORECASE)
_TABLES = CAPTIONED - {"figure"}


def delegated(
    kb: KnowledgeBase,
    part: QuestionPart,
    first: RankedUnit,
    evidence: Sequence[Evidence],
    chosen: Callable[[tuple[AnswerCandidate, ...]], Sequence[RankedUnit]],
) -> list[RankedUnit]:
    """Return the best unit reached through the references of ``first`` that can answer; [] if ``first`` can itself.

    ``chosen`` returns the quotable units of the given candidates, best first.
    """
    if may_answer(part, f"{first.unit.head}\n{first.unit.text}"):
        return []
    candidates = behind(kb, first, evidence)
    if not candidates:
        return []
    return [one for one in chosen(candidates) if may_answer(part, f"{one.unit.head}\n{one.unit.text}")][:1]


def handed_on(
    kb: KnowledgeBase,
    first: RankedUnit,
    evidence: Sequence[Evidence],
    chosen: Callable[[tuple[AnswerCandidate, ...]], Sequence[RankedUnit]],
) -> list[RankedUnit]:
    """Return the best unit of the place that the answering sentence itself refers to: 'the conditions of § 5'."""
    if not first.sentences:
        return []
    unit = first.unit
    sentence = " ".join(first.words_of(first.sentences[0]).split())
    direct = [one for one in evidence if len(one.chain) <= 1 and one.section != unit.section]
    candidates = behind(kb, first, direct, sentence) or announced_table(kb, unit, sentence)
    return list(chosen(candidates))[:1] if candidates else []


def announced_table(kb: KnowledgeBase, unit: AnswerUnit, sentence: str) -> tuple[AnswerCandidate, ...]:
    """Return the table of the same document that a sentence announces: 'Table 2 lists the obstacles'."""
    named = _TABLE.search(sentence)
    if named is None or not announces(sentence):
        return ()
    detected = kb.detect(f"{LEAD}{sentence[named.start() :]}")
    alone = (one for one in detected if len(one.path) == 1 and one.path[0][0] in _TABLES)
    reference = next(alone, None)
    if reference is None:
        return ()
    found = kb.resolve(reference, at=Place(document=unit.document, offset=unit.start))
    held = found.status == "resolved" and found.document == unit.document
    if not held or found.start is None or found.end is None or unit.start <= found.start < unit.end:
        return ()
    end = min(found.start + WHOLE, found.end)
    return (AnswerCandidate(document=unit.document, start=found.start, end=end, origin="followed"),)


def behind(
    kb: KnowledgeBase, first: RankedUnit, evidence: Sequence[Evidence], words: str = ""
) -> tuple[AnswerCandidate, ...]:
    """Return the places reached through a reference printed in the unit ``first``, or in ``words`` if given.

    A place that was read as a search result before the reference was met counts too; it has no chain.
    """
    unit = first.unit
    words = words or " ".join(unit.text.split())
    followed = [
        one
        for one in evidence
        if any(
            link.document == unit.document
            and link.section == unit.section
            and " ".join(link.reference.split()) in words
            for link in one.chain
        )
    ]
    return led_to(followed or _read_before(kb, first, evidence, words))


def _read_before(kb: KnowledgeBase, first: RankedUnit, evidence: Sequence[Evidence], words: str) -> list[Evidence]:
    """Return what was read as search results in the sections that references printed in ``words`` lead to."""
    unit = first.unit
    targets = set()
    for reference in kb.references(unit.document, unit.start, unit.end):
        if " ".join(reference.text.split()) in words:
            found = kb.resolve(reference, at=Place(document=unit.document, offset=reference.start))
            if found.document and found.section:
                section = kb.section_by_id(found.section)
                targets.add((found.document, section.start, section.end))
    return [
        one
        for one in evidence
        if one.section
        and any(one.document == document and start <= one.start < end for document, start, end in targets)
    ]
