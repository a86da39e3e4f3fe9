"""The answer workflow without a model: decompose, select, review, compose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.parts.completed_parts import completed_parts
from rabbithole.steps.reasoning.protocol import (
    ConstraintModel,
    Decomposition,
    Fact,
    ListedResult,
    ResultChoice,
    Review,
    ToolCall,
)
from rabbithole.steps.reasoning.text.similarity import Meaning, coverage, matched
from rabbithole.steps.reasoning.text.terms import concepts, entities, stem_set, stems

OVERLOAD = 1000
_ENOUGH = 0.9  # share of a sub-question that several facts together must cover
_CHAIN = 5  # number of facts from which several of them together count as an answer; fewer may lack the last hop
_RANK = 6.0  # bonus of the first hit, less for later ones: the search saw whole passages, the list shows two lines
_LEAST = 0.12
_WORD = re.compile(r"[^\W_][\w'’-]*")
_MOST_WORDS = 5
"""Maximum number of words named as found in a result."""
_YEAR = r"((?:19|20)\d{2})"
_RANGES: tuple[tuple[str, tuple[Literal["=", ">=", "<=", ">", "<"], ...]], ...] = (
    (rf"\b(?:zwischen|between|von|from)\s+{_YEAR}\s+(?:und|bis|and|to|until)\s+{_YEAR}\b", (">=", "<=")),
    (rf"\b(?:seit|ab|since|from)\s+(?:dem\s+Jahr\s+)?{_YEAR}\b", (">=",)),
    (rf"\b(?:nach|after)\s+{_YEAR}\b", (">",)),
    (rf"\b(?:vor|before|prior to)\s+{_YEAR}\b", ("<",)),
    (rf"\b(?:bis|until|up to)\s+{_YEAR}\b", ("<=",)),
    (rf"\b(?:aus|im Jahr|in|vom Jahr|dated|of)\s+(?:dem\s+Jahr\s+)?{_YEAR}\b", ("=",)),
)
_LIST = re.compile(
    r"\b(?:liste|auflist|nenne alle|alle .* aufzähl|list\b|enumerate|which documents|welche dokumente)", re.I
)
_SUMMARY = re.compile(r"\b(?:fasse|zusammenfass|überblick|summari[sz]e|overview|abstract)", re.I)
_COMPARE = re.compile(r"\b(?:vergleich|unterschied|gegenüber|compare|difference between|versus|vs\.?)", re.I)


def decompose(question: str, language: str, collections: Sequence[str], fields: Sequence[str]) -> Decomposition:
    """Return the question's intent, named collections, constraints on known fields or the year, and sub-questions."""
    named = tuple(name for name in collections if re.search(rf"\b{re.escape(name)}\b", question, re.IGNORECASE))
    constraints = _years(question, fields) + _fields(question, fields)
    intent: Literal["qa", "list", "summarize", "compare"] = "qa"
    for pattern, name in ((_COMPARE, "compare"), (_SUMMARY, "summarize"), (_LIST, "list")):
        if pattern.search(question):
            intent = name  # type: ignore[assignment]
            break
    return Decomposition(
        intent=intent,
        collections=named,
        constraints=tuple(constraints),
        subqueries=_subqueries(question, language, intent),
    )


def _years(question: str, fields: Sequence[str]) -> list[ConstraintModel]:
    field = next((name for name in fields if name.lower() in ("year", "jahr")), None)
    if field is None:
        return []
    for pattern, operators in _RANGES:
        found = re.search(pattern, question, re.IGNORECASE)
        if found:
            return [
                ConstraintModel(field=field, operator=operator, value=value)
                for operator, value in zip(operators, found.groups(), strict=True)
            ]
    return []


def _fields(question: str, fields: Sequence[str]) -> list[ConstraintModel]:
    """Return the constraints written in the question as 'type: standard' or 'party = ACME'."""
    found: list[ConstraintModel] = []
    for name in fields:
        match = re.search(rf"\b{re.escape(name)}\s*(=|:|!=|>=|<=|>|<)\s*\"?([\w.-]+)", question, re.IGNORECASE)
        if match:
            operator = "=" if match.group(1) == ":" else match.group(1)
            found.append(ConstraintModel.model_validate({"field": name, "operator": operator, "value": match.group(2)}))
    return found


