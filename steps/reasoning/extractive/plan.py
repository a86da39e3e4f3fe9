"""A plan without a model: tasks from the question's parts, and from what the first retrieval showed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...models import Anchor, Todo
from ...phrases import phrase
from ..aspects import asked_aspects, is_formal, says
from ..protocol import Passage, TodoDraft
from ..similarity import coverage
from ..terms import concepts, entities, stem_set
from .understand import angle, document_of, section_of

_SHORTEST_PART = 3  # content words
_SPLIT = re.compile(
    r"[?;]\s+|,?\s+(?:und|sowie|and|as well as)\s+(?=(?:unter\s|in\s|with\s)?(?:w[a-zäöü]+\b|how\b|ob\b|if\b))"
)
_QUESTION_WORD = re.compile(
    r"\b(?:welche[rsnm]?|wer|wie|was|wann|wo\w*|warum|ob|what|which|who|when|where|why|how)\b", re.IGNORECASE
)


def question_parts(question: str, language: str) -> tuple[str, ...]:
    """The questions in a question: split where a conjunction begins a new interrogative clause."""
    parts = [part.strip(" ,.?") for part in _SPLIT.split(question.strip())]
    kept = [part for part in parts if len(stem_set(part, language)) >= 1 and len(part.split()) >= _SHORTEST_PART]
    return tuple(kept) if len(kept) > 1 else (question.strip().rstrip("?"),)


def plan(anchor: Anchor, passages: Sequence[Passage], wanted: int) -> tuple[TodoDraft, ...]:
    """Three to five specific tasks; the question itself is task 0 and not repeated here."""
    language, terms = anchor.language, anchor.concepts or concepts(anchor.query, anchor.language)
    main = terms[0] if terms else anchor.query
    question_why = phrase(language, "reasoning.why_question")
    drafts: list[TodoDraft] = []
    parts = question_parts(anchor.query, language)
    if len(parts) > 1:
        for part in parts:
            text = part if _QUESTION_WORD.search(part) else f"{main}: {part}"
            drafts.append(_draft(language, "task_aspect", question_why, aspect=_resolve_part(text, main, language)))
    asked = asked_aspects(anchor.query)
    drafts += _from_sections(anchor, passages)
    if "exceptions" in asked or any(says("exceptions", item.text) for item in passages):
        why = question_why if "exceptions" in asked else _found(language, passages, "exceptions")
        drafts.append(_draft(language, "task_exceptions", why, term=main))
    drafts += _from_references(anchor, passages)
    drafts += [
        _draft(language, "task_gap", phrase(language, "reasoning.why_gap"), term=gap)
        for gap in _gaps(anchor, passages)[:1]
    ]
    for aspect, key in (("conditions", "task_conditions"), ("duties", "task_procedure"), ("values", "task_rule")):
        if aspect in asked or len(drafts) < 3:
            drafts.append(_draft(language, key, question_why, term=main))
    if "definitions" in asked or len(drafts) < 3:
        drafts.append(_draft(language, "task_definition", question_why, term=main))
    unique = {draft.text: draft for draft in reversed(drafts)}
    ordered = [draft for draft in drafts if unique.pop(draft.text, None) is not None]
    return tuple(ordered[: max(1, wanted)])


def _draft(language: str, key: str, context: str, **values: str) -> TodoDraft:
    return TodoDraft(text=phrase(language, f"reasoning.{key}", **values), context=context)


def _resolve_part(part: str, main: str, language: str) -> str:
    """'unter welchen Voraussetzungen darf davon abgewichen werden' names no matter of its own: say which."""
    pointing = re.search(r"\b(?:davon|dafür|dabei|hiervon|hierzu|that|this|it|them|these)\b", part, re.IGNORECASE)
    if pointing and not stem_set(main, language) <= stem_set(part, language):
        return f"{part} ({main})"
    return part


def _found(language: str, passages: Sequence[Passage], aspect: str) -> str:
    place = next((item.where for item in passages if says(aspect, item.text)), "")  # type: ignore[arg-type]
    return phrase(language, "reasoning.why_retrieval", place=place)


def _from_sections(anchor: Anchor, passages: Sequence[Passage]) -> list[TodoDraft]:
    """The section whose heading is nearest to the question deserves a task of its own."""
    wanted = stem_set(anchor.query, anchor.language)
    ranked: list[tuple[float, int, str, str]] = []
    for position, item in enumerate(passages):
        section = section_of(item.where)
        near = coverage(wanted, stem_set(section, anchor.language))
        if section and near > 0 and not is_formal(section):
            ranked.append((-near, position, f"{section} ({document_of(item.where)})", item.where))
    names = dict.fromkeys((name, where) for _, _, name, where in sorted(ranked))
    return [
        _draft(
            anchor.language,
            "task_section",
            phrase(anchor.language, "reasoning.why_retrieval", place=where),
            section=name,
        )
        for name, where in list(names)[:1]
    ]


def _from_references(anchor: Anchor, passages: Sequence[Passage]) -> list[TodoDraft]:
    """What the passages nearest to the question name besides themselves."""
    wanted = stem_set(anchor.query, anchor.language)
    ranked = sorted(passages, key=lambda item: -coverage(wanted, stem_set(item.text, anchor.language)))[:3]
    named = dict.fromkeys(
        name
        for item in ranked
        for name in entities(item.text)
        if name not in item.where and any(c.isdigit() for c in name)
    )
    if not named:
        return []
    why = phrase(anchor.language, "reasoning.why_referenced")
    return [_draft(anchor.language, "task_referenced", why, references=", ".join(list(named)[:4]))]


def _gaps(anchor: Anchor, passages: Sequence[Passage]) -> list[str]:
    found = frozenset().union(*(stem_set(item.text, anchor.language) for item in passages), frozenset())
    terms = concepts(anchor.query, anchor.language)
    return [term for term in terms if coverage(stem_set(term, anchor.language), found) < 0.5]


def task_queries(anchor: Anchor, todo: Todo) -> tuple[str, str, str]:
    """The task with the question's concepts, the task in rule language, and the names the task mentions."""
    terms = anchor.concepts or concepts(anchor.query, anchor.language)
    own = concepts(todo.text, anchor.language) or (todo.text,)
    base = todo.text if todo.id == 0 else f"{todo.text} {' '.join(terms[:3])}"
    names = entities(todo.text) or own
    return base, angle(todo.text, (*own[:1], *terms[:1]), anchor.language), " ".join((*names[:3], *terms[:2]))
