"""Plan tasks without a model, from the question's parts and the passages of the first retrieval."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.question.parts import question_parts
from rabbithole.steps.reasoning.protocol import Passage, TodoDraft
from rabbithole.steps.reasoning.text.aspects import Aspect, asked_aspects, is_formal, says
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import entities, stem_set
from rabbithole.steps.reasoning.text.topic_terms import matter_terms, subject, task_matter, wanted, without_source

from .source_lines import document_of, for_people, name_of, section_of
from .understand import angle, distinct

LEAST_TASKS = 3
_ASPECT_TASKS: Mapping[Aspect, str] = {
    "values": "task_rule",
    "exceptions": "task_exceptions",
    "conditions": "task_conditions",
    "duties": "task_procedure",
    "definitions": "task_definition",
    "procedure": "task_procedure",
    "agents": "task_procedure",
}
_ASPECT_ORDER: tuple[Aspect, ...] = ("exceptions", "conditions", "values", "duties", "definitions")
_QUESTION_WORD = re.compile(
    r"\b(?:welche[rsnm]?|wer|wie|was|wann|wo\w*|warum|ob|what|which|who|when|where|why|how)\b", re.IGNORECASE
)
_SENTENCE = 160
_LATER_LAW = re.compile(
    r"§§?\s?\d[^§]{0,40}?\b(?:des|der)\s(?:[A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*|\w*(?:gesetz|verordnung|buch|ordnung)\w*)"
)


def plan(anchor: Anchor, passages: Sequence[Passage], wanted_tasks: int) -> tuple[TodoDraft, ...]:
    """Return at most ``wanted_tasks`` specific tasks, without the question itself, which is task 0."""
    language = anchor.language
    terms = matter_terms(anchor.query, language) or anchor.concepts
    main = subject(anchor.query, without_source(anchor.query, terms, language))
    why = phrase(language, "reasoning.why_question")
    parts = question_parts(anchor.query, language)
    drafts: list[TodoDraft] = []
    if len(parts) > 1:
        drafts += [TodoDraft(text=_as_question(part, main, language), context=why) for part in parts]
    covered = {aspect for part in parts for aspect in asked_aspects(part)} if len(parts) > 1 else set()
    asked = asked_aspects(anchor.query)
    drafts += [_draft(language, _ASPECT_TASKS[aspect], why, term=main) for aspect in asked if aspect not in covered]
    drafts += _from_sections(anchor, passages)
    drafts += _from_references(anchor, passages)
    drafts += [
        _draft(language, "task_gap", phrase(language, "reasoning.why_gap"), term=gap)
        for gap in _gaps(anchor, passages)[:1]
    ]
    for aspect in _ASPECT_ORDER:
        place = next((item for item in passages if says(aspect, item.text)), None)
        if aspect not in asked and place and len(drafts) < LEAST_TASKS + 1:
            found = phrase(language, "reasoning.why_retrieval", place=for_people(place, language))
            drafts.append(_draft(language, _ASPECT_TASKS[aspect], found, term=main))
    for aspect in _ASPECT_ORDER:
        if len(drafts) < LEAST_TASKS:
            drafts.append(_draft(language, _ASPECT_TASKS[aspect], why, term=main))
    unique = {draft.text: draft for draft in drafts}
    return tuple(unique.values())[: max(1, wanted_tasks)]


def _as_question(part: str, main: str, language: str) -> str:
    """Return a part as a complete question; ``main`` is added if it refers to a subject or has no question word."""
    text = _resolve_part(part, main, language)
    if not _QUESTION_WORD.search(text):
        text = f"{main}: {text}"
    return f"{text[:1].upper()}{text[1:]}?"


def _draft(language: str, key: str, context: str, **values: str) -> TodoDraft:
    return TodoDraft(text=phrase(language, f"reasoning.{key}", **values), context=context)


def _resolve_part(part: str, main: str, language: str) -> str:
    """Append the subject to a part that refers to it: 'unter welchen Voraussetzungen darf davon abgewichen werden'."""
    pointing = re.search(r"\b(?:davon|dafür|dabei|hiervon|hierzu|that|this|it|them|these)\b", part, re.IGNORECASE)
    if pointing and not stem_set(main, language) <= stem_set(part, language):
        return f"{part} ({main})"
    return part


def _from_sections(anchor: Anchor, passages: Sequence[Passage]) -> list[TodoDraft]:
    """Return a task for the section whose heading is nearest to the question, if any shares a word with it."""
    matter = dict(wanted(anchor.query, anchor.language))
    ranked: list[tuple[float, int, str]] = []
    for position, item in enumerate(passages):
        section = section_of(item.where)
        near = coverage(matter, stem_set(section, anchor.language))
        if section and near > 0 and not is_formal(section):
            ranked.append((-near, position, f"{section} ({name_of(item)})"))
    return [
        _draft(
            anchor.language,
            "task_section",
            phrase(anchor.language, "reasoning.why_retrieval", place=for_people(passages[at], anchor.language)),
            section=name,
        )
        for _, at, name in sorted(ranked)[:1]
    ]


def _from_references(anchor: Anchor, passages: Sequence[Passage]) -> list[TodoDraft]:
    """Return a task for the places that the passages nearest to the question refer to and that were not found yet."""
    matter = dict(wanted(anchor.query, anchor.language))
    ranked = sorted(passages, key=lambda item: -coverage(matter, stem_set(item.text, anchor.language)))[:3]
    found = {(document_of(item.where), _number(section_of(item.where))) for item in passages}
    named: dict[str, None] = {}
    for item in ranked:
        document = document_of(item.where)
        for name in entities(item.text):
            number = _number(name)
            if not number or (document, number) in found or not any(character.isdigit() for character in name):
                continue
            law = re.search(r"(?:(?:der|des)\s)?([A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*|[A-ZÄÖÜ]\w+(?:gesetz|buch|ordnung)\w*)$", name)
            own = name.startswith("§") and law is None
            if own and _law_follows(item.text, name):
                continue
            short = f"{number} {law.group()}" if name.startswith("§") and law else name
            named.setdefault(f"{number} ({name_of(item)})" if own else short)
    if not named:
        return []
    why = phrase(anchor.language, "reasoning.why_referenced")
    return [_draft(anchor.language, "task_referenced", why, references=", ".join(list(named)[:4]))]


def _law_follows(text: str, name: str) -> bool:
    """Return whether the sentence names a law later on, to which the section may belong: '§ 7 oder § 9b des AtG'."""
    rest = text[text.find(name) + len(name) :][:_SENTENCE].split(". ")[0]
    return _LATER_LAW.search(rest) is not None


def _number(name: str) -> str:
    """Return '§ 79' for '§ 79 Absatz 1 Satz 2' or '§ 79 Verordnungsermächtigung'; other names are unchanged."""
    match = re.match(r"§§?\s?\d+\w?", name)
    return match.group() if match else name


def _gaps(anchor: Anchor, passages: Sequence[Passage]) -> list[str]:
    found = frozenset().union(*(stem_set(item.text, anchor.language) for item in passages), frozenset())
    terms = matter_terms(anchor.query, anchor.language)
    return [term for term in terms if coverage(stem_set(term, anchor.language), found) < 0.5]


def task_queries(anchor: Anchor, todo: Todo) -> tuple[str, str, str]:
    """Return three queries: the task with the question's terms, with words typical of rules, and the names in it."""
    terms = matter_terms(anchor.query, anchor.language) or anchor.concepts or (anchor.query,)
    own = matter_terms(todo.text, anchor.language) or terms
    matter = todo.text if todo.id == 0 else task_matter(todo.text, anchor.language)
    known = stem_set(matter, anchor.language)
    context = [term for term in terms if not stem_set(term, anchor.language) <= known]
    base = " ".join((matter, *context[:3]))
    names = entities(todo.text) or own
    third = " ".join(dict.fromkeys((*names[:3], *terms[:2])))
    return distinct(base, angle(todo.text, tuple(dict.fromkeys((*own[:1], *terms[:1]))), anchor.language), third)
