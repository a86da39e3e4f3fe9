"""Score sentences against a question and a task; extraction and analysis without a model rest on these scores."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.reasoning.protocol import Passage
from rabbithole.steps.reasoning.text.aspects import Aspect, asked_aspects, says
from rabbithole.steps.reasoning.text.markdown_tables import is_table
from rabbithole.steps.reasoning.text.prompt_injection import addresses_model, has_markup
from rabbithole.steps.reasoning.text.sentences import LONGEST, Sentence, sentences_after
from rabbithole.steps.reasoning.text.similarity import Meaning, coverage, weights
from rabbithole.steps.reasoning.text.terms import entities, stem_set
from rabbithole.steps.reasoning.text.topic_terms import task_matter, wanted

from .source_lines import section_of

MEANT = 4  # sentences per call whose meaning is compared if words do not decide; embedding takes most of the time
_TASK_SHARE = 0.45
_UNMARKED, _MARKED = 0.72, 1.25  # factors for a sentence with none and with all of the aspects asked for
_ENTITY_BONUS = 0.1
_SURE = 0.55
CONTINUED = 0.65  # share of its passage's best score for a sentence that continues it
CONTINUING: tuple[Aspect, ...] = ("exceptions", "conditions")
_DRAWN = re.compile(r"[-=+|_*~.]{3,}|-+>|<-+|\s[|+]\s|\s={2,}")
_DRAWING = 3  # number of matches from which a text counts as a drawing
_DEBRIS = re.compile(r"(?:[.…·]\s?){5,}|(?:\b[A-ZÄÖÜ]\s){5,}")
_HEADING = re.compile(
    r"\A\s*(?:#{1,6}\s|§§?\s?\d|Art(?:ikel|\.)?\s\d|Anlage\s|Anhang\s|Annex\s|\d+(?:\.\d+)*\.?\s+(?:\|\s)?[A-ZÄÖÜ])"
)
_EDITORIAL = re.compile(r"\s*\((?:Fundstelle:|\+\+\+|zu § )")  # the publisher's note on where a text was published


class Scored(Model):
    """A sentence of a passage. ``score`` is how well it answers, ``words`` its share of the asked words, both 0-1."""

    passage: int
    sentence: Sentence
    score: float
    words: float


def is_statement(sentence: Sentence) -> bool:
    """Return whether a sentence is worth quoting."""
    return is_quotable(sentence.text)


def is_quotable(text: str) -> bool:
    """Return whether a text is worth quoting, unlike headings, markup, drawings made of characters and fragments."""
    if has_markup(text) or is_debris(text) or _EDITORIAL.match(text):
        return False
    if is_table(text):
        return True
    if len(_DRAWN.findall(text)) >= _DRAWING:
        return False
    flat = " ".join(text.split())
    letters = sum(character.isalpha() for character in flat)
    if len(flat) < 30 or letters < 0.5 * len(flat) or len(flat.split()) < 5:
        return False
    return not (_HEADING.match(flat) and len(flat) < 120 and not flat.endswith((".", ";", ":")))


def is_debris(text: str) -> bool:
    """Return whether a text has the leader dots of a table of contents, or the spaced capitals of a title page."""
    return _DEBRIS.search(text) is not None


def _cut_off(sentence: Sentence, begins: int, text: str) -> bool:
    """Return whether the passage begins in the middle of this sentence: 'dieses Gesetzes, insbesondere ...'"""
    return not text[begins : sentence.start].strip() and sentence.text[:1].islower() and sentence.text[1:2] not in ").("


def _tainted(sentence: Sentence, text: str) -> bool:
    """Return whether a sentence is in a paragraph that addresses a model, which is never used as information."""
    first = text.rfind("\n\n", 0, sentence.start) + 1
    last = text.find("\n\n", sentence.end)
    return addresses_model(text[first : last if last >= 0 else len(text)])


def heading_end(passage: Passage) -> int:
    """Return the offset at which a passage's text begins after its heading, taken from ``where``; 0 without one."""
    label = section_of(passage.where)
    if not label:
        return 0
    # The text may have "5. Certificate URLs" for "5 Certificate URLs".
    pattern = r"\s*(?:#{1,6}\s)?" + r"\s+".join(rf"{re.escape(word)}\.?" for word in label.split())
    match = re.match(pattern, passage.text)
    return match.end() if match else 0


