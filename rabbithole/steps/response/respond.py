"""Builds the response: for each part of the question, the best units among the places named, found and followed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter
from rabbithole.steps.models import Evidence
from rabbithole.steps.question import Understood
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, RankedUnit, Selection, question_part
from rabbithole.steps.selection.models import AnswerType, SelectionStatus

from .absent_names import absent_names
from .changes import EditionChanges, changes
from .choosing import Chooser, Chosen, followed_to
from .conflicts import another_figure
from .delegation import delegated, handed_on
from .informs import BEFORE, informs, is_repeated
from .models import Block, Finding, QuotedPassage, Response
from .named_section import asks_more, named_block
from .part_context import by_itself, leaning
from .passage_builder import PassageBuilder
from .qualify import qualifying, reached
from .said_first import said_first

LENGTH = 120
"""Maximum number of words of the passages quoted for a certain answer."""
EXCERPTS = (LENGTH, 30, 30, 30)
"""Maximum number of words of each passage shown when no answer is certain, best first.

The first one is long because cutting the best passage costs more than further passages gain (docs/rejected.md).
"""
NEARLY = 2.5
"""Another passage is shown if its log-odds are at most this far below the best."""
NEXT = 5.0
"""The same for the next passage of a part, if one passage answers several parts."""
HANDED = 60
"""Maximum number of words quoted from the place that the answering sentence refers to."""
LISTED = 180
"""Maximum number of words of a list, of steps or of a named section that is asked for."""
_LISTS: frozenset[AnswerType] = frozenset({"list", "procedure"})
_FINDINGS: Mapping[SelectionStatus, Finding] = {"answered": "answered", "partly": "closest", "none": "none"}
_VERSION = re.compile(r"\b[A-Z][A-Za-z]+[ -]?\d+(?:\.\d+)+\b")
_ELSEWHERE = 0.2
"""Highest probability of an answer when the place or version asked for is not in the collection."""
_SENTENCE_WORDS = 5
_COMPARED = 0.95
"""Probability of a comparison of editions, which are identified from their names and dates."""


def respond(
    kb: KnowledgeBase,
    understood: Understood,
    collections: Sequence[str] = (),
    *,
    evidence: Sequence[Evidence] = (),
    filters: Sequence[Filter] = (),
) -> Response:
    """Return the answer to a question from the collection. Blocks; run it in a thread.

    ``evidence`` is what was read and followed before. ``filters`` restrict the search.
    """
    if not understood.matter:
        return Response(status="none", first=said_first(understood))
    builder = PassageBuilder(kb, evidence)
    changed = changes(kb, understood, collections, builder.beginning)
    if changed is not None and changed.complete:
        return _compared(understood, changed)
    chooser = Chooser(kb, understood, collections, filters, followed_to(evidence))
    several = len(understood.parts) > 1
    whole = chooser.choose(understood.query) if several and not understood.long else None
    chosen: list[Chosen] = []
    blocks: list[Block] = []

    def among(part: QuestionPart, candidates: Sequence[AnswerCandidate]) -> list[RankedUnit]:
        return _in_force(kb, chooser.among(part, candidates), understood)

    asked = [chooser.choose(text) for text in understood.parts]
    for at, own in enumerate(asked):
        if several and own.place is None:
            own = by_itself(kb, own, [*asked[:at], *asked[at + 1 :]], chooser)
        if whole is not None and own.place is None and whole.selection.probability > own.selection.probability:
            own = leaning(kb, own, whole)
        chosen.append(own)
        blocks.append(_block(kb, understood, own, builder, blocks, evidence, among))
    selections = [one.selection for one in chosen]
    absent = absent_names(kb, understood.query, collections)
    blocks = _once([_without_names(_capped(block, understood), absent) for block in blocks])
    blocks = [_marked(_with_next(kb, understood, block, chosen, builder)) for block in blocks]
    answers = [block for block in blocks if block.finding == "answered"]
    quoted = [one for block in blocks for one in (*block.passages, *block.others)]
    beside = qualifying(selections, quoted, builder) if answers else ()
    led_to = reached([one for one in selections if one.status != "none"], [*quoted, *beside], builder)
    return Response(
        status="answered" if len(answers) == len(blocks) else "partly" if answers else "none",
        probability=min((block.probability for block in blocks), default=0.0),
        first=(
            *(changed.first if changed is not None else ()),
            *said_first(understood, absent, _languages(kb, quoted)),
        ),
        blocks=tuple(blocks),
        qualifying=beside,
        reached=led_to,
        outdated=any(kb.standing(one.evidence.document) for one in quoted),
    )


def _languages(kb: KnowledgeBase, quoted: Sequence[QuotedPassage]) -> frozenset[str]:
    return frozenset(kb.document(one.evidence.document).language for one in quoted)


def _compared(understood: Understood, changed: EditionChanges) -> Response:
    block = Block(parts=(understood.query,), finding="answered", probability=_COMPARED, passages=changed.passages)
    blocks = (block,) if changed.passages else ()
    return Response(status="answered", probability=_COMPARED, first=changed.first, blocks=blocks)


def _capped(block: Block, understood: Understood) -> Block:
    """Cap a block if the place asked for is not in the collection: what other documents say on the matter is no answer.

    If the part asks nothing beyond that place, nothing is quoted.
    """
    if not understood.lacking or understood.opened:
        return block
    part = question_part(block.part, understood.language)
    more = all(asks_more(part, place) for place in understood.lacking if place.text in block.part)
    return _unanswered(block, block.passages[:1] if more else ())


def _without_names(block: Block, absent: Sequence[str]) -> Block:
    """Return the block without an answer, only with the closest passage, if its part has a name no document has."""
    if not any(name in block.part for name in absent):
        return block
    return _unanswered(block, block.passages[:1])


def _marked(block: Block) -> Block:
    """Return the block with words in bold only where they are likely to answer: in its first passage, if rated so.

    Of the other passages quoted, about one in five holds an answer.
    """
    if block.finding == "answered":
        return block
    first = 0 if block.finding == "none" else 1
    passages = tuple(
        one if at < first else one.model_copy(update={"bold": ()}) for at, one in enumerate(block.passages)
    )
    return block.model_copy(update={"passages": passages})


def _unanswered(block: Block, passages: tuple[QuotedPassage, ...]) -> Block:
    """Return the block without an answer, with these passages as the closest."""
    capped = {"finding": "none", "probability": min(block.probability, _ELSEWHERE), "passages": passages, "others": ()}
    return block.model_copy(update=capped)


def _block(
    kb: KnowledgeBase,
    understood: Understood,
    chosen: Chosen,
    builder: PassageBuilder,
    before: Sequence[Block],
    evidence: Sequence[Evidence],
    among: Callable[[QuestionPart, Sequence[AnswerCandidate]], list[RankedUnit]],
) -> Block:
    """Return the block of one part.

    ``before`` are the blocks above it. ``among`` returns the units of candidates that answer a part, best first.
    """
    selection = chosen.selection
    if chosen.place is not None:
        return named_block(chosen, chosen.place, builder, LISTED)
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
        led_to = delegated(kb, selection.part, units[0], evidence, choose)
        shown = [units[0]] if led_to else closest(units, quoted)
        cuts = [
            builder.excerpt(one, LENGTH if _is_list_asked_for(selection.part, one) else words)
            for one, words in zip(shown, EXCERPTS, strict=False)
        ]
    else:
        cuts = [builder.passage(one) for one in shown]
    kind = selection.part.answer_type
    words = LISTED if kind in _LISTS else LENGTH if kind == "open" else 0
    listed = builder.listed(shown[0], words) if words else None
    if listed is not None:
        cuts[0] = listed
    quotes = cuts if finding == "answered" and listed is None else builder.joined(cuts)
    onward = led_to or handed_on(kb, units[0], evidence, choose)
    led_to = [one for one in onward if not any(passage.touches(one.unit) for passage in quotes)]
    return Block(
        parts=(chosen.text,),
        finding=finding,
        probability=probability,
        passages=(*quotes, *(_reached(one, builder, words) for one in led_to)),
        others=another_figure(selection, shown, builder) if finding != "none" else (),
    )


def _reached(ranked: RankedUnit, builder: PassageBuilder, words: int) -> QuotedPassage:
    """Return a passage from a place that the answer refers to, or the whole list it is part of, up to ``words``."""
    found = builder.listed(ranked, words) if words else None
    return (found or builder.excerpt(ranked, HANDED)).model_copy(update={"why": "reached"})


def _is_list_asked_for(part: QuestionPart, ranked: RankedUnit) -> bool:
    """Return whether a list is asked for and a unit is one: a part of it would look like the whole."""
    return part.answer_type == "list" and ranked.unit.kind in ("list", "steps")


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


def _in_force(kb: KnowledgeBase, selection: Selection, understood: Understood) -> list[RankedUnit]:
    """Return the units that may be quoted; questions, superseded editions and repeated lines come last.

    A document asked for by name is never treated as superseded.
    """
    asked = set(understood.documents)
    units = [one for one in selection.units if informs(f"{one.unit.head}\n{one.unit.text}", _before(kb, one))]

    def replaced(one: RankedUnit) -> bool:
        return one.unit.document not in asked and bool(kb.standing(one.unit.document))

    texts = {document: kb.text(document) for document in {one.unit.document for one in units}}

    def repeated(one: RankedUnit) -> bool:
        return is_repeated(one.unit.text, texts[one.unit.document])

    return sorted(units, key=lambda one: (replaced(one), _asks(one), repeated(one)))


def _asks(ranked: RankedUnit) -> bool:
    """Return whether the best sentence of a unit is itself a question: 'we answer four: How do ...?'"""
    if not ranked.sentences:
        return False
    best, start = ranked.sentences[0], ranked.unit.start
    return ranked.unit.text[best.start - start : best.end - start].rstrip().endswith("?")


def closest(units: Sequence[RankedUnit], quoted: Sequence[QuotedPassage]) -> list[RankedUnit]:
    """Return the best unit and those nearly as good, skipping units another part quotes if there are others."""
    said = {" ".join(passage.text.split()) for passage in quoted}
    fresh: list[RankedUnit] = []
    for one in units:
        words = " ".join(one.unit.text.split())
        again = words in said and len(words.split()) >= _SENTENCE_WORDS
        if not again and not any(passage.touches(one.unit) for passage in quoted):
            fresh.append(one)
            said.add(words)  # the same sentence may stand in many documents
    fresh = fresh or [units[0]]
    return [one for one in fresh if one.score >= fresh[0].score - NEARLY][: len(EXCERPTS)]


def _before(kb: KnowledgeBase, ranked: RankedUnit) -> str:
    return kb.text(ranked.unit.document, max(0, ranked.unit.start - BEFORE), ranked.unit.start)


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


def _once(blocks: Sequence[Block]) -> list[Block]:
    """Merge blocks that quote the same passages: each passage is quoted once, and the parts are named together.

    They count as answered if each of them is; the probability is that of the less certain part.
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
    kb: KnowledgeBase, understood: Understood, block: Block, chosen: Sequence[Chosen], builder: PassageBuilder
) -> Block:
    """Add the next best passage of each part to a block that answers several parts with the same passage.

    That passage may answer only one of them: 'Which rate must be reached, and by when is it reported?'
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
            passages.append(builder.excerpt(fresh, EXCERPTS[-1]))
    return block.model_copy(update={"passages": tuple(builder.joined(passages))})


def _covers(one: Block, other: Block) -> bool:
    if not one.passages or not other.passages:
        return False
    spans = {(p.evidence.document, p.start, p.end) for p in one.passages}
    return all((p.evidence.document, p.start, p.end) in spans for p in other.passages)
