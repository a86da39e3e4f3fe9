"""What answers a question: for each part the best units of the passages found, named and followed to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter
from rabbithole.steps.models import Evidence
from rabbithole.steps.question import NamedPlace, Understood
from rabbithole.steps.reasoning.text.terms import stems
from rabbithole.steps.selection import Candidate, QuestionPart, RankedUnit, Selection, question_part
from rabbithole.steps.selection.matching import Matcher
from rabbithole.steps.selection.models import SelectionStatus

from .absent_names import absent_names
from .changes import Changes, changes
from .choosing import Chooser, Chosen, followed_to
from .conflicts import another_figure
from .delegation import delegated, handed_on
from .informs import BEFORE, informs
from .models import Block, Finding, Passage, Response
from .opening import Opener
from .qualify import qualifying, reached
from .said_first import said_first

LENGTH = 120
"""Words of an answer where one passage does."""
EXCERPTS = (LENGTH, 30, 30, 30)
"""Words of the passages shown where none is sure to answer, best first: what the best leaves out is missed more than
what another adds (docs/rejected.md)."""
NEARLY = 1.5
"""Log-odds below the best up to which another passage is shown beside it."""
NEXT = 3.0
"""Log-odds below the best up to which the next passage of a part is shown, where one passage answers several parts."""
HANDED = 60
"""Words of the place that the answering sentence refers to."""
_FINDINGS: Mapping[SelectionStatus, Finding] = {"answered": "answered", "partly": "closest", "none": "none"}
_VERSION = re.compile(r"\b[A-Z][A-Za-z]+[ -]?\d+(?:\.\d+)+\b")
_ELSEWHERE = 0.2
"""Probability at most, where the place asked for is not held."""
_MOST, _MORE = 0.5, 0.02
"""Of the weight of a part's own words."""
_COMPARED = 0.95
"""Probability of a comparison: which editions the question means is read off their names and dates."""


def respond(
    kb: KnowledgeBase,
    understood: Understood,
    collections: Sequence[str] = (),
    *,
    evidence: Sequence[Evidence] = (),
    filters: Sequence[Filter] = (),
) -> Response:
    """The answer to a question from the collection; blocking. ``evidence``: what was read and followed to."""
    if not understood.matter:
        return Response(status="none", first=said_first(understood))
    opener = Opener(kb, evidence)
    changed = changes(kb, understood, collections, opener.beginning)
    if changed is not None and changed.complete:
        return _compared(understood, changed)
    chooser = Chooser(kb, understood, collections, filters, followed_to(evidence))
    several = len(understood.parts) > 1
    whole = chooser.choose(understood.query) if several and not understood.long else None
    chosen: list[Chosen] = []
    blocks: list[Block] = []

    def among(part: QuestionPart, candidates: Sequence[Candidate]) -> list[RankedUnit]:
        return _in_force(kb, chooser.among(part, candidates), understood)

    asked = [chooser.choose(text) for text in understood.parts]
    for at, own in enumerate(asked):
        if several and own.place is None:
            own = _by_itself(kb, own, [*asked[:at], *asked[at + 1 :]], chooser)
        if whole is not None and own.place is None and whole.selection.probability > own.selection.probability:
            own = _leaning(kb, own, whole)
        chosen.append(own)
        blocks.append(_block(kb, understood, own, opener, blocks, evidence, among))
    selections = [one.selection for one in chosen]
    absent = absent_names(kb, understood.query, collections)
    blocks = _once([_without_names(_capped(block, understood), absent) for block in blocks])
    blocks = [_with_next(kb, understood, block, chosen, opener) for block in blocks]
    answers = [block for block in blocks if block.finding == "answered"]
    quoted = [one for block in blocks for one in (*block.passages, *block.others)]
    beside = qualifying(selections, quoted, opener) if answers else ()
    led_to = reached([one for one in selections if one.status != "none"], [*quoted, *beside], opener)
    return Response(
        status="answered" if len(answers) == len(blocks) else "partly" if answers else "none",
        probability=min((block.probability for block in blocks), default=0.0),
        first=(*(changed.first if changed is not None else ()), *said_first(understood, absent)),
        blocks=tuple(blocks),
        qualifying=beside,
        reached=led_to,
        outdated=any(kb.standing(one.evidence.document) for one in quoted),
    )


