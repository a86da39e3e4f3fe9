"""A report from verbatim sentences: the direct answer, task by task, what references led to, what stays open.

No sentence appears twice. Everything between quotation marks stands in a document; everything else is a fixed phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import WriteRequest
from rabbithole.steps.reasoning.text.aspects import Aspect, decisive, says
from rabbithole.steps.reasoning.text.similarity import Meaning, coverage
from rabbithole.steps.reasoning.text.terms import stem_set

from .plan import question_parts
from .ranking import rank, statements
from .statements import Followed, Statement, Used
from .wording import bullets, flat, heading, paragraphs, places

PER_PART = 5
PER_TASK = 5
PER_EXTRA = 5
PER_FOLLOWED = 12
PER_PLACE = 2  # quotations of one place under one heading
OPEN_GAPS = 6
OPEN_MISSING = 12
_WORTH = 0.68  # share of the best score that a further sentence must reach
_FURTHER = 0.6  # ... outside the answer
_LEAST = 0.25
_SHORT_SECTION = 5  # statements of a section that the answer quotes as a whole
_TELLING: tuple[Aspect, ...] = ("values", "exceptions", "conditions")
_KEY = re.compile(r"\s*\[e[0-9a-f]{6,16}\]")


def write_report(request: WriteRequest, meaning: Meaning) -> Iterator[str]:
    """The report in pieces of Markdown, each ending with a newline."""
    query, language = request.anchor.query, request.anchor.language
    used = Used(language)
    every = rank(statements(request.evidence), query, query, language, meaning)
    followed = Followed(every)
    yield f"# {heading(query)}\n\n"
    yield from _answer(request, every, used, followed, meaning)
    yield from _tasks(request, used, followed, meaning)
    yield from _exceptions(request, every, used, followed)
    yield from _followed(request, used, followed)
    if request.contradictions:
        yield f"## {phrase(language, 'reasoning.conflicts')}\n\n"
        once = {_KEY.sub("", flat(text)).strip(): flat(text) for text in reversed(request.contradictions)}
        yield "".join(f"- {text}\n" for text in reversed(once.values())) + "\n"
    yield from _open(request)


def _answer(
    request: WriteRequest, every: Sequence[Statement], used: Used, followed: Followed, meaning: Meaning
) -> Iterator[str]:
    query, language = request.anchor.query, request.anchor.language
    yield f"## {phrase(language, 'reasoning.answer')}\n\n"
    parts = question_parts(query, language)
    ranked = {part: list(every) if len(parts) == 1 else rank(every, query, part, language, meaning) for part in parts}
    chosen = _share_out({part: _fitting(found, part) for part, found in ranked.items()}, used)
    if not any(chosen.values()):
        yield f"{phrase(language, 'reasoning.answer_none')}\n\n"
        return
    yield f"{phrase(language, 'reasoning.answer_intro')}\n\n"
    for part in parts:
        if len(parts) > 1 and chosen[part]:
            yield f"### {heading(part)}\n\n"
        yield paragraphs([*chosen[part], *_completing(chosen[part][:1], every, used)], language, used, followed)


def _completing(leading: Sequence[Statement], every: Sequence[Statement], used: Used) -> list[Statement]:
    """What the section of the leading statement says besides, when it is short: its figures, conditions, exceptions."""
    spots = {item.spot for item in leading}
    beside = [item for item in every if item.spot in spots]
    if len(beside) > _SHORT_SECTION:
        return []
    telling = [item for item in beside if any(says(aspect, item.text) for aspect in _TELLING)]
    return [item for item in telling if used.take(item)]


def _share_out(ranked: Mapping[str, Sequence[Statement]], used: Used) -> Mapping[str, list[Statement]]:
    """Each statement goes to the part of the question it answers best, measured by the best answer of that part."""
    best = {part: max((item.score for item in found), default=0.0) for part, found in ranked.items()}
    offers = [
        (item.score / best[part], part, item)
        for part, found in ranked.items()
        for item in found
        if item.score >= max(_WORTH * best[part], _LEAST)
    ]
    chosen: dict[str, list[Statement]] = {part: [] for part in ranked}
    for _, part, item in sorted(offers, key=lambda offer: -offer[0]):
        same = sum(other.spot == item.spot for other in chosen[part])
        if len(chosen[part]) < PER_PART and same < PER_PLACE and used.take(item):
            chosen[part].append(item)
    return chosen


def _special(part: str) -> tuple[Aspect, ...]:
    """The aspects no other sentence answers: exceptions and conditions."""
    asked = decisive(part)
    return tuple(aspect for aspect in asked if aspect in ("exceptions", "conditions"))


def _fitting(ranked: Sequence[Statement], part: str) -> list[Statement]:
    """Where an exception or a condition is asked for, a sentence without any mark of one answers nothing, as long as
    there is a marked one nearly as good."""
    special = _special(part)
    best = max((item.score for item in ranked), default=0.0)
    fitting = [item for item in ranked if any(says(aspect, item.text) for aspect in special)]
    good = bool(fitting) and fitting[0].score >= _WORTH * best
    return fitting if good else list(ranked)


def _tasks(request: WriteRequest, used: Used, followed: Followed, meaning: Meaning) -> Iterator[str]:
    """A section for every task that adds something; the others are listed with where their answer stands."""
    language = request.anchor.language
    rest: list[str] = []
    for todo in request.tasks:
        if not todo.id:
            continue
        own = statements([item for item in request.evidence if item.task == todo.id], request.evidence)
        ranked = rank(own, request.anchor.query, todo.text, language, meaning)
        above = [item for item in ranked[:PER_TASK] if item.score >= _LEAST and used.has(item)]
        chosen = _choose(_fitting(ranked, todo.text), used, PER_TASK)
        if chosen:
            yield f"## {heading(todo.text)}\n\n"
            if above:
                yield f"{phrase(language, 'reasoning.task_done_above', places=places(above))}\n\n"
            yield paragraphs(chosen, language, used, followed)
        elif above:
            rest.append(phrase(language, "reasoning.task_above", task=heading(todo.text), places=places(above)))
        else:
            rest.append(phrase(language, "reasoning.task_empty", task=heading(todo.text)))
    if rest:
        yield f"## {phrase(language, 'reasoning.tasks_rest')}\n\n"
        yield "".join(f"- {line}\n" for line in rest) + "\n"


def _exceptions(request: WriteRequest, every: Sequence[Statement], used: Used, followed: Followed) -> Iterator[str]:
    language = request.anchor.language
    chosen = _choose([item for item in every if says("exceptions", item.text)], used, PER_EXTRA)
    if chosen:
        yield f"## {phrase(language, 'reasoning.conditions')}\n\n"
        yield paragraphs(chosen, language, used, followed)


def _followed(request: WriteRequest, used: Used, followed: Followed) -> Iterator[str]:
    """What references led to and no sentence above has shown yet, the best of each place."""
    language = request.anchor.language
    chosen = [item for item in followed.best() if not followed.shown(item) and used.take(item)]
    if chosen:
        yield f"## {phrase(language, 'reasoning.references')}\n\n"
        yield f"{phrase(language, 'reasoning.references_intro')}\n\n"
        yield bullets(chosen[:PER_FOLLOWED], language)


def _open(request: WriteRequest) -> Iterator[str]:
    language = request.anchor.language
    gaps = list(dict.fromkeys(flat(gap) for summary in request.summaries for gap in summary.gaps))
    said = [gap for gap in gaps if not _answered(gap, request)][:OPEN_GAPS]
    lines = said + [
        phrase(language, "reasoning.open_missing", name=flat(name)) for name in request.missing[:OPEN_MISSING]
    ]
    yield f"## {phrase(language, 'reasoning.open')}\n\n"
    yield "".join(f"- {line}\n" for line in lines) if lines else f"{phrase(language, 'reasoning.open_none')}\n"


def _answered(gap: str, request: WriteRequest) -> bool:
    """A gap of one task that the evidence of another fills is none."""
    terms = re.findall(r"[„\"]([^“\"]+)[“\"]", gap)
    found = frozenset().union(*(stem_set(item.info, request.anchor.language) for item in request.evidence), frozenset())
    return bool(terms) and all(coverage(stem_set(term, request.anchor.language), found) >= 0.5 for term in terms)


def _choose(ranked: Sequence[Statement], used: Used, limit: int) -> list[Statement]:
    """The best that has not been said, as long as it is nearly as good as the best of that; few of one place."""
    chosen: list[Statement] = []
    fresh = [item for item in ranked if not used.has(item)]
    floor = max(_FURTHER * fresh[0].score, _LEAST) if fresh else 0.0
    for item in fresh:
        if len(chosen) == limit or item.score < floor:
            break
        same = sum(other.spot == item.spot for other in chosen)
        if same < PER_PLACE and used.take(item):
            chosen.append(item)
    return chosen
