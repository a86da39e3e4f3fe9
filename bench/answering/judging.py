"""Puts ten situations to each prompt and tells right answers from wrong ones by rule (``judged_cases.json``).

The rules check what any careful reader would agree on: the figure is there, the passage about something else is called
irrelevant, quotations are verbatim, keys are those given, and the language is the person's.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from bench.answering.situations import KEY, Case, load
from rabbithole.steps.language import foreign_sections
from rabbithole.steps.models import Analysis, Answer, ClarifyingQuestion, Round, TaskSummary
from rabbithole.steps.reasoning.llm.evidence_labels import known_by
from rabbithole.steps.reasoning.protocol import GateCandidate, ListedResult, Reasoner, SupportClaim, WriteRequest
from rabbithole.steps.reasoning.text.figures import numbers
from rabbithole.steps.report_models import Quality

Ask = Callable[[Reasoner, Case], Awaitable[Any]]
Right = Callable[[Case, Any], bool]


async def _text(stream: AsyncIterator[str]) -> str:
    return "".join([piece async for piece in stream])


_MATTERS = "matters"


def _candidates(case: Case) -> tuple[GateCandidate, ...]:
    """Return the reference that matters among those of three unrelated passages, at a different place in each case."""
    every = load()
    others = [other for other in every if other.language == case.language and other.id != case.id][:2]
    asides = [(one.id, one.aside.refers, one.aside.text, one.aside.leads) for one in (case, *others)]
    place = every.index(case) % (len(asides) + 1)
    asides.insert(place, (_MATTERS, case.refers, case.text, case.leads))
    return tuple(
        GateCandidate(id=name, text=text, context=context, target=target) for name, text, context, target in asides
    )


def _shown(case: Case) -> tuple[ListedResult, ...]:
    pairs = [(case.aside.where, case.aside.text), (case.where, case.text)]
    return tuple(
        ListedResult(
            number=number, title=where.split(", p.")[0], document=where.split(",")[0], page=where[-1:], snippet=text
        )
        for number, (where, text) in enumerate(pairs, start=1)
    )


def _rounds(case: Case) -> tuple[Round, ...]:
    """Return a conversation long enough to be shortened, with what matters and what is not meant."""
    out, why = ("Nicht gemeint ist", "Was ist damit?") if case.language == "de" else ("Not meant is", "What about it?")
    others = [one for one in load() if one.language == case.language]
    said = [case.remark, *(f"{out}: {one.aside.text}" for one in others), *(f"{out}: {one.lacking}." for one in others)]
    asked = ClarifyingQuestion(id="q", text=why)
    analysis = Analysis(concepts=(), scope=case.where.split(",")[0])
    return tuple(
        Round(
            index=index,
            queries=(case.question,),
            chunks=(),
            analysis=analysis,
            questions=(asked,),
            answers=(Answer(question="q", text=text),),
        )
        for index, text in enumerate(said)
    )


def _write_request(case: Case) -> WriteRequest:
    finding = f"{case.evidence.info} [{KEY}]"
    summary = TaskSummary(task=case.todo.id, text=finding, findings=(finding,))
    return WriteRequest(anchor=case.anchor, tasks=(case.todo,), summaries=(summary,), evidence=(case.evidence,))


def _extracted(case: Case, found: Any) -> bool:
    first, second = found
    return (
        first.relevance >= 0.5 > second.relevance
        and any(case.has_fact(quote) and quote in case.text for quote in first.quotes)
        and case.own_language(first.info)
    )


def _queried(case: Case, found: Any) -> bool:
    return len(set(found)) >= 2 and sum(case.on_subject(query) for query in found) >= 2


def _planned(case: Case, found: Any) -> bool:
    texts = [draft.text for draft in found]
    fresh = case.question not in texts and len(set(texts)) == len(texts) >= 2
    return fresh and any(map(case.on_subject, texts)) and case.own_language(" ".join(texts))


def _asked(case: Case, found: Any) -> bool:
    """Return whether all it asks is other than the person's question, with choices that the passages contain.

    Asking nothing is right as well: a small model finds no choice that the passages leave open.
    """
    mine = known_by(case.question)
    read = known_by(f"{case.text} {case.aside.text} {case.where} {case.aside.where}")
    return (
        len(found) <= 3
        and all(len(one.options) > 1 and one.text.strip() and known_by(one.text) != mine for one in found)
        and all(word in read for one in found for option in one.options for word in re.findall(r"\d+", option))
        and all(case.own_language(one.text) for one in found)
    )


def _summed(case: Case, found: Any) -> bool:
    keys = set(re.findall(r"\be\d{7}\b", f"{found.text} {found.findings}"))
    return case.has_fact(f"{found.text} {found.findings}") and keys <= {KEY} and case.own_language(found.text)


def _written(case: Case, found: str) -> bool:
    cited = any(case.has_fact(line) and KEY in line for line in found.splitlines())
    return cited and not foreign_sections(found, case.language)


def _reviewed_enough(case: Case, found: Any) -> bool:
    return bool(found.status == "enough")


def _decomposed(case: Case, found: Any) -> bool:
    """Return whether no condition was added that the question does not name; it would hide documents."""
    limited = found.collections or found.constraints
    return found.intent == "qa" and not limited and any(map(case.on_subject, found.subqueries))


def _conversed(case: Case, found: str) -> bool:
    """Return whether the text has what the person added, and no figure that nobody named."""
    told = numbers(
        " ".join((case.question, case.where, *(answer.text for item in _rounds(case) for answer in item.answers)))
    )
    return bool(re.search(case.remarked, found)) and case.own_language(found) and numbers(found) <= told


def _remedied(case: Case, found: Any) -> bool:
    """Return whether it asks to write again, and to mend something other than by repeating the false statement."""
    told = re.sub(r"[„\"].*?[“\"]", "", found.focus)
    return found.action == "retry" and bool(found.focus) and not _repeats(case, told)


def _repeats(case: Case, text: str) -> bool:
    words = set(re.findall(r"\w{4,}", case.false.casefold())) - set(re.findall(r"\w{4,}", case.question.casefold()))
    return bool(words) and len(words & set(re.findall(r"\w{4,}", text.casefold()))) > len(words) / 2


async def _both_quality(reasoner: Reasoner, case: Case) -> tuple[Quality, Quality]:
    good = await reasoner.quality(case.judged(case.true))
    return good, await reasoner.quality(case.judged(case.false))


async def _analysis(reasoner: Reasoner, case: Case) -> Analysis:
    return await reasoner.analyse(case.question, case.language, (case.passage,))


async def _questions(reasoner: Reasoner, case: Case) -> Any:
    analysis = Analysis(gaps=(case.lacking,))
    return await reasoner.questions(case.question, case.language, analysis, (case.passage, case.other), ())


async def _support(reasoner: Reasoner, case: Case) -> tuple[float, float]:
    """Return the scores of the true and the false sentence, in alternating order: small models favour the first."""
    sentences = (case.true, case.false) if load().index(case) % 2 == 0 else (case.false, case.true)
    scores = await reasoner.support([SupportClaim(sentence=sentence, source=case.text) for sentence in sentences])
    told = dict(zip(sentences, scores, strict=True))
    return told[case.true], told[case.false]


async def _remedy(reasoner: Reasoner, case: Case) -> Any:
    low = Quality(
        factual_accuracy=30,
        semantic_validity=80,
        structural_integrity=80,
        citation_correctness=30,
        query_relevance=60,
        notes=f"{case.false} - {case.where}",
    )
    return await reasoner.remedy(case.judged(case.false, bad=1), low)


PROMPTS: Mapping[str, tuple[Ask, Right]] = {
    "extract": (
        lambda reasoner, case: reasoner.extract(case.anchor, case.todo, (case.passage, case.other), references=True),
        _extracted,
    ),
    "gate": (
        lambda reasoner, case: reasoner.gate(case.anchor, case.todo, _candidates(case)),
        lambda case, found: [one.id for one in found if one.follow] == [_MATTERS],
    ),
    "summary": (lambda reasoner, case: reasoner.summarise(case.anchor, case.todo, (case.evidence,)), _summed),
    "write": (lambda reasoner, case: _text(reasoner.write(_write_request(case))), _written),
    "support": (_support, lambda case, found: found[0] >= 0.6 > 0.4 >= found[1]),
    "queries": (lambda reasoner, case: reasoner.queries(case.question, case.language, (), ()), _queried),
    "task_queries": (lambda reasoner, case: reasoner.task_queries(case.anchor, case.todo), _queried),
    "select": (
        lambda reasoner, case: reasoner.select(case.question, case.question, case.language, _shown(case), ()),
        lambda case, found: found.number == 2,
    ),
    "review": (
        lambda reasoner, case: reasoner.review(case.question, case.language, (case.question,), (case.fact_seen,), 3),
        _reviewed_enough,
    ),
    "decompose": (
        lambda reasoner, case: reasoner.decompose(case.question, case.language, ("Wetter",), ("year",)),
        _decomposed,
    ),
    "compose": (
        lambda reasoner, case: _text(
            reasoner.compose(case.question, case.language, (case.fact_seen,), (case.evidence,))
        ),
        lambda case, found: case.has_fact(found) and KEY in found and case.own_language(found),
    ),
    "plan": (lambda reasoner, case: reasoner.plan(case.anchor, (case.passage,), 3), _planned),
    "analysis": (_analysis, lambda case, found: found.coverage >= 0.5 and case.on_subject(" ".join(found.concepts))),
    "questions": (_questions, _asked),
    "conversation": (
        lambda reasoner, case: reasoner.conversation(case.question, case.language, _rounds(case)),
        _conversed,
    ),
    "quality": (_both_quality, lambda case, found: found[0].total > found[1].total),
    "remedy": (_remedy, _remedied),
}
"""Purpose -> how to put a case to the reasoner, and how to tell whether its answer is right."""