def _compared(understood: Understood, changed: Changes) -> Response:
    block = Block(parts=(understood.query,), finding="answered", probability=_COMPARED, passages=changed.passages)
    blocks = (block,) if changed.passages else ()
    return Response(status="answered", probability=_COMPARED, first=changed.first, blocks=blocks)


def _leaning(kb: KnowledgeBase, own: Chosen, whole: Chosen) -> Chosen:
    """A part that says little by itself: the question says what it is about, and where; there its own words choose.

    Not where the place of the question says less of what the part itself asks: then it answers another part.
    """
    units, best = own.selection.units, whole.selection.units
    if units and best and units[0].unit.section == best[0].unit.section:
        surer = {"probability": whole.selection.probability, "status": whole.selection.status}
        return replace(own, selection=own.selection.model_copy(update=surer))
    words, language = _own_words(kb, own.selection.part), own.selection.part.language
    if units and best and _said(kb, words, best[0], language) < _said(kb, words, units[0], language):
        return own
    return replace(whole, text=own.text)


def _by_itself(kb: KnowledgeBase, own: Chosen, others: Sequence[Chosen], chooser: Chooser) -> Chosen:
    """A part whose best passage is another part's is asked without the rest of the question; that stands if it answers.

    The rest, which tells what a part is about, may ask of another matter: 'When is it quiet, and what does a key cost?'
    A passage is another part's when it has none of this one's own words while another has most of them, or when it is
    the best of another part too (``others``), says more of that one's words, and another one has more of this one's.
    """
    units = own.selection.units
    if not units:
        return own
    words, language = _own_words(kb, own.selection.part), own.selection.part.language
    said = _said(kb, words, units[0], language)
    taken = any(
        one.selection.units[0].unit == units[0].unit
        and _said(kb, _own_words(kb, one.selection.part), units[0], language) > said
        for one in others
        if one.selection.units
    )
    if said > 0.0 and not taken:
        return own
    most = max((_said(kb, words, one, language) for one in units[1:]), default=0.0)
    if not ((said == 0.0 and most >= _MOST) or (taken and most > said + _MORE)):
        return own
    alone = chooser.alone(own.text)
    first = alone.selection.units[:1]
    better = first and _said(kb, words, first[0], language) > said + _MORE
    return alone if better and alone.selection.status != "none" else own


def _own_words(kb: KnowledgeBase, part: QuestionPart) -> Matcher:
    return Matcher({term.stem: term.weight * kb.rarity(term.stem, part.language) for term in part.terms})


def _said(kb: KnowledgeBase, words: Matcher, ranked: RankedUnit, language: str) -> float:
    """Share of these words, by their rarity, that a unit or its heading says."""
    label = kb.section_by_id(ranked.unit.section).label if ranked.unit.section else ""
    return words.coverage(words.strengths(stems(f"{label} {ranked.unit.head} {ranked.unit.text}", language)))


def _capped(block: Block, understood: Understood) -> Block:
    """Where the place asked for is not held, what others say of the matter is no answer; without a matter, nothing."""
    if not understood.lacking or understood.opened:
        return block
    part = question_part(block.part, understood.language)
    asks_more = all(_asks_more(part, place) for place in understood.lacking if place.text in block.part)
    passages = block.passages[:1] if asks_more else ()
    capped = {"finding": "none", "probability": min(block.probability, _ELSEWHERE), "passages": passages, "others": ()}
    return block.model_copy(update=capped)


