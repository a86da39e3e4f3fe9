"""Which of the sentences kept answer a question best: what a report leads with.

A sentence is judged with the heading it stands under, because laws and standards say in the heading what the sentence
leaves out ("§ 33 Erteilung der Freigabe": "Die Behörde erteilt sie, wenn ..."). Words weigh by their rarity in the
collection; short sentences full of what is asked go before long ones that also mention it; meaning decides among the
best by words.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Mapping, Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.text.aspects import decisive, says
from rabbithole.steps.reasoning.text.similarity import Meaning, coverage, same_word
from rabbithole.steps.reasoning.text.tables import one_line
from rabbithole.steps.reasoning.text.terms import entities, stem_set, stems
from rabbithole.steps.reasoning.text.topic_terms import points, wanted
from rabbithole.steps.resolution_notes import standing_in

from .sentence_scores import CONTINUED, CONTINUING, is_quotable
from .statements import Spot, Statement

MEANT = 48  # statements whose meaning is compared: the best by words
_LONGEST_TITLE = 45
_HEADED = 0.55  # what a word of the question counts that only the heading has
_ROOM = 18  # stems; of longer sentences the rest counts against them
_WORDS, _HEADING, _MEANING, _EVIDENCE = 0.42, 0.25, 0.25, 0.08
_UNMARKED, _MARKED = 0.75, 1.15
_WHOLE, _POINTING = 0.4, 0.85  # of the weights of the whole question
_TELLING = 1.5  # weight of words from which a part says itself what it is about
_NAMED, _LEADING = 0.06, 0.04
_JOINED = 0.12
_AROUND = 160  # characters before and after a reference that say what it leads to
_OUTDATED = 0.8  # a document that was replaced, unless it is asked for by name
_BREAK = re.compile(r"[.;:]\s|,\s(?=\d+\.\s)|\b\d+\.\s")
_OUTWEIGHS = 1.3  # the heaviest word of a question is its subject when no other comes near
_BESIDE = 0.4  # what the words of a sentence count that does not name the subject
_TOGETHER = 3  # content words apart


class _Matter(Model):
    """What is asked: weight of each stem, names, and the marks an answer would have."""

    words: Mapping[str, float]
    subject: str
    pairs: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    marks: tuple[str, ...]


def statements(evidence: Sequence[Evidence], among: Sequence[Evidence] = ()) -> tuple[Statement, ...]:
    """Verified quotations; where a piece of evidence has none, its extracted information as plain words.

    Words of a document are taken once, from the best evidence that holds them, however many tasks read the place.
    ``among``: all evidence of the research, when ``evidence`` is a part of it.
    """
    found: dict[tuple[str, str], Statement] = {}
    searched = {(item.document, item.section) for item in (among or evidence) if not item.depth}
    for item in sorted(evidence, key=lambda item: (-item.score, item.depth, item.key)):
        quotes = [quote for quote in item.quotes if quote.verified] or list(item.quotes)
        for quote in quotes:
            if is_quotable(quote.text):
                text, lead = one_line(quote.text), one_line(quote.lead)
                direct = (item.document, item.section) in searched
                one = Statement(evidence=item, text=text, verbatim=True, lead=lead, direct=direct)
                found.setdefault((item.document, text), one)
        if not quotes and item.info.strip():
            text = " ".join(item.info.split())
            found.setdefault((item.document, text), Statement(evidence=item, text=text, verbatim=False))
    return tuple(found.values())


def place(evidence: Evidence) -> str:
    """Where a piece of evidence stands, as a heading would say it; a long title gives way to the file's name."""
    stem = evidence.short or evidence.file.rsplit(".", 1)[0].rsplit("/", 1)[-1]
    title = evidence.title if evidence.title and (len(evidence.title) <= _LONGEST_TITLE or not stem) else stem
    section = "" if evidence.section_label in (evidence.title, title) else evidence.section_label
    return ", ".join(part for part in (title, section) if part)


def rank(
    statements_: Sequence[Statement], question: str, task: str, language: str, meaning: Meaning
) -> list[Statement]:
    """The statements by how well they answer the task for the question, nearer evidence first among equals."""
    if not statements_:
        return []
    matter = _matter(question, task, language, statements_, meaning)
    led = _led_to(statements_)
    scores = [_by_words(item, matter, language, led.get(item.spot, "")) for item in statements_]
    scores = _with_meaning(task if task == question else f"{task} {question}", statements_, scores, meaning)
    rescored = [
        item.model_copy(update={"score": round(min(1.0, score * _marked(item, matter) * _standing(item, matter)), 4)})
        for item, score in zip(statements_, scores, strict=True)
    ]
    ranked = _continued(rescored, matter)
    return sorted(ranked, key=lambda item: (-item.score, item.evidence.depth, item.evidence.key, item.text))


def _matter(question: str, task: str, language: str, statements_: Sequence[Statement], meaning: Meaning) -> _Matter:
    own, whole = dict(wanted(task, language)), dict(wanted(question, language))
    # A part that points ('dafür', 'it') or names little has its matter in the whole question.
    share = _WHOLE if sum(own.values()) >= _TELLING and not points(task) else _POINTING
    weights = {stem: max(own.get(stem, 0.0), share * whole.get(stem, 0.0)) for stem in {**own, **whole}}
    rarity = meaning.rarity(weights, language, (item.text for item in statements_))
    words = {stem: weight * rarity[stem] ** 2 for stem, weight in weights.items()}
    first, second = heapq.nlargest(2, (*words.values(), 0.0, 0.0))
    return _Matter(
        words=words,
        subject=max(words, key=lambda stem: words[stem]) if first >= _OUTWEIGHS * second > 0 else "",
        pairs=tuple(itertools.combinations(weights, 2)),
        names=entities(task) or entities(question),
        marks=decisive(task) or decisive(question),
    )


