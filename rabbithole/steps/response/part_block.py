"""Builds the block of one part of the question: what is quoted for it, how much of it, and in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.question import Understood
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, RankedUnit, Selection
from rabbithole.steps.selection.models import AnswerType, AnswerUnit, SelectionStatus
from rabbithole.steps.selection.units.unit_lines import only_counts

from .caveat import certainty
from .choosing import Chosen
from .delegation import delegated, handed_on
from .models import Block, Finding, QuotedPassage
from .named_section import asked_by_heading, named_block
from .part_context import is_said_elsewhere
from .qualifying.conflicts import another_figure, own_rule
from .quoting.answering_words import with_best_bold
from .quoting.passage_builder import PassageBuilder

LENGTH = 120
"""Maximum number of words of the passages quoted for a certain answer."""
EXCERPTS = (LENGTH, 30, 30, 30)
"""Maximum number of words of each passage shown when no answer is certain, best first.

The first one is long because cutting the best passage costs more than further passages gain (docs/rejected.md).
"""
MOST = ((0.25, 2), (0.0, 3))
"""Maximum number of passages from each probability on; one may join several units of a section.

Further ones answered hardly a question (docs/rejected.md)."""
NEARLY = 14.0
"""Another passage is shown if its log-odds are at most this far below the best."""
NEXT = 5.0
"""The next passage of a part whose best one stands above is shown if its log-odds are at most this far below it."""
GAP = 30
"""Maximum number of words between two passages of a section that are quoted as one, with these words."""
HANDED = 60
"""Maximum number of words quoted from the place that the answering sentence refers to."""
LISTED = 180
"""Maximum number of words of a list, of steps or of a named section that is asked for."""
WHOLE_LISTS: frozenset[AnswerType] = frozenset({"list", "procedure"})
_FINDINGS: Mapping[SelectionStatus, Finding] = {"answered": "answered", "partly": "closest", "none": "none"}
_VERSION = re.compile(r"\b[A-Z][A-Za-z]+[ -]?\d+(?:\.\d+)+\b")
_SENTENCE_WORDS = 5
_NEARLY_SAME = 0.9
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_NOTE_NUMBERS = re.compile(r"[⁰¹²³⁴-⁹]+")
PART_OF_LIST = 0.7
"""Highest probability of an answer if only the beginning of a list that is asked for, or its lead-in, is shown."""
ELSEWHERE = 0.2
"""Highest probability of an answer when the place or version asked for is not in the collection."""


def part_block(
    kb: KnowledgeBase,
    understood: Understood,
    chosen: Chosen,
    units: Sequence[RankedUnit],
    builder: PassageBuilder,
    before: Sequence[Block],
    evidence: Sequence[Evidence],
    among: Callable[[QuestionPart, Sequence[AnswerCandidate]], list[RankedUnit]],
    reserved: Sequence[AnswerUnit] = (),
) -> Block:
    """Return the block of one part.

    ``units`` are those that may be quoted, as ``quotable`` orders them. ``before`` are the blocks above it. ``among``
    returns the units of candidates that answer a part, best first. ``reserved`` are the other parts' own units, each of
    which is quoted below its part.
    """
    selection = chosen.selection
    if chosen.place is not None:
        return named_block(chosen, chosen.place, builder, LISTED)
    if not units:
        return Block(parts=(chosen.text,), finding="none")
    room = LENGTH if len(understood.parts) == 1 else LENGTH * 2 // 3
    shown, led_to = _shown(units, selection, room), []
    again = None if is_said_elsewhere(kb, chosen, units) else _best_above(units[0], before)
    choose = partial(among, selection.part)
    finding, probability = _FINDINGS[selection.status], selection.probability
    if units[0] is not selection.units[0]:  # the rating is that of a passage that is not quoted first
        finding = "closest" if finding == "answered" else finding
        probability = min(probability, units[0].probability)
    if finding == "answered" and not _names_version(kb, chosen.text, shown):
        finding, probability = "closest", min(probability, ELSEWHERE)
    if finding != "answered":
        quoted = [passage for block in before for passage in block.passages]
        led_to = delegated(kb, selection.part, units[0], evidence, choose)
        shown = [units[0]] if led_to or again else closest(units, quoted, reserved)
        if units[0] not in shown:  # it is quoted above: what is left is rated for itself
            probability = min(probability, shown[0].probability)
        cuts = [
            builder.excerpt(one, LENGTH if _is_list_asked_for(selection.part, one) else words, quoted)
            for one, words in zip(shown, EXCERPTS, strict=False)
        ]
    else:
        cuts = [builder.passage(one) for one in shown]
    kind = selection.part.answer_type
    words = LISTED if kind in WHOLE_LISTS else LENGTH if kind == "open" else 0
    listed = builder.listed(shown[0], words) if words else None
    if finding != "answered" and again is not None:
        cuts[0] = again
    elif kind == "list" and (named := builder.list_named(shown[0], selection.part, LISTED)):
        cuts = [*named, *(one for one in cuts[1:] if not any(one.overlaps(item) for item in named))]
    elif whole := _section_asked(kb, selection.part, shown[0], builder):
        cuts = [whole]
    elif listed is not None:
        cuts[0] = listed
    incomplete = (kind == "list" and cuts[0].goes_on) or only_counts(cuts[-1].text)
    if finding == "answered" and incomplete:  # what is left out may be what is asked for
        finding, probability = "closest", min(probability, PART_OF_LIST)
    quotes = cuts if finding == "answered" and listed is None else builder.joined(cuts, GAP)
    likely = finding == "answered" or (again is None and certainty(probability) == "likely")
    if likely and kind not in WHOLE_LISTS:
        quotes = with_best_bold(quotes, units[0])
    if finding != "answered":
        quotes = [builder.for_part(one, selection.part) for one in quotes[: most_shown(probability)]]
    onward = led_to or handed_on(kb, units[0], evidence, choose)
    led_to = [one for one in onward if not any(passage.touches(one.unit) for passage in quotes)]
    others = another_figure(selection, shown, builder) if finding != "none" else ()
    if finding == "answered" and not others:
        others = own_rule(kb, selection, shown, builder)
    return Block(
        parts=(chosen.text,),
        finding=finding,
        probability=probability,
        passages=(*quotes, *(_reached(one, builder, words) for one in led_to)),
        others=others,
    )


def _section_asked(
    kb: KnowledgeBase, part: QuestionPart, best: RankedUnit, builder: PassageBuilder
) -> QuotedPassage | None:
    """Return the beginning of a unit's section, with the unit, if the part asks for the section by its heading."""
    place = asked_by_heading(kb, part, best)
    opening = None if place is None else builder.beginning(place, LISTED)
    if opening is None or not opening.touches(best.unit):
        return None
    return opening.model_copy(update={"why": "answer", "probability": best.probability})


