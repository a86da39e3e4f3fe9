"""Plan tasks without a model: the parts of the question, and what the passages found say that may change its answer.

A definition, an exception or a condition becomes a task only if a passage close to the question states it. Without any
of these the plan is the question alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.parts.completed_parts import completed
from rabbithole.steps.reasoning.parts.question_parts import question_parts
from rabbithole.steps.reasoning.protocol import Passage, TodoDraft
from rabbithole.steps.reasoning.text.aspects import Aspect, asked_aspects, names_conditions
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.similarity import coverage, matched
from rabbithole.steps.reasoning.text.terms import entities, stem_set, stems
from rabbithole.steps.reasoning.text.topic_terms import matter_terms, subject, task_matter, wanted, without_source

from .sentence_scores import is_quotable
from .source_lines import clipped, for_people
from .understand import distinct

_QUESTION_WORD = re.compile(
    r"\b(?:welche[rsnm]?|wer|wie|was|wann|wo\w*|warum|ob|what|which|who|when|where|why|how)\b", re.IGNORECASE
)
_DEFINES = re.compile(
    r"\b(?:means|(?:is|are) defined as|refers to|denotes|im Sinne (?:dieses|dieser|des|der)|bezeichnet|gilt als|"
    r"gelten als)\b|(?<=[\w\"“”)]):\s",
    re.IGNORECASE,
)
_LIMITS: Mapping[Aspect, re.Pattern[str]] = {
    "exceptions": re.compile(
        r"\b(?:unless|except(?:ion|ions|ional\w*)?|exempt\w*|does not apply|do not apply|notwithstanding|abweichend|"
        r"ausgenommen|ausnahm\w*|gilt nicht|gelten nicht|findet keine|es sei denn|entfällt|entfallen|befreit)\b",
        re.IGNORECASE,
    ),
    "conditions": re.compile(
        r"\b(?:only (?:if|when|where)|provided that|on condition that|nur(?: dann)?,? (?:wenn|soweit|sofern)|sofern|"
        r"vorausgesetzt|setzt voraus)\b",
        re.IGNORECASE,
    ),
}
_NEAR = 0.5
"""Least share of the question's words in a passage, of those in the best passage, for the passage to count."""
_SAID = 0.3
"""Least share of the question's words in a sentence that becomes a task."""
_LEAST_WORDS = 2
_SPECIFIC = 10
"""Least length of a single word to be looked up as a term."""
_FIGURES = 0.1
"""Largest share of digits in a statement; a line of a form or table has more."""
_SHOWN = 140


class _Statement(NamedTuple):
    passage: Passage
    sentence: str
    near: float


def plan(anchor: Anchor, passages: Sequence[Passage], wanted_tasks: int) -> tuple[TodoDraft, ...]:
    """Return at most ``wanted_tasks`` specific tasks, without the question itself, which is task 0."""
    language = anchor.language
    parts = question_parts(anchor.query, language)
    asked = {
        aspect for aspect in asked_aspects(anchor.query) if aspect != "conditions" or names_conditions(anchor.query)
    }
    drafts: list[TodoDraft] = []
    if len(parts) > 1:
        main = _subject(anchor) if language == "de" else ""
        why = phrase(language, "reasoning.why_question")
        drafts += [
            TodoDraft(text=_as_question(whole, main if whole == part else ""), context=why, origin="part")
            for part, whole in zip(parts, completed(parts, language), strict=True)
        ]
    said = list(_statements(anchor, passages))
    if "definitions" not in asked:
        drafts += _definition(anchor, said)
    for aspect, words in _LIMITS.items():
        if aspect not in asked:
            drafts += _limit(anchor, aspect, words, said)
    unique = {draft.text: draft for draft in drafts}
    return tuple(unique.values())[:wanted_tasks]


def _subject(anchor: Anchor) -> str:
    """Return the subject of the question: in German its first noun; runs of English words are too often none."""
    terms = matter_terms(anchor.query, anchor.language) or anchor.concepts
    return subject(anchor.query, without_source(anchor.query, terms, anchor.language))


def _as_question(part: str, main: str) -> str:
    """Return a part as a complete question, with ``main``, if any, before it if it has no question word."""
    text = f"{main}: {part}" if main and not _QUESTION_WORD.search(part) and main not in part else part
    return f"{text[:1].upper()}{text[1:]}?"


def _statements(anchor: Anchor, passages: Sequence[Passage]) -> Iterator[_Statement]:
    """Yield the quotable sentences of the passages that are close to the question, with the share of its words."""
    matter = dict(wanted(anchor.query, anchor.language))
    near = [coverage(matter, stem_set(f"{item.where} {item.text}", anchor.language)) for item in passages]
    for item, share in zip(passages, near, strict=True):
        if share <= 0 or share < _NEAR * max(near):
            continue
        for one in sentences(item.text):
            figures = sum(letter.isdigit() for letter in one.flat)
            if figures <= _FIGURES * len(one.flat) and is_quotable(one.text):
                yield _Statement(item, one.flat, coverage(matter, stem_set(one.text, anchor.language)))


def _definition(anchor: Anchor, said: Sequence[_Statement]) -> list[TodoDraft]:
    """Return a task for the definition of a term of the question, if a passage has one."""
    terms = [term for term in matter_terms(anchor.query, anchor.language) if len(term) >= _SPECIFIC or " " in term]
    for term in terms:
        for statement in said:
            if _defines(statement.sentence, term, anchor.language):
                return [_task(anchor, "definition", statement, term=term)]
    return []


def _defines(sentence: str, term: str, language: str) -> bool:
    """Return whether a sentence says what a term means: nothing but the term stands before the defining words."""
    found = _DEFINES.search(sentence)
    if found is None:
        return False
    before = re.sub(r"\([^)]*\)", " ", sentence[: found.start()])
    return stems(before, language) == stems(term, language)


def _limit(anchor: Anchor, aspect: Aspect, words: re.Pattern[str], said: Sequence[_Statement]) -> list[TodoDraft]:
    """Return a task for the exception or condition nearest to the question, if a passage states one on its subject."""
    matter = tuple(dict(wanted(anchor.query, anchor.language)))
    close = [
        one
        for one in said
        if one.near >= _SAID
        and words.search(one.sentence)
        and len(matched(matter, stem_set(one.sentence, anchor.language))) >= _LEAST_WORDS
    ]
    best = max(close, key=lambda one: one.near, default=None)
    return [_task(anchor, aspect, best, sentence=clipped(best.sentence, _SHOWN))] if best is not None else []


def _task(anchor: Anchor, key: str, statement: _Statement, **values: str) -> TodoDraft:
    place = for_people(statement.passage, anchor.language)
    return TodoDraft(
        text=phrase(anchor.language, f"reasoning.task_{key}", place=place, **values),
        context=phrase(anchor.language, "reasoning.why_retrieval", place=place),
        origin="search",
    )


def task_queries(anchor: Anchor, todo: Todo) -> tuple[str, ...]:
    """Return one or two queries: the task with the question's terms, and the names in it."""
    terms = matter_terms(anchor.query, anchor.language) or anchor.concepts or (anchor.query,)
    own = matter_terms(todo.text, anchor.language) or terms
    matter = todo.text if todo.id == 0 else task_matter(todo.text, anchor.language)
    known = stem_set(matter, anchor.language)
    context = [term for term in terms if not stem_set(term, anchor.language) <= known]
    names = entities(todo.text) or own
    return distinct(" ".join((matter, *context[:3])), " ".join(dict.fromkeys((*names[:3], *terms[:2]))))