def score_sentences(
    question: str, task: str, language: str, passages: Sequence[Passage], meaning: Meaning
) -> tuple[Scored, ...]:
    """Return every quotable sentence of the passages with its score, in order of appearance."""
    units = [
        (index, sentence)
        for index, passage in enumerate(passages)
        for begins in [heading_end(passage)]
        for sentence in sentences_after(passage.text, begins)
        if is_statement(sentence)
        and not _cut_off(sentence, begins, passage.text)
        and not _tainted(sentence, passage.text)
    ]
    if not units:
        return ()
    rarity = weights((sentence.text for _, sentence in units), language)
    matter, near_matter = dict(wanted(question, language)), dict(wanted(task_matter(task, language), language))
    names = entities(f"{question} {task}")
    aspects = _decisive(asked_aspects(task) or asked_aspects(question))
    headings = [stem_set(passage.where, language) for passage in passages]
    scored: list[Scored] = []
    for index, sentence in units:
        found = stem_set(sentence.text, language)
        own = coverage(matter, found, rarity)
        near = coverage(near_matter, found, rarity) if near_matter != matter else own
        words = (1 - _TASK_SHARE) * own + _TASK_SHARE * near
        # The heading tells what a sentence is about: 'Sie ist schriftlich zu erteilen.' under 'Berufslebensdosis'.
        context = 0.35 * max(coverage(matter, headings[index]), coverage(near_matter, headings[index]))
        names_it = _ENTITY_BONUS * any(name in sentence.text or name in passages[index].where for name in names)
        base = _raise(words) + (context + names_it) * (0.4 + 0.6 * min(1.0, 2 * words))
        score = min(1.0, base * _marks(sentence.text, aspects)) * _length(sentence)
        scored.append(Scored(passage=index, sentence=sentence, score=round(score, 4), words=round(words, 4)))
    scored = _continued(scored, aspects)
    if all(passage.depth > 0 for passage in passages):
        return tuple(scored)  # reached by references: the gate has judged their meaning, and embedding costs the most
    return _with_meaning(f"{question} {task}" if task != question else question, scored, meaning)


def _continued(scored: list[Scored], aspects: Sequence[Aspect]) -> list[Scored]:
    """Raise sentences with an exception or condition that was asked for to a share of their passage's best score.

    Such a sentence often does not name the subject: 'The authority may permit more in a single case.'
    """
    best: dict[int, float] = {}
    for item in scored:
        best[item.passage] = max(best.get(item.passage, 0.0), item.score)
    special = [aspect for aspect in aspects if aspect in CONTINUING]
    if not special:
        return scored
    return [
        item.model_copy(update={"score": round(max(item.score, CONTINUED * best[item.passage]), 4)})
        if any(says(aspect, item.sentence.text) for aspect in special)
        else item
        for item in scored
    ]


def _decisive(aspects: Sequence[Aspect]) -> tuple[Aspect, ...]:
    """Drop the aspect 'values' if the question has others: 'Grenzwert' may just be its subject."""
    return tuple(aspect for aspect in aspects if aspect != "values") or tuple(aspects)


def _marks(text: str, aspects: Sequence[Aspect]) -> float:
    if not aspects:
        return 1.0
    share = sum(says(aspect, text) for aspect in aspects) / len(aspects)
    return _UNMARKED + (_MARKED - _UNMARKED) * share


def _raise(words: float) -> float:
    """Raise medium scores: a sentence with half of the question's weight is already a good one."""
    return float(min(1.0, 1.1 * words**0.8))


def _length(sentence: Sentence) -> float:
    """Return a factor that lowers very short and very long sentences."""
    size = len(sentence.flat)
    if size < 60:
        return 0.8
    return 1.0 if size <= LONGEST else 0.85


def _with_meaning(query: str, scored: list[Scored], meaning: Meaning) -> tuple[Scored, ...]:
    """Raise the best sentences by similarity of meaning if no score by words is high enough."""
    if not meaning.available or max(item.score for item in scored) >= _SURE:
        return tuple(scored)
    ranked = sorted(range(len(scored)), key=lambda position: (-scored[position].score, position))[:MEANT]
    values = meaning.similarity(query, [scored[position].sentence.flat for position in ranked])
    for position, value in zip(ranked, values, strict=True):
        item = scored[position]
        scored[position] = item.model_copy(update={"score": round(max(item.score, 0.5 * item.score + 0.5 * value), 4)})
    return tuple(scored)
