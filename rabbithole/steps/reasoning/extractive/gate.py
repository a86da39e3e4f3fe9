"""Decide without a model which references to follow, by their target's heading and their sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import GateCandidate, GateDecision
from rabbithole.steps.reasoning.text.aspects import is_formal
from rabbithole.steps.reasoning.text.sentences import sentence_at
from rabbithole.steps.reasoning.text.similarity import Meaning, coverage, matched
from rabbithole.steps.reasoning.text.terms import concepts, stem_set, stems
from rabbithole.steps.reasoning.text.topic_terms import task_matter

from .cited_work_relevance import is_worth_reading
from .understand import covered_terms

_NEAR, _FAR = 0.35, 0.15
_CLOSE_MEANING = 0.6
_GOOD_SOURCE = 0.45  # from this score of a passage on, its references are followed unless they are formal
PER_WAVE = 5
"""Maximum number of references followed per wave; the most promising ones are taken."""
CITED_A_WAVE = 2
"""Maximum number of works followed per wave because a sentence beside the answer cites them: each is searched."""
_COMPLETES = 0.5
_BESIDE = 90  # characters before and after a reference that are searched for its purpose
_LEAVES = re.compile(
    r"\b(?:nach(?: maßgabe)?|gemäß|entsprechend|im sinne|laut|abweichend von|vorbehaltlich|unbeschadet|in den fällen|"
    r"voraussetzungen|anforderungen|werte?|grenzwerte?|tabelle|anlage|wie in|"
    r"see|as (?:defined|specified|described|given|set out|required|stated|listed)|"
    r"defined|specified|described|given|listed|required|stated|set out|according to|pursuant to|in accordance with|"
    r"under|subject to|except(?:ions?)?|unless|notwithstanding|values?|limits?|requirements? (?:of|in)|"
    r"meets?)\b[^.;]*\Z",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\A[^.;]*\b(?:gilt|gelten|bleib\w*|anzuwenden|festgelegt|genannt\w*|bestimmt\w*|geregelt|beschrieben|applies|apply|"
    r"defines?|specif\w+|describes?|gives?|contains?|requires?|recommends?|lists?|says|shows)\b",
    re.IGNORECASE,
)
_MEANT = 8  # uncertain candidates per wave whose meaning is compared


def gate(anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate], meaning: Meaning) -> tuple[GateDecision, ...]:
    """Decide whether to follow each candidate: yes if heading or sentence match the question or the passage does.

    At most ``PER_WAVE`` candidates are followed.
    """
    task = task_matter(todo.text, anchor.language) if todo.id else ""
    wanted = stems(f"{anchor.query} {task} {' '.join(anchor.refinements)}", anchor.language)
    decided = [_by_words(anchor, wanted, candidate) for candidate in candidates]
    works = [position for position, decision in enumerate(decided) if decision is None and candidates[position].cited]
    bearing = (position for position in works if _is_worth_reading(anchor, todo, candidates[position], meaning))
    for position in islice(bearing, CITED_A_WAVE):
        decided[position] = _cited(anchor, candidates[position])
    open_ones = [position for position, decision in enumerate(decided) if decision is None]
    close = _by_meaning(anchor, [candidates[position] for position in open_ones[:_MEANT]], meaning)
    for rank, position in enumerate(open_ones):
        near = close[rank] if rank < len(close) else None
        decided[position] = _uncertain(anchor, candidates[position], near)
    return tuple(_bearing(anchor, candidates, [decision for decision in decided if decision is not None]))


def _is_worth_reading(anchor: Anchor, todo: Todo, candidate: GateCandidate, meaning: Meaning) -> bool:
    around = sentence_at(candidate.context, max(candidate.context.find(candidate.text), 0))
    part = todo.text or anchor.query
    return is_worth_reading(part, anchor.query, candidate.target, around, anchor.language, meaning)


def _cited(anchor: Anchor, candidate: GateCandidate) -> GateDecision:
    reason = phrase(anchor.language, "reasoning.follow_cited", target=_short(candidate.target))
    return GateDecision(id=candidate.id, follow=True, reason=reason)


def _about(candidate: GateCandidate) -> str:
    """Return what tells a place's subject: its document's title says nothing where the reference stands in it too."""
    return candidate.subject or candidate.target


def by_rule(anchor: Anchor, candidate: GateCandidate) -> GateDecision | None:
    """Return the decision to skip a formal section that the question does not name, or None for all other targets."""
    language = anchor.language
    if not is_formal(candidate.target) or stem_set(anchor.query, language) & stem_set(candidate.target, language):
        return None
    reason = phrase(language, "reasoning.skip_formal", target=_short(candidate.target))
    return GateDecision(id=candidate.id, follow=False, reason=reason)


def promise(anchor: Anchor, candidate: GateCandidate) -> float:
    """Return a first estimate of a reference's value: its passage's score plus the match of its target's heading."""
    asked, target = stem_set(anchor.query, anchor.language), stem_set(_about(candidate), anchor.language)
    return candidate.source_score + coverage(asked, target)