def _reached(ranked: RankedUnit, builder: PassageBuilder, words: int) -> QuotedPassage:
    """Return a passage from a place that the answer refers to, or the whole list it is part of, up to ``words``."""
    found = builder.listed(ranked, words) if words else None
    return (found or builder.excerpt(ranked, HANDED)).model_copy(update={"why": "reached"})


def _is_list_asked_for(part: QuestionPart, ranked: RankedUnit) -> bool:
    """Return whether a list or steps are asked for and a unit is one: a part of it would look like the whole."""
    return part.answer_type in WHOLE_LISTS and ranked.unit.kind in ("list", "steps")


def _names_version(kb: KnowledgeBase, text: str, shown: Sequence[RankedUnit]) -> bool:
    """Return whether the passages name the version asked for: a passage on TLS 1.2 does not answer for TLS 1.3."""
    asked = {"".join(found.split()).casefold() for found in _VERSION.findall(text)}
    if not asked:
        return True
    said = ""
    for one in shown:
        section = kb.section_by_id(one.unit.section).label if one.unit.section else ""
        said += f"{one.unit.head} {one.unit.text} {section} {kb.document(one.unit.document).title}"
    return all(name in "".join(said.split()).casefold() for name in asked)


def _best_above(best: RankedUnit, before: Sequence[Block]) -> QuotedPassage | None:
    """Return the best passage of a block above if it is the best one of this part too."""
    firsts = (passage for block in before for passage in block.best)
    return next((passage for passage in firsts if passage.shows(best)), None)


def most_shown(probability: float) -> int:
    """Return how many passages are shown at most if the best one answers with this probability."""
    return next(most for least, most in MOST if probability >= least)


def shared_out(units: Sequence[Sequence[RankedUnit]]) -> list[AnswerUnit | None]:
    """Return the unit that is each part's own: its best one, or, if that is likelier for another part, its next one.

    ``units`` are those of each part, best first. A part has none if its next one is more than ``NEXT`` below.
    """
    found: dict[int, AnswerUnit] = {}
    for at in sorted((at for at, own in enumerate(units) if own), key=lambda at: -units[at][0].score):
        near = (one.unit for one in units[at] if one.score >= units[at][0].score - NEXT)
        fresh = next((unit for unit in near if unit not in found.values()), None)
        if fresh is not None:
            found[at] = fresh
    return [found.get(at) for at in range(len(units))]


def closest(
    units: Sequence[RankedUnit], quoted: Sequence[QuotedPassage], reserved: Sequence[AnswerUnit] = ()
) -> list[RankedUnit]:
    """Return the best unit and those nearly as good, one for each of ``EXCERPTS``, without those another part quotes.

    If all of these are quoted for other parts, only the best is returned: what remains has hardly to do with the part.
    """
    said = [passage.text for passage in quoted]
    fresh: list[RankedUnit] = []
    for one in units:
        if one is not units[0] and one.unit in reserved:
            continue
        again = any(says_the_same(one.unit.text, text) for text in said)
        if not again and not any(passage.shows(one) for passage in quoted):
            fresh.append(one)
            said.append(one.unit.text)  # the same sentence may stand in many documents, or in two editions of one
    return [one for one in fresh if one.score >= units[0].score - NEARLY][: len(EXCERPTS)] or [units[0]]


def says_the_same(text: str, other: str) -> bool:
    """Return whether two texts have the same figures and nearly the same words: a paragraph of two editions."""
    first, second = (_WORD.findall(_NOTE_NUMBERS.sub("", one.casefold())) for one in (text, other))
    if min(len(first), len(second)) < _SENTENCE_WORDS:
        return False
    figures = ([word for word in words if word[0].isdigit()] for words in (first, second))
    common = len(set(first) & set(second))
    return len(set(map(tuple, figures))) == 1 and common >= _NEARLY_SAME * len(set(first) | set(second))


def _shown(units: Sequence[RankedUnit], selection: Selection, room: int) -> list[RankedUnit]:
    """Return the best unit with further ones of its document, up to ``room`` words, in the order of the text."""
    first = units[0]
    words = len(first.unit.text.split())
    shown = [first]
    for one in units[1 : max(1, selection.shown)]:
        words += len(one.unit.text.split())
        if one.unit.document == first.unit.document and words <= room:
            shown.append(one)
    return sorted(shown, key=lambda one: (one is not first and one.unit.section != first.unit.section, one.unit.start))