def _led_to(statements_: Sequence[Statement]) -> Mapping[Spot, str]:
    """What was said where a reference led to each place: 'the exhaust system meets the requirements of § 11'."""
    said: dict[Spot, list[str]] = {}
    for item in statements_:
        said.setdefault(item.spot, []).append(item.text)
    led: dict[Spot, str] = {}
    for item in statements_:
        link = item.evidence.chain[-1] if item.evidence.chain else None
        # 'this Act' or '[12]' names a document: what is said beside it says nothing of one of its sections.
        if link is None or item.spot in led or link.kind not in ("legal_section", "section"):
            continue
        reference = " ".join(link.reference.split())
        if not any(character.isdigit() for character in reference):
            continue
        for text in said.get((link.document, link.section), ()):
            at = text.find(reference)
            if at >= 0:
                led[item.spot] = _clause(text, at, at + len(reference))
                break
    return led


def _clause(text: str, start: int, end: int) -> str:
    """The words around a reference, no further than the item or sentence it stands in."""
    before, after = text[:start][-_AROUND:], text[end:][:_AROUND]
    return f"{_BREAK.split(before)[-1]} {_BREAK.split(after)[0]}"


def _headed(evidence: Evidence) -> str:
    """The heading a statement stands under; the document's own title heads all of it, and so nothing in particular."""
    return "" if evidence.section_label == evidence.title else evidence.section_label


def _by_words(item: Statement, matter: _Matter, language: str, led: str) -> float:
    text, heading = stem_set(item.text, language), stem_set(_headed(item.evidence), language)
    own = coverage(matter.words, text)
    named_by = stem_set(f"{item.evidence.short or item.evidence.title} {led}", language)
    under = coverage(matter.words, text | heading | named_by)
    words = own + _HEADED * (under - own)
    words *= _ROOM / (_ROOM + 0.35 * max(0, len(text) - _ROOM))
    about = (
        _WORDS * words + _HEADING * _heading(heading, matter) + _JOINED * _joined(stems(item.text, language), matter)
    )
    if matter.subject and not coverage({matter.subject: 1.0}, text | heading | named_by):
        about *= _BESIDE
    leads = item.text.startswith("(1)")  # the rule comes first, what qualifies it after
    named = any(name in item.text or name in place(item.evidence) for name in matter.names)
    return about + _EVIDENCE * item.evidence.score + _NAMED * named + _LEADING * leads


def _joined(found: Sequence[str], matter: _Matter) -> float:
    """How many of the question's words stand together here: 'erteilt die Freigabe'."""
    places = {stem: [at for at, other in enumerate(found) if same_word(stem, other)] for stem in matter.words}
    total = reached = 0.0
    for first, second in matter.pairs:
        weight = matter.words.get(first, 0.0) * matter.words.get(second, 0.0)
        total += weight
        close = any(abs(one - other) <= _TOGETHER for one in places.get(first, ()) for other in places.get(second, ()))
        reached += weight * close
    return reached / total if total else 0.0


def _heading(heading: frozenset[str], matter: _Matter) -> float:
    """How much of a heading is about the question, and how much of the question is in the heading: F-measure."""
    about = {stem for stem in heading if not stem.isdigit()}
    if not about:
        return 0.0
    precision = sum(coverage({stem: 1.0}, frozenset(matter.words)) for stem in about) / len(about)
    recall = coverage(matter.words, frozenset(about))
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def _with_meaning(
    query: str, statements_: Sequence[Statement], scores: Sequence[float], meaning: Meaning
) -> list[float]:
    """Meaning of the best by words; the others get what the least near of them got."""
    found = list(scores)
    if not meaning.available:
        return [score / (1 - _MEANING) for score in found]
    order = sorted(range(len(found)), key=lambda position: (-found[position], position))[:MEANT]
    texts = [f"{_headed(statements_[at].evidence)}: {statements_[at].text}" for at in order]
    near = meaning.similarity(query, texts)
    least = min(near, default=0.0)
    for position in range(len(found)):
        found[position] += _MEANING * least
    for at, value in zip(order, near, strict=True):
        found[at] += _MEANING * (value - least)
    return found


def _marked(item: Statement, matter: _Matter) -> float:
    if not matter.marks:
        return 1.0
    share = sum(says(mark, item.text) for mark in matter.marks) / len(matter.marks)  # type: ignore[arg-type]
    return _UNMARKED + (_MARKED - _UNMARKED) * share


def _standing(item: Statement, matter: _Matter) -> float:
    asked_for = any(name in place(item.evidence) for name in matter.names)
    return _OUTDATED if standing_in(item.evidence.note) and not asked_for else 1.0


def _continued(items: Sequence[Statement], matter: _Matter) -> list[Statement]:
    """A sentence with the marks of what is asked belongs to the best one of its section, whatever it names."""
    special = [aspect for aspect in CONTINUING if aspect in matter.marks]
    best: dict[tuple[str, str], float] = {}
    for item in items:
        spot = (item.evidence.document, item.evidence.section_label)
        best[spot] = max(best.get(spot, 0.0), item.score)
    return [
        item.model_copy(
            update={"score": max(item.score, CONTINUED * best[item.evidence.document, item.evidence.section_label])}
        )
        if any(says(aspect, item.text) for aspect in special)
        else item
        for item in items
    ]
