"""Builds the response: for each part of the question, the best units among the places named, found and followed."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter
from rabbithole.steps.editions import newest_read
from rabbithole.steps.language import language_of_quotation
from rabbithole.steps.models import Evidence
from rabbithole.steps.question import Strange, Understood
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, RankedUnit, question_part
from rabbithole.steps.selection.expected import figure_needed

from .bridged_blocks import bridged
from .caveat import certainty
from .changes import EditionChanges, changes
from .choosing import Chooser, Chosen, followed_to
from .figures.figure_block import with_figures
from .lacking.absent_names import absent_names
from .lacking.lacking_figure import without_figure
from .lacking.lacking_works import lacking_works
from .merged_blocks import merged, with_next
from .models import Block, QuotedPassage, Response
from .named_section import asks_more
from .part_block import ELSEWHERE, WHOLE_LISTS, part_block, shared_out
from .part_context import by_itself, leaning
from .qualifying.derogations import derogated
from .qualifying.qualify import QUALIFYING, qualifying, reached
from .quotable import quotable
from .quoting.answering_words import Spans, bold_figure, bold_of_list
from .quoting.passage_builder import PassageBuilder
from .said_first import said_first, said_last

_COMPARED = 0.95
"""Probability of a comparison of editions, which are identified from their names and dates."""
NAMED_NOWHERE = 0.05
"""Highest probability of an answer on a name that no document has."""
_NOISE, _NOISE_OF_ONE = 0.06, 0.01
"""Of a strange question, passages that are less likely to answer are not shown; the second is for a single word."""
_CERTAINLY = 3
"""Number of words from which on a question of which none stands in the documents is not answered, however likely."""


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
        return Response(status="none", first=said_first(understood), absent=understood.absent_words)
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
        return quotable(kb, chooser.among(part, candidates), understood)

    asked = [chooser.choose(text) for text in understood.parts]
    for at, own in enumerate(asked):
        if several and own.place is None:
            own = by_itself(kb, own, [*asked[:at], *asked[at + 1 :]], chooser)
        if whole is not None and own.place is None and whole.selection.probability > own.selection.probability:
            own = leaning(kb, own, whole)
        chosen.append(own)
    ordered = [quotable(kb, own.selection, understood) for own in chosen]
    own_units = shared_out(ordered)
    for at, own in enumerate(chosen):
        reserved = [unit for unit in (*own_units[:at], *own_units[at + 1 :]) if unit is not None]
        blocks.append(part_block(kb, understood, own, ordered[at], builder, blocks, evidence, among, reserved))
    selections = [one.selection for one in chosen]
    absent = absent_names(kb, understood.query, collections, understood.language)
    blocks = merged([_without_names(_capped(block, understood), absent) for block in blocks])
    blocks = [with_next(kb, understood, block, chosen, builder) for block in blocks]
    if not any(own.place for own in chosen):  # a section asked for by its number has a length of its own
        blocks = bridged(kb, blocks, builder)
    blocks = [with_figures(kb, understood, _marked(block, understood.language), builder) for block in blocks]
    blocks = [without_figure(block, understood.language) for block in blocks]
    if understood.strange is not None and is_noise(understood.strange, blocks):
        return Response(status="none", first=said_first(understood, nothing=True), absent=understood.absent_words)
    blocks, derogating = _derogated(kb, understood, blocks, builder, collections)
    answers = [block for block in blocks if block.finding == "answered"]
    quoted = [one for block in blocks for one in (*block.passages, *block.others)]
    beside = (*derogating, *(qualifying(selections, [*quoted, *derogating], builder) if answers else ()))[:QUALIFYING]
    led_to = reached([one for one in selections if one.status != "none"], [*quoted, *beside], builder)
    lacking = lacking_works(kb, understood.query, understood.language, blocks, evidence, collections)
    all_answered = len(answers) == len(blocks)
    return Response(
        status="answered" if all_answered else "partly" if answers else "none",
        probability=min((block.probability for block in blocks), default=0.0),
        first=(
            *(changed.first if changed is not None else ()),
            *said_first(understood, absent, _languages(kb, quoted), lacking, answered=all_answered),
        ),
        blocks=tuple(blocks),
        last=said_last(understood, absent) if all_answered else (),
        absent=understood.absent_words,
        qualifying=beside,
        reached=led_to,
        newest=_newest_read(kb, quoted),
    )


def _derogated(
    kb: KnowledgeBase,
    understood: Understood,
    blocks: Sequence[Block],
    builder: PassageBuilder,
    collections: Sequence[str],
) -> tuple[list[Block], list[QuotedPassage]]:
    """Return the blocks, and what derogates from their answers, each once and not if a block quotes it."""
    found = [derogated(kb, one, question_part(one.part, understood.language), builder, collections) for one in blocks]
    quoted = [one for block, _ in found for one in (*block.passages, *block.others)]
    beside: list[QuotedPassage] = []
    for one in (passage for _, passages in found for passage in passages):
        if not any(one.overlaps(other) for other in (*quoted, *beside)):
            beside.append(one)
    return [block for block, _ in found], beside


def is_noise(strange: Strange, blocks: Sequence[Block]) -> bool:
    """Return whether a question has no answer in the documents; a single word is often only another word for it."""
    if strange.words >= _CERTAINLY and not strange.only:
        return True
    least = _NOISE if strange.words > 1 else _NOISE_OF_ONE
    return all(block.probability < least for block in blocks)


def _newest_read(kb: KnowledgeBase, quoted: Sequence[QuotedPassage]) -> bool | None:
    documents = [kb.document(one) for one in dict.fromkeys(passage.evidence.document for passage in quoted)]
    return newest_read(documents, kb.documents(), {one.id: kb.validity_note(one.id) for one in documents})


def _languages(kb: KnowledgeBase, quoted: Sequence[QuotedPassage]) -> frozenset[str]:
    """Return the languages of what is quoted, judged for each document by all that is quoted of it."""
    texts: dict[str, str] = {}
    for one in quoted:
        texts[one.evidence.document] = f"{texts.get(one.evidence.document, '')} {one.text}"
    return frozenset(language_of_quotation(text, kb.document(own).language) for own, text in texts.items())


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
    return _unanswered(block, block.best if more else ())


def _without_names(block: Block, absent: Sequence[str]) -> Block:
    """Return the block without an answer, only with the closest passage, if its part has a name no document has."""
    if not any(name in block.part for name in absent):
        return block
    return _unanswered(block, block.best, NAMED_NOWHERE)


def _marked(block: Block, language: str) -> Block:
    """Return the block with words in bold only where they are likely to answer: in its best passage, if rated so.

    Of the other passages quoted, about one in five holds an answer. Where the best one is not likely to answer, only
    the figure asked for is bold.
    """
    part = question_part(block.part, language)
    listed = part.answer_type in WHOLE_LISTS
    if block.finding == "answered":
        passages = [one.model_copy(update={"bold": bold_of_list(one, listed=listed)}) for one in block.passages]
        return block.model_copy(update={"passages": tuple(passages)})
    likely = [one.probability for one in block.passages if block.finding != "none"]
    best = max(range(len(likely)), key=likely.__getitem__, default=-1)
    unsure = certainty(block.probability) != "likely"

    def bold(at: int, one: QuotedPassage) -> Spans:
        if at != best:
            return ()
        marked = one.model_copy(update={"bold": bold_of_list(one, listed=listed)})
        return bold_figure(marked, figure_needed(part)) if unsure else marked.bold

    passages = [one.model_copy(update={"bold": bold(at, one)}) for at, one in enumerate(block.passages)]
    return block.model_copy(update={"passages": tuple(passages)})


def _unanswered(block: Block, passages: tuple[QuotedPassage, ...], most: float = ELSEWHERE) -> Block:
    """Return the block without an answer, with these passages as the closest and ``most`` as its probability."""
    capped = {"finding": "none", "probability": min(block.probability, most), "passages": passages, "others": ()}
    return block.model_copy(update=capped)