def _without_names(block: Block, absent: Sequence[str]) -> Block:
    """Where no document has a name that a part asks about, the closest passage is shown, as no answer."""
    if not any(name in block.part for name in absent):
        return block
    less = {"finding": "none", "probability": min(block.probability, _ELSEWHERE), "others": ()}
    return block.model_copy(update={**less, "passages": block.passages[:1]})


def _block(
    kb: KnowledgeBase,
    understood: Understood,
    chosen: Chosen,
    opener: Opener,
    before: Sequence[Block],
    evidence: Sequence[Evidence],
    among: Callable[[QuestionPart, Sequence[Candidate]], list[RankedUnit]],
) -> Block:
    """``before``: the blocks above; ``among`` chooses the units of candidates that answer a part, best first."""
    selection = chosen.selection
    if chosen.place is not None:
        return _named_block(chosen, chosen.place, opener)
    units = _in_force(kb, selection, understood)
    if not units:
        return Block(parts=(chosen.text,), finding="none")
    room = LENGTH if len(understood.parts) == 1 else LENGTH * 2 // 3
    shown, led_to = _shown(units, selection, room), []
    choose = partial(among, selection.part)
    finding, probability = _FINDINGS[selection.status], selection.probability
    if finding == "answered" and not _names_version(kb, chosen.text, shown):
        finding, probability = "closest", min(probability, _ELSEWHERE)
    if finding != "answered":
        quoted = [passage for block in before for passage in block.passages]
        led_to = delegated(selection.part, units[0], evidence, choose)
        shown = [units[0]] if led_to else closest(units, quoted)
        quotes = opener.joined([opener.excerpt(one, words) for one, words in zip(shown, EXCERPTS, strict=False)])
    else:
        quotes = [opener.passage(one) for one in shown]
    onward = led_to or handed_on(units[0], evidence, choose)
    led_to = [one for one in onward if not any(passage.touches(one.unit) for passage in quotes)]
    return Block(
        parts=(chosen.text,),
        finding=finding,
        probability=probability,
        passages=(*quotes, *(opener.excerpt(one, HANDED).model_copy(update={"why": "reached"}) for one in led_to)),
        others=another_figure(selection, shown, opener) if finding != "none" else (),
    )


def _names_version(kb: KnowledgeBase, text: str, shown: Sequence[RankedUnit]) -> bool:
    """Whether the passages are of the version asked for: what holds of TLS 1.2 is no answer on TLS 1.3."""
    asked = {"".join(found.split()).casefold() for found in _VERSION.findall(text)}
    if not asked:
        return True
    said = ""
    for one in shown:
        section = kb.section_by_id(one.unit.section).label if one.unit.section else ""
        said += f"{one.unit.head} {one.unit.text} {section} {kb.document(one.unit.document).title}"
    return all(name in "".join(said.split()).casefold() for name in asked)


def _named_block(chosen: Chosen, place: NamedPlace, opener: Opener) -> Block:
    """The section named is quoted: whole where it is short, else what of it answers, or its beginning."""
    selection = chosen.selection
    inside = [one for one in selection.units if chosen.candidates[one.candidate].origin == "named"]
    whole = opener.beginning(place, LENGTH)
    best = [opener.passage(one) for one in inside[: max(1, selection.shown)]]
    asks_more = _asks_more(selection.part, place)
    return Block(
        parts=(chosen.text,),
        finding="answered" if not asks_more or selection.status != "none" else "closest",
        probability=max(selection.probability, 0.5 if asks_more else 0.9),
        passages=tuple(best) if best and asks_more and whole.cut else (whole,),
    )


def _asks_more(part: QuestionPart, place: NamedPlace) -> bool:
    """Whether a part asks something of the place it names, beyond what stands there."""
    bare = part.text.replace(place.text, " ")
    return bool(question_part(bare, part.language).terms) and any(
        term.weight >= 1 for term in question_part(bare, part.language).terms
    )


