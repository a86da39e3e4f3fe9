"""Chooses what answers each part of a question from the places named, found by search or reached by references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter
from rabbithole.steps.models import Evidence
from rabbithole.steps.question import NamedPlace, Understood, is_compared
from rabbithole.steps.reasoning.parts.completed_parts import completed
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.reasoning.text.topic_terms import points
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, Selection, gather, question_part, select
from rabbithole.steps.selection.text_vectors import TextVectors

LONGEST_CONTEXT = 1500
FEW, LEANS = 3, 2.0
"""A part with fewer than ``FEW`` own words also needs the rest of the question, whose weights are then multiplied."""
FOLLOWED_RANK, FOLLOWED = 5, 0.5
"""A place reached by a reference has no search rank: it counts as the sixth result, with half of its reading score."""
ELSEWHERE = 0.2
"""How much likelier an answer outside the documents of the answer before must be, to be given instead of one in them.

Of 14 follow-ups that are answered from the right document, the collection had at most 0.15 more.
"""


@dataclass(frozen=True)
class Chosen:
    """What was chosen for one part of the question, and the section this part names (if any)."""

    text: str
    selection: Selection
    candidates: tuple[AnswerCandidate, ...]
    place: NamedPlace | None


class Chooser:
    """Chooses an answer for each part from the places named, found by search or reached by references."""

    def __init__(
        self,
        kb: KnowledgeBase,
        understood: Understood,
        collections: Sequence[str],
        filters: Sequence[Filter],
        followed: Sequence[AnswerCandidate],
        vectors: TextVectors | None = None,
    ) -> None:
        self._kb, self._understood, self._collections = kb, understood, collections
        self._filters, self._followed = filters, followed
        self._vectors = vectors or TextVectors.of(kb)

    def choose(self, text: str) -> Chosen:
        place = self._place(text)
        part = self._part(text, place)
        led = self._led(text, part) if place is None else None
        candidates = self._candidates(part, place)
        selection = self._surer(part, candidates) if place is None else self.among(part, candidates)
        dated = self._understood.preferred and all(name.isdigit() for name in self._understood.names)
        if dated and selection.status == "none":  # a year may be the date of an event rather than of an edition
            everywhere = (*self._found(part), *self._followed)
            wider = self.among(part, everywhere)
            if wider.probability > selection.probability:
                return Chosen(text, wider.model_copy(update={"status": "none"}), everywhere, place)
        if led is not None and keeps_to(led.selection, selection):
            return led
        titled = self._titled(text, part) if place is None and led is None else None
        if titled is not None and titled.selection.probability > selection.probability:
            return titled
        chosen = Chosen(text, selection, candidates, place)
        if place is not None and place.text not in text and selection.status != "answered":
            return self._likelier_elsewhere(chosen)
        return chosen

    def _likelier_elsewhere(self, inside: Chosen) -> Chosen:
        """Return what answers outside the section that another part names, if that is likelier than what is in it.

        "What does § 12 say, and who tests the filters?" may ask for two places.
        """
        part = self._part(inside.text, None)
        candidates = self._candidates(part, None)
        selection = self.among(part, candidates)
        if selection.probability <= inside.selection.probability:
            return inside
        return Chosen(inside.text, selection, candidates, None)

    def _surer(self, part: QuestionPart, candidates: Sequence[AnswerCandidate]) -> Selection:
        """Return what answers a part; places that references led to never make it less likely."""
        selection = self.among(part, candidates)
        found = [one for one in candidates if one not in self._followed]
        if len(found) == len(candidates):
            return selection
        return likelier(selection, self.among(part, found))

    def alone(self, text: str, subject: str = "") -> Chosen:
        """Choose for a part that names no place, without the context of the rest of the question.

        ``subject`` is the part completed with the subject it refers to, whose words stay its context.
        """
        part = self._part(text, None)
        known = stem_set(subject, self._understood.language)
        context = tuple(one for one in part.context if one.stem in known)
        part = part.model_copy(update={"whole": subject, "context": context, "queries": (subject or part.queries[0],)})
        candidates = self._candidates(part, None)
        return Chosen(text, self.among(part, candidates), candidates, None)

    def alone_about(self, text: str) -> Chosen | None:
        """Choose for a part with only the subject of the rest of the question; None if the part has its own."""
        parts = self._understood.parts
        full = dict(zip(parts, completed(parts, self._understood.language), strict=True)).get(text, text)
        return None if full == text else self.alone(text, full)

    def asked(self, text: str) -> tuple[QuestionPart, tuple[AnswerCandidate, ...]]:
        """Return a part of the question, analysed, with the candidates that may answer it."""
        place = self._place(text)
        part = self._part(text, place)
        return part, self._candidates(part, place)

    def _led(self, text: str, part: QuestionPart) -> Chosen | None:
        """Choose from the leading documents only; whether this result is kept, ``keeps_to`` decides."""
        understood = self._understood
        if not understood.leading or understood.documents or understood.preferred:
            return None
        return self._within(text, part, understood.leading)

    def _titled(self, text: str, part: QuestionPart) -> Chosen | None:
        """Choose from documents whose titles only hold ordinary nouns of the question.

        They are about it, but so may be others: the caller takes this result only if it is the likelier one. Within
        them these nouns tell no passage from another.
        """
        understood = self._understood
        if not understood.titled or understood.documents or understood.preferred:
            return None
        titles = [stem_set(self._kb.document(one).title, understood.language) for one in understood.titled]
        terms = tuple(one for one in part.terms if any(one.stem not in title for title in titles))
        return self._within(text, part.model_copy(update={"terms": terms or part.terms}), understood.titled)

    def _within(self, text: str, part: QuestionPart, documents: Sequence[str]) -> Chosen:
        own = part.model_copy(update={"documents": tuple(documents)})
        followed = [one for one in self._followed if one.document in documents]
        candidates = (*self._found(own), *followed)
        return Chosen(text, self.among(own, candidates), candidates, None)

    def among(self, part: QuestionPart, candidates: Sequence[AnswerCandidate]) -> Selection:
        """Return what answers ``part`` among these candidates alone."""
        return select(self._kb, part, candidates, vectors=self._vectors)

    def _place(self, text: str) -> NamedPlace | None:
        """Return the section that this part of the question names, or else one that another part names."""
        opened = self._understood.opened
        own = [place for place in opened if place.text in text]
        return next(iter(own or opened), None)

    def _part(self, text: str, place: NamedPlace | None) -> QuestionPart:
        understood = self._understood
        several = len(understood.parts) > 1 or points(text) or understood.query.strip(" ?") != text
        whole = " ".join((understood.query, *understood.said)) if several or understood.said else ""
        if is_compared(text, understood.query, understood.language):
            whole = ""
        documents = (place.document,) if place and place.document else understood.documents
        queries = (text, understood.query) if whole and not understood.long else (text,)
        part = question_part(
            text, understood.language, whole=whole[:LONGEST_CONTEXT], documents=documents, queries=queries
        )
        scope = frozenset(understood.names) | _naming(text, understood)
        terms, context = (tuple(one for one in own if one.stem not in scope) for own in (part.terms, part.context))
        if len(terms) < FEW or points(text):
            context = tuple(one.model_copy(update={"weight": LEANS * one.weight}) for one in context)
        return part.model_copy(update={"terms": terms, "context": context}) if terms or context else part

    def _candidates(self, part: QuestionPart, place: NamedPlace | None) -> tuple[AnswerCandidate, ...]:
        named = [_named(self._kb, one) for one in self._understood.opened]
        if place is not None:
            return tuple(one for one in named if one.document == place.document) or tuple(named)
        followed = self._followed
        if preferred := self._understood.preferred:
            part = part.model_copy(update={"documents": preferred})
            followed = [one for one in followed if one.document in preferred]
        # Followed places come last, so that a place the search also found keeps its rank from the search.
        return (*self._found(part, named), *followed)

    def _found(self, part: QuestionPart, further: Sequence[AnswerCandidate] = ()) -> tuple[AnswerCandidate, ...]:
        """Return what the search finds for a part, after ``further`` candidates."""
        reader = self._vectors.answer_reader
        return gather(self._kb, part, self._collections, filters=self._filters, further=further, reader=reader)


def keeps_to(led: Selection, found: Selection) -> bool:
    """Return whether a follow-up keeps to what the documents of the answer before say.

    They are likelier to be meant. What was ``found`` in the whole collection is given instead if it is an answer and
    theirs is none, or if it is likelier by more than ``ELSEWHERE``.
    """
    if not led.units or (found.status == "answered" and led.status != "answered"):
        return False
    return led.probability + ELSEWHERE >= found.probability


def likelier(selection: Selection, without: Selection) -> Selection:
    """Return a selection, or, if what was chosen without the places reached is likelier, that one with them after it.

    A second passage as good as the first is no reason to doubt it, nor to leave the second out.
    """
    if without.probability <= selection.probability:
        return selection
    first = without.units[: max(1, without.shown)]
    own = [one.unit for one in first]
    others = [one for one in selection.units if one.unit not in own]
    return without.model_copy(update={"units": (*first, *others)})


def _naming(text: str, understood: Understood) -> frozenset[str]:
    """Return the stems of the words that only name a document that is held; they are no subject words."""
    rest, names = text, ""
    for place in understood.places:
        if place.document is not None and place.text in rest:
            rest, names = rest.replace(place.text, " "), f"{names} {place.text}"
    return stem_set(names, understood.language) - stem_set(rest, understood.language)


def _named(kb: KnowledgeBase, place: NamedPlace) -> AnswerCandidate:
    """Return the named section with its subsections, or the exact place within it."""
    section = kb.section_by_id(place.section or "")
    narrow = place.start is not None and place.end is not None and place.end > place.start
    start, end = (place.start, place.end) if narrow else (section.start, section.end)
    return AnswerCandidate(document=section.document, start=start or 0, end=end or 0, score=1.0, origin="named")


def followed_to(evidence: Sequence[Evidence]) -> tuple[AnswerCandidate, ...]:
    """Return the places that references led to, each once."""
    return led_to([one for one in evidence if one.depth])


def led_to(evidence: Sequence[Evidence]) -> tuple[AnswerCandidate, ...]:
    """Return these places as candidates that a reference leads to, each once."""
    spans = {(one.document, one.start, one.end): one for one in evidence if not one.external and one.end > one.start}
    return tuple(
        AnswerCandidate(
            document=one.document,
            start=one.start,
            end=one.end,
            rank=FOLLOWED_RANK,
            score=FOLLOWED * one.score,
            origin="followed",
        )
        for one in spans.values()
    )
