"""What answers a question: for each part the best units of the passages found, named and followed to."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter
from rabbithole.steps.models import Evidence
from rabbithole.steps.question import NamedPlace, Understood
from rabbithole.steps.reasoning.llm.prompt_delimiters import addresses_model
from rabbithole.steps.reasoning.text.topic_terms import points
from rabbithole.steps.selection import Candidate, QuestionPart, RankedUnit, Selection, gather, question_part, select
from rabbithole.steps.selection.select import Vectors

from .conflicts import another_figure
from .models import Block, Finding, Response
from .opening import Opener
from .qualify import qualifying, reached
from .said_first import said_first

LENGTH = 120
"""Words of an answer where one passage does."""
FOLLOWED_RANK, FOLLOWED = 5, 0.5
"""A place followed to stands in no list of results: it counts as the sixth, with half of the score it was read for."""
_ELSEWHERE = 0.2
"""Probability at most, where the place asked for is not held."""


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
        return Response(status="none", first=said_first(kb, understood, ()))
    vectors = Vectors(kb.embed)
    opener = Opener(kb, evidence)
    followed = _followed(evidence)
    selections: list[Selection] = []
    blocks: list[Block] = []
    for text in understood.parts:
        place = _place_of(text, understood)
        part = _part(text, understood, place)
        candidates = _candidates(kb, part, understood, place, collections, filters, followed)
        selection = select(kb, part, candidates, vectors=vectors)
        if understood.preferred and selection.status == "none":
            everywhere = (*gather(kb, part, collections, filters=filters), *followed)
            wider = select(kb, part, everywhere, vectors=vectors)
            if wider.probability > selection.probability:  # of another subject than asked for: close, and no answer
                candidates, selection = everywhere, wider.model_copy(update={"status": "none"})
        selections.append(selection)
        blocks.append(_block(kb, understood, selection, candidates, place, opener))
    blocks = [_capped(block, understood) for block in _once(blocks)]
    answers = [block for block in blocks if block.finding == "answered"]
    quoted = [one for block in blocks for one in (*block.passages, *block.others)]
    beside = qualifying(selections, quoted, opener) if answers else ()
    led_to = reached(selections, [*quoted, *beside], opener)
    return Response(
        status="answered" if len(answers) == len(blocks) else "partly" if answers else "none",
        probability=min((block.probability for block in blocks), default=0.0),
        first=said_first(kb, understood, blocks),
        blocks=tuple(blocks),
        qualifying=beside,
        reached=led_to,
        outdated=any(kb.standing(one.evidence.document) for one in quoted),
    )


def _part(text: str, understood: Understood, place: NamedPlace | None) -> QuestionPart:
    several = len(understood.parts) > 1 or points(text) or understood.query.strip(" ?") != text
    whole = " ".join((understood.query, *understood.said)) if several or understood.said else ""
    documents = (place.document,) if place and place.document else understood.documents
    queries = (text, understood.query) if whole and not understood.long else (text,)
    part = question_part(text, understood.language, whole=whole[:1500], documents=documents, queries=queries)
    scope = frozenset(understood.names)
    terms, context = (tuple(one for one in own if one.stem not in scope) for own in (part.terms, part.context))
    return part.model_copy(update={"terms": terms, "context": context}) if terms or context else part


def _capped(block: Block, understood: Understood) -> Block:
    """Where the place asked for is not held, what others say of the matter is no answer."""
    if not understood.lacking or understood.opened:
        return block
    return block.model_copy(update={"finding": "none", "probability": min(block.probability, _ELSEWHERE)})


def _place_of(text: str, understood: Understood) -> NamedPlace | None:
    """The section a part of the question names; one named in another part holds where this part names none."""
    own = [place for place in understood.opened if place.text in text]
    return next(iter(own or understood.opened), None)


def _candidates(
    kb: KnowledgeBase,
    part: QuestionPart,
    understood: Understood,
    place: NamedPlace | None,
    collections: Sequence[str],
    filters: Sequence[Filter],
    followed: Sequence[Candidate],
) -> tuple[Candidate, ...]:
    named = [_named(kb, one) for one in understood.opened]
    if place is not None and place in understood.opened:
        return tuple(one for one in named if one.document == place.document) or tuple(named)
    if understood.preferred:
        part = part.model_copy(update={"documents": understood.preferred})
        followed = [one for one in followed if one.document in understood.preferred]
    # A place that the search finds too keeps its rank there: what was followed to comes last.
    return (*gather(kb, part, collections, filters=filters, further=named), *followed)


def _named(kb: KnowledgeBase, place: NamedPlace) -> Candidate:
    """The section named with its subsections, or the exact place in it."""
    section = kb.section_by_id(place.section or "")
    narrow = place.start is not None and place.end is not None and place.end > place.start
    start, end = (place.start, place.end) if narrow else (section.start, section.end)
    return Candidate(document=section.document, start=start or 0, end=end or 0, score=1.0, origin="named")


def _followed(evidence: Sequence[Evidence]) -> tuple[Candidate, ...]:
    """Places references led to, each once."""
    spans = {
        (one.document, one.start, one.end): one
        for one in evidence
        if one.depth and not one.external and one.end > one.start
    }
    return tuple(
        Candidate(
            document=one.document,
            start=one.start,
            end=one.end,
            rank=FOLLOWED_RANK,
            score=FOLLOWED * one.score,
            origin="followed",
        )
        for one in spans.values()
    )


def _block(
    kb: KnowledgeBase,
    understood: Understood,
    selection: Selection,
    candidates: Sequence[Candidate],
    place: NamedPlace | None,
    opener: Opener,
) -> Block:
    units = _in_force(kb, selection, understood)
    if place is not None:
        return _named_block(understood, selection, candidates, place, opener)
    if not units:
        return Block(part=selection.part.text, finding="none")
    finding: Finding = (
        "answered" if selection.status == "answered" else "closest" if selection.status == "partly" else "none"
    )
    shown = _shown(units, selection)
    passages = tuple(opener.passage(one) for one in shown)
    others = another_figure(selection, shown, opener) if finding != "none" else ()
    return Block(
        part=selection.part.text,
        finding=finding,
        probability=selection.probability,
        passages=passages,
        others=others,
    )


def _named_block(
    understood: Understood, selection: Selection, candidates: Sequence[Candidate], place: NamedPlace, opener: Opener
) -> Block:
    """The section named is quoted: whole where it is short, else what of it answers, or its beginning."""
    inside = [one for one in selection.units if candidates[one.candidate].origin == "named"]
    whole = opener.beginning(place, LENGTH)
    best = [opener.passage(one) for one in inside[: max(1, selection.shown)]]
    asks_more = _asks_more(selection.part, place)
    passages = best if best and asks_more and whole.cut else [whole]
    return Block(
        part=selection.part.text,
        finding="answered" if not asks_more or selection.status != "none" else "closest",
        probability=max(selection.probability, 0.9 if not asks_more else 0.5),
        passages=tuple(passages),
    )


def _asks_more(part: QuestionPart, place: NamedPlace) -> bool:
    """Whether a part asks something of the place it names, beyond what stands there."""
    bare = part.text.replace(place.text, " ")
    return bool(question_part(bare, part.language).terms) and any(
        term.weight >= 1 for term in question_part(bare, part.language).terms
    )


def _in_force(kb: KnowledgeBase, selection: Selection, understood: Understood) -> list[RankedUnit]:
    """The units that inform, editions that were replaced last, unless the document is asked for by name."""
    asked = set(understood.documents)
    units = [one for one in selection.units if not addresses_model(f"{one.unit.head}\n{one.unit.text}")]
    return sorted(
        units, key=lambda one: one.unit.document not in asked and bool(kb.standing(one.unit.document))
    )


def _shown(units: Sequence[RankedUnit], selection: Selection) -> list[RankedUnit]:
    """The best unit with those to be quoted with it: of the same document, in the order of the text."""
    first = units[0]
    words = len(first.unit.text.split())
    shown = [first]
    for one in units[1 : max(1, selection.shown)]:
        words += len(one.unit.text.split())
        if one.unit.document == first.unit.document and words <= LENGTH:
            shown.append(one)
    return sorted(shown, key=lambda one: (one is not first and one.unit.section != first.unit.section, one.unit.start))


def _once(blocks: Sequence[Block]) -> list[Block]:
    """A passage that answers two parts is quoted once: the parts are named together."""
    kept: list[Block] = []
    for block in blocks:
        same = next((at for at, one in enumerate(kept) if _covers(one, block)), None)
        if same is None:
            kept.append(block)
            continue
        best = max((kept[same], block), key=lambda one: (one.finding == "answered", one.probability))
        kept[same] = best.model_copy(
            update={"part": f"{kept[same].part}; {block.part}", "passages": kept[same].passages}
        )
    return kept


def _covers(one: Block, other: Block) -> bool:
    if not one.passages or not other.passages:
        return False
    spans = {(p.evidence.document, p.start, p.end) for p in one.passages}
    return all((p.evidence.document, p.start, p.end) in spans for p in other.passages)