def _in_force(kb: KnowledgeBase, selection: Selection, understood: Understood) -> list[RankedUnit]:
    """The units that inform; those that only ask, and editions that were replaced, last.

    A document asked for by name is what is asked for, whatever replaced it.
    """
    asked = set(understood.documents)
    units = [one for one in selection.units if informs(f"{one.unit.head}\n{one.unit.text}", _before(kb, one))]

    def replaced(one: RankedUnit) -> bool:
        return one.unit.document not in asked and bool(kb.standing(one.unit.document))

    return sorted(units, key=lambda one: (replaced(one), _asks(one)))


def _asks(ranked: RankedUnit) -> bool:
    """Whether the sentence that speaks for a unit is itself a question: 'we answer four: How do ...?'"""
    if not ranked.sentences:
        return False
    best, start = ranked.sentences[0], ranked.unit.start
    return ranked.unit.text[best.start - start : best.end - start].rstrip().endswith("?")


def closest(units: Sequence[RankedUnit], quoted: Sequence[Passage]) -> list[RankedUnit]:
    """The best passage and those nearly as good: none that another part of the answer quotes, if there are others."""
    fresh = [one for one in units if not any(passage.touches(one.unit) for passage in quoted)] or [units[0]]
    return [one for one in fresh if one.score >= fresh[0].score - NEARLY][: len(EXCERPTS)]


def _before(kb: KnowledgeBase, ranked: RankedUnit) -> str:
    return kb.text(ranked.unit.document, max(0, ranked.unit.start - BEFORE), ranked.unit.start)


def _shown(units: Sequence[RankedUnit], selection: Selection, room: int) -> list[RankedUnit]:
    """The best unit with those to be quoted with it: of the same document, in the order of the text."""
    first = units[0]
    words = len(first.unit.text.split())
    shown = [first]
    for one in units[1 : max(1, selection.shown)]:
        words += len(one.unit.text.split())
        if one.unit.document == first.unit.document and words <= room:
            shown.append(one)
    return sorted(shown, key=lambda one: (one is not first and one.unit.section != first.unit.section, one.unit.start))


def _once(blocks: Sequence[Block]) -> list[Block]:
    """A passage that answers two parts is quoted once, and the parts are named together.

    They are answered when each is; the probability is that of the less certain part.
    """
    kept: list[Block] = []
    for block in blocks:
        same = next((at for at, one in enumerate(kept) if _covers(one, block)), None)
        if same is None:
            kept.append(block)
            continue
        less = min((kept[same], block), key=lambda one: (one.finding == "answered", one.probability))
        parts, passages = (*kept[same].parts, *block.parts), kept[same].passages
        kept[same] = less.model_copy(update={"parts": parts, "passages": passages})
    return kept


def _with_next(
    kb: KnowledgeBase, understood: Understood, block: Block, chosen: Sequence[Chosen], opener: Opener
) -> Block:
    """A block that answers several parts by the same passage, with the next best passage of each part.

    The passage may say what only one of them asks: 'Which rate must be reached, and by when is it reported?'
    """
    if len(block.parts) == 1 or not block.passages:
        return block
    passages = list(block.passages)
    for one in chosen:
        units = _in_force(kb, one.selection, understood)
        if one.text not in block.parts or not units:
            continue
        near = (each for each in units if each.score >= units[0].score - NEXT)
        fresh = next((each for each in near if not any(passage.touches(each.unit) for passage in passages)), None)
        if fresh is not None:
            passages.append(opener.excerpt(fresh, EXCERPTS[-1]))
    return block.model_copy(update={"passages": tuple(opener.joined(passages))})


def _covers(one: Block, other: Block) -> bool:
    if not one.passages or not other.passages:
        return False
    spans = {(p.evidence.document, p.start, p.end) for p in one.passages}
    return all((p.evidence.document, p.start, p.end) in spans for p in other.passages)
