"""Finds the places that derogate from a quoted passage: the references to it, read backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Place, Resolution, Section
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.terms import stems
from rabbithole.steps.response.caveat import caveat
from rabbithole.steps.response.models import Block, QuotedPassage
from rabbithole.steps.response.part_context import own_words, rarest_of, said_in
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.selection import QuestionPart, RankedUnit
from rabbithole.steps.selection.matching import Matcher
from rabbithole.steps.selection.models import AnswerUnit

from .derogates import derogates, may_derogate

MOST = 2
"""Most derogations shown below an answer, and most shown if none has a word of the question that the answer lacks."""
DEROGATED = 0.2
"""Highest probability of an answer if a derogation from it has more words of the question."""
_LOOKED_UP = ("", "response.likely", "response.closest")
"""Sentences above passages for which it is looked up what derogates from them."""
_LIKELY = 0.45
"""Probability from which on a passage is taken for the answer when it is asked what derogates from it."""
_BESIDE, _OPENING = 2, 400
"""A section whose neighbours name the matter is about it, too: so many on each side, so many characters of each."""
_BETTER = 0.2
"""Least difference in how well a word is expressed: 'Krankenversicherung' itself, or only 'Versicherer'."""
_RARE = 0.5
"""Least rarity of a word that counts where only a neighbour has it."""


class Derogation(NamedTuple):
    """A sentence that derogates from a passage, and the reference by which it names the passage."""

    section: Section
    start: int
    end: int
    text: str
    reference: str


def derogated(
    kb: KnowledgeBase, block: Block, part: QuestionPart, builder: PassageBuilder, collections: Sequence[str] = ()
) -> tuple[Block, tuple[QuotedPassage, ...]]:
    """Return a block and what derogates from its answer; the block is no certain answer if that fits the question more.

    Below a passage that only may answer, a derogation needs a word of the question itself; of one that is less likely
    to answer, nothing is looked up. A derogation that stands among the next best passages is taken from them.
    """
    if not block.passages or caveat(block) not in _LOOKED_UP:
        return block, ()
    answering = block.passages if block.finding == "answered" else block.best
    bears = _Bearing(kb, part)
    found: dict[tuple[str, int], Derogation] = {}
    for passage in answering:
        for one in derogations_from(kb, passage, collections):
            if not any(shown.meets(one.section.document, one.start, one.end) for shown in answering):
                found.setdefault((one.section.document, one.start), one)
    likely = block.finding == "answered" or block.probability >= _LIKELY
    kept, beside = bears.those(list(found.values()), answering, likely=likely)
    if not kept:
        return block, ()
    if any(bears.fits_more(one, answering, beside=beside) for one in kept):
        finding = "closest" if block.finding == "answered" else block.finding
        block = block.model_copy(update={"finding": finding, "probability": min(block.probability, DEROGATED)})
    others = (
        shown
        for shown in block.passages
        if shown in answering or not any(shown.meets(one.section.document, one.start, one.end) for one in kept)
    )
    block = block.model_copy(update={"passages": tuple(others)})
    return block, tuple(_passage(kb, one, builder) for one in kept)


def derogations_from(
    kb: KnowledgeBase, passage: QuotedPassage, collections: Sequence[str] = ()
) -> Iterator[Derogation]:
    """Yield the sentences that derogate from a passage, those of its own section first."""
    document, own = passage.evidence.document, passage.evidence.section
    if own is None:
        return
    citing = kb.cited_by(document, own, wait=False)
    inside = [one for one in citing if not collections or kb.document(one.document).collection in collections]
    for place in dict.fromkeys((own, *(one.section for one in inside if one.section))):
        section = kb.section_by_id(place)
        text = kb.text(section.document, section.start, section.own_end)
        if not may_derogate(text) or (section.document != document and kb.validity_note(section.document)):
            continue
        for sentence in sentences(text):
            start, end = section.start + sentence.start, section.start + sentence.end
            for reference in kb.references(section.document, start, end) if may_derogate(sentence.text) else ():
                if not derogates(sentence.text, reference.start - start, reference.end - start):
                    continue
                at = Place(document=section.document, section=place, offset=reference.start)
                found = kb.resolve(reference, at=at, collections=collections)
                if found.document == document and found.section and _meets(kb, found, passage):
                    yield Derogation(section, start, end, sentence.text, " ".join(reference.text.split()))
                    break


def _meets(kb: KnowledgeBase, found: Resolution, passage: QuotedPassage) -> bool:
    """Return whether the place a reference leads to is quoted in the passage, at least in part."""
    section = kb.section_by_id(found.section or "")
    start = section.start if found.start is None else found.start
    end = section.end if found.end is None else found.end
    return passage.meets(section.document, start, end)


def _passage(kb: KnowledgeBase, one: Derogation, builder: PassageBuilder) -> QuotedPassage:
    document, section = one.section.document, one.section.id
    page, _ = kb.page_of(document, one.start)
    unit = AnswerUnit(document=document, section=section, page=page, start=one.start, end=one.end, text=one.text)
    passage = builder.passage(RankedUnit(unit=unit, score=0.0, probability=0.0), "exception")
    return passage.model_copy(update={"derogates_from": one.reference})


class _Bearing:
    """Decides which derogations bear on a part of the question."""

    def __init__(self, kb: KnowledgeBase, part: QuestionPart) -> None:
        self._kb, self._part, self._words = kb, part, own_words(kb, part)

    def those(
        self, found: Sequence[Derogation], quoted: Sequence[QuotedPassage], *, likely: bool
    ) -> tuple[list[Derogation], bool]:
        """Return those with a word of the question that what is quoted lacks, or else all, if they are few.

        Also returns whether the words of neighbours count.

        Where none has such a word itself, those count whose neighbours have a rare one: many laws print no chapters.
        Both hold only for what is quoted as a ``likely`` answer.
        """
        said = self._words.strengths(stems(self._quoted(quoted), self._part.language))
        for beside in (False, True) if likely else (False,):
            shares = {one: self._gained(said, one, beside=beside) for one in found}
            near = sorted((one for one in found if shares[one] > 0.0), key=lambda one: -shares[one])
            if near:
                return near[:MOST], beside
        return (list(found) if likely and len(found) <= MOST else []), likely

    def _gained(self, said: Mapping[str, float], one: Derogation, *, beside: bool) -> float:
        """Return the weight of the question's words that a derogation expresses clearly better than what is quoted."""
        own = self._words.strengths(stems(self._about(one, beside=beside), self._part.language))
        better = (term for term in own if own[term] > said.get(term, 0.0) + _BETTER)
        return sum(self._words.weights[term] for term in better)

    def fits_more(self, one: Derogation, quoted: Sequence[QuotedPassage], *, beside: bool) -> bool:
        """Return whether a derogation has more of the question's words than what is quoted, or alone the rarest.

        '§ 8 does not apply to schools' has few words, as it says the others by its reference.
        """
        own, shown, language = self._about(one, beside=beside), self._quoted(quoted), self._part.language
        return any(
            said_in(words, own, language) > said_in(words, shown, language)
            for words in (self._words, rarest_of(self._words))
        )

    def _quoted(self, passages: Sequence[QuotedPassage]) -> str:
        """Return what is quoted, with the headings above it."""
        above = (self._above(one.evidence.document, one.evidence.section) for one in passages)
        return " ".join(f"{place} {one.head} {one.text}" for place, one in zip(above, passages, strict=True))

    def _about(self, one: Derogation, *, beside: bool) -> str:
        """Return a derogation with the headings above it, and rare words of the question beside it if they count."""
        own = f"{self._above(one.section.document, one.section.id)} {one.text}"
        return f"{own} {' '.join(self._rare_beside(one.section))}" if beside else own

    def _above(self, document: str, section: str | None) -> str:
        labels = [self._kb.document(document).title]
        while section is not None:
            held = self._kb.section_by_id(section)
            labels.append(held.label)
            section = held.parent
        return " ".join(labels)

    def _rare_beside(self, section: Section) -> Iterator[str]:
        """Yield the rare words of the question that the sections beside one begin with, as stems."""
        language = self._part.language
        rare = {term: 1.0 for term in self._words.weights if self._kb.rarity(term, language) >= _RARE}
        outline = self._kb.outline(section.document)
        for one in outline[max(0, section.index - _BESIDE) : section.index + _BESIDE + 1]:
            if one.id != section.id and rare:
                text = self._kb.text(one.document, one.start, min(one.own_end, one.start + _OPENING))
                yield from Matcher(rare).strengths(stems(text, language))