def _by_words(anchor: Anchor, wanted: Sequence[str], candidate: GateCandidate) -> GateDecision | None:
    """Return a decision based on shared words, or None if they leave it open."""
    language, everything = anchor.language, frozenset(wanted)
    asked = stem_set(anchor.query, language)
    target = stem_set(_about(candidate), language)
    formal = by_rule(anchor, candidate)
    if formal is not None:
        return formal
    hits = matched(tuple(dict.fromkeys(wanted)), target)
    if hits and coverage(asked, target) >= _FAR:
        terms = _named(anchor, todo_terms=hits, text=_about(candidate))
        reason = phrase(language, "reasoning.follow_target", target=_short(candidate.target), terms=terms)
        return GateDecision(id=candidate.id, follow=True, reason=reason)
    around = sentence_at(candidate.context, max(candidate.context.find(candidate.text), 0))
    found = stem_set(around, language) | stem_set(candidate.context, language)
    if coverage(everything, found) >= _NEAR:
        terms = _named(anchor, todo_terms=matched(tuple(dict.fromkeys(wanted)), found), text=candidate.context)
        return GateDecision(
            id=candidate.id, follow=True, reason=phrase(language, "reasoning.follow_context", terms=terms)
        )
    return None


def _named(anchor: Anchor, todo_terms: Sequence[str], text: str) -> str:
    """Return the question's concepts found in a text, in quotation marks, or the matching words if there are none."""
    named = covered_terms(anchor.concepts or concepts(anchor.query, anchor.language), text, anchor.language)
    if named:
        return ", ".join(f"„{term}“" if anchor.language == "de" else f'"{term}"' for term in named[:3])
    words = [word.strip(".,;:()") for word in text.split() if stem_set(word, anchor.language) & set(todo_terms)]
    return ", ".join(dict.fromkeys(words[:3])) or ", ".join(todo_terms[:3])


def _by_meaning(anchor: Anchor, candidates: Sequence[GateCandidate], meaning: Meaning) -> tuple[float, ...]:
    if not meaning.available or not candidates:
        return ()
    texts = [
        f"{candidate.target}: {sentence_at(candidate.context, max(candidate.context.find(candidate.text), 0))}"
        for candidate in candidates
    ]
    return meaning.similarity(anchor.query, texts)


def _uncertain(anchor: Anchor, candidate: GateCandidate, near: float | None) -> GateDecision:
    language = anchor.language
    around = sentence_at(candidate.context, max(candidate.context.find(candidate.text), 0))
    if candidate.source_score >= _GOOD_SOURCE:
        # The rest of the answer, a definition, an exception or a value may use other words than the question.
        key = "follow_completes" if completes(around, candidate.text) else "follow_unsure"
        return GateDecision(id=candidate.id, follow=True, reason=phrase(language, f"reasoning.{key}"))
    if near is None or near < _CLOSE_MEANING:
        target = _short(candidate.target or candidate.text)
        return GateDecision(id=candidate.id, follow=False, reason=phrase(language, "reasoning.skip_far", target=target))
    return GateDecision(id=candidate.id, follow=True, reason=phrase(language, "reasoning.follow_meaning"))


def _bearing(
    anchor: Anchor, candidates: Sequence[GateCandidate], decided: Sequence[GateDecision]
) -> list[GateDecision]:
    """Keep the ``PER_WAVE`` most promising references to follow: each costs reading and few add to the answer."""

    def merit(candidate: GateCandidate) -> float:
        around = sentence_at(candidate.context, max(candidate.context.find(candidate.text), 0))
        asked = stem_set(anchor.query, anchor.language)
        said = coverage(asked, stem_set(around, anchor.language))
        return promise(anchor, candidate) + said + _COMPLETES * completes(around, candidate.text)

    by_id = {candidate.id: candidate for candidate in candidates}
    wanted = [one.id for one in decided if one.follow]
    best = set(sorted(wanted, key=lambda name: (-merit(by_id[name]), wanted.index(name)))[:PER_WAVE])
    return [
        one
        if not one.follow or one.id in best
        else one.model_copy(update={"follow": False, "reason": phrase(anchor.language, "reasoning.skip_others")})
        for one in decided
    ]


def completes(sentence: str, reference: str) -> bool:
    """Return whether a sentence relies on the place it refers to for a rule, value, definition or exception."""
    at = sentence.find(reference)
    before, after = (sentence[:at], sentence[at + len(reference) :]) if at >= 0 else (sentence, sentence)
    return _LEAVES.search(before[-_BESIDE:]) is not None or _LEFT.search(after[:_BESIDE]) is not None


def _short(text: str, limit: int = 90) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