def _subqueries(question: str, language: str, intent: str) -> tuple[str, ...]:
    if intent == "compare":
        names = entities(question) or concepts(question, language)
        rest = [term for term in concepts(question, language) if term not in names][:2]
        if len(names) > 1:
            return tuple(" ".join((name, *rest)) for name in names[:4])
    return completed_parts(question, language)


def select(
    subquery: str, language: str, candidates: Sequence[ListedResult], facts: Sequence[Fact], meaning: Meaning
) -> ResultChoice:
    """Choose the candidate whose title and snippet cover most of the sub-question.

    The number is None, with another query to try, if no candidate covers enough.
    """
    wanted = stem_set(subquery, language)
    known = " ".join(fact.text for fact in facts)
    scores = []
    for candidate in candidates:
        title, text = stem_set(candidate.title, language), stem_set(f"{candidate.title} {candidate.snippet}", language)
        repeated = 0.3 if candidate.snippet and candidate.snippet[:80] in known else 0.0
        scores.append(0.75 * coverage(wanted, text) + 0.25 * coverage(wanted, title) - repeated)
    if meaning.available and candidates:
        values = meaning.similarity(subquery, [f"{item.title}. {item.snippet}" for item in candidates[:6]])
        scores = [score + 0.5 * value for score, value in zip(scores, (*values, *(0.0 for _ in scores)), strict=False)]
    scores = [
        score + _RANK * (1 - index / len(scores)) if score >= _LEAST else score for index, score in enumerate(scores)
    ]
    best = max(range(len(scores)), key=lambda index: (scores[index], -index), default=None)
    if best is None or scores[best] < _LEAST:
        query = " ".join(concepts(subquery, language)) or subquery
        return ResultChoice(
            number=None, reason=phrase(language, "reasoning.select_none", subquery=subquery), query=query
        )
    found = stem_set(f"{candidates[best].title} {candidates[best].snippet}", language)
    words = dict.fromkeys(word for word in _WORD.findall(subquery) if matched(stems(word, language), found))
    terms = ", ".join(list(words)[:_MOST_WORDS]) or candidates[best].title
    return ResultChoice(number=candidates[best].number, reason=phrase(language, "reasoning.select_best", terms=terms))


def review(question: str, language: str, subqueries: Sequence[str], facts: Sequence[Fact], total_hits: int) -> Review:
    """Return 'enough' if facts cover every sub-question, else the next search or a request to clarify."""
    parts = tuple(subqueries) or (question,)
    if total_hits > OVERLOAD and not facts:
        reason = phrase(language, "reasoning.review_overload", total=total_hits)
        return Review(status="clarify", reason=reason, clarify_type="overload", missing_info=reason)
    for part in parts:
        own = [fact for fact in facts if fact.subquery == part] or list(facts)
        wanted = stem_set(part, language)
        each = [stem_set(f"{fact.where} {fact.text}", language) for fact in own]
        found = frozenset[str]().union(*each)
        alone = any(coverage(wanted, one) == 1.0 for one in each)
        if alone or (coverage(wanted, found) >= _ENOUGH and len(facts) >= _CHAIN):
            continue
        if total_hits == 0 and not facts:
            reason = phrase(language, "reasoning.review_none", subquery=part)
            return Review(status="clarify", reason=reason, clarify_type="no_results", missing_info=part)
        missing = [term for term in concepts(part, language) if coverage(stem_set(term, language), found) < 0.5]
        return Review(
            status="more",
            reason=phrase(language, "reasoning.review_more", subquery=part),
            next_call=ToolCall(tool="search", argument=" ".join(missing) or part),
            missing_info=", ".join(missing),
        )
    return Review(status="enough", reason=phrase(language, "reasoning.review_enough"))


def compose(answer: str, language: str) -> Iterator[str]:
    """Yield the answer chosen for the question, or a sentence that there is none."""
    yield f"{answer.strip() or phrase(language, 'reasoning.compose_none')}\n"
