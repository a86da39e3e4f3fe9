"""Understanding and planning with a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.models import Analysis, Anchor, Answer, Round, Todo
from rabbithole.steps.reasoning.client.gateway import CallFailed
from rabbithole.steps.reasoning.client.structured import Begun
from rabbithole.steps.reasoning.extractive.understand import distinct, search_queries
from rabbithole.steps.reasoning.protocol import Passage, PlanBegun, TodoDraft
from rabbithole.steps.reasoning.text.figures import numbers
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.similarity import matched
from rabbithole.steps.reasoning.text.terms import stem_set, stems

from . import schemas
from .context_packing import Piece, rank_of
from .evidence_labels import known_by
from .prompt_delimiters import fenced, one_line
from .prompt_runner import Talk, language_name, listed, supported
from .trim import trimmed

_NUMBER = re.compile(r"\d\w*")
_COPIED = 60  # a task whose first characters occur in a passage is a copied result, not a task
GLIMPSE = 320  # characters of a passage when the model only needs to know what was found


def pieces(question: str, language: str, passages: Sequence[Passage]) -> list[Piece]:
    """Return passages cut to what concerns the question and fenced as data, ranked by tier, score and depth."""
    cuts = trimmed(question, question, language, passages, GLIMPSE)
    return [
        Piece(
            text=fenced(f"P{number}", cut.passage.where, cut.lines({})),
            rank=rank_of(cut.passage.tier, cut.passage.score, cut.passage.depth),
        )
        for number, cut in enumerate(cuts, start=1)
    ]


def different(texts: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the texts without those whose words all occur in an earlier one."""
    kept: dict[str, frozenset[str]] = {}
    for text in texts:
        words = frozenset((*stem_set(text, language), *_NUMBER.findall(text)))
        if text.strip() and not any(words <= earlier for earlier in kept.values()):
            kept[text] = words
    return tuple(kept)


async def queries(
    talk: Talk, question: str, language: str, rounds: Sequence[Round], answers: Sequence[Answer]
) -> tuple[str, ...]:
    history = [
        f"{item.index + 1}: {'; '.join(item.queries)}; gaps: {', '.join(item.analysis.gaps) or 'none'}"
        for item in rounds
    ]
    values = {
        "round": str(len(rounds) + 1),
        "history": listed(history),
        "answers": listed([answer.text for answer in answers if answer.text.strip()]),
        "question": question,
        "language": language_name(language),
    }
    found = await talk.ask("queries", schemas.QueriesShape, values)
    by_rule = search_queries(question, language, rounds, answers)
    # Those by rule are parts of the question: they find a little more where the model says nothing else.
    return distinct(*different((by_rule[0], *found.queries), language), *by_rule[1:])[:3]


async def analyse(talk: Talk, question: str, language: str, passages: Sequence[Passage]) -> Analysis:
    found = await talk.ask(
        "analysis",
        schemas.AnalysisShape,
        {"question": question, "language": language_name(language)},
        {"passages": pieces(question, language, passages)},
        language=supported(language),
        said=lambda answer: ". ".join((answer.scope, *answer.gaps)),
    )
    return Analysis(
        concepts=tuple(found.concepts),
        entities=tuple(found.entities),
        scope=found.scope,
        gaps=tuple(found.gaps),
        coverage=found.coverage / 100,
    )


async def conversation(talk: Talk, question: str, language: str, rounds: Sequence[Round]) -> str:
    told = [
        Piece(
            text="\n".join(
                (
                    f"Round {item.index + 1}; searched: {'; '.join(item.queries)}; scope: {item.analysis.scope}",
                    *(f"Asked: {asked.text}" for asked in item.questions),
                    *(f"The person: {one_line(answer.text, 600)}" for answer in item.answers if answer.text.strip()),
                )
            ),
            rank=-item.index,
        )
        for item in rounds
    ]
    found = await talk.ask(
        "conversation",
        schemas.ConversationShape,
        {"question": question, "language": language_name(language)},
        {"rounds": told},
        language=supported(language),
        said=lambda answer: answer.summary,
    )
    heard = [answer.text for item in rounds for answer in item.answers if answer.text.strip()]
    summary = _grounded(found.summary, " ".join((question, *(piece.text for piece in told))))
    told_of = stem_set(summary, language)
    if any(not matched(stems(text, language), told_of) for text in heard if stems(text, language)):
        raise CallFailed("the summary leaves out what the person said")
    return summary


def _grounded(summary: str, told: str) -> str:
    """Return the sentences whose figures are in the conversation; an invented figure would become a premise."""
    known = numbers(told)
    return " ".join(sentence.flat for sentence in sentences(summary) if numbers(sentence.flat) <= known)


async def plan(
    talk: Talk, anchor: Anchor, passages: Sequence[Passage], wanted: int, begun: PlanBegun | None = None
) -> tuple[TodoDraft, ...]:
    read = known_by(" ".join(item.text for item in passages))

    def drafts(answer: schemas.PlanShape) -> tuple[TodoDraft, ...]:
        """Return the tasks of an answer; those of an unfinished answer are the first of the finished one."""
        told = {item.text.strip(): item for item in answer.tasks if known_by(item.text)[:_COPIED] not in read}
        fresh = different((anchor.query, *told), anchor.language)[1:]
        return tuple(
            TodoDraft(text=text, context=told[text].context, queries=tuple(filter(str.strip, told[text].queries)))
            for text in fresh[:wanted]
        )

    values = {
        "wanted": str(wanted),
        "summary": anchor.summary or "-",
        "concepts": ", ".join(anchor.concepts) or "-",
        "question": anchor.query,
        "language": language_name(anchor.language),
    }
    found = await talk.ask(
        "plan",
        schemas.PlanShape,
        values,
        {"passages": pieces(anchor.query, anchor.language, passages)},
        language=anchor.language,
        said=lambda answer: " ".join(item.text for item in answer.tasks),
        begun=Begun("tasks", lambda answer: begun(drafts(answer))) if begun else None,
    )
    return drafts(found)


async def task_queries(talk: Talk, anchor: Anchor, todo: Todo) -> tuple[str, ...]:
    """Return the task in the question's terms and up to two more queries: planned, the question's, or the model's."""
    planned = todo.queries or (anchor.research_queries if todo.id == 0 else ())
    base = todo.text if todo.id == 0 else f"{todo.text} {' '.join(anchor.concepts[:3])}".strip()
    if planned:
        return different((base, *planned), anchor.language)[:3]
    values = {
        "concepts": ", ".join(anchor.concepts) or "-",
        "question": anchor.query,
        "task": todo.text,
        "language": language_name(anchor.language),
    }
    found = await talk.ask("task_queries", schemas.QueriesShape, values)
    return different((base, *found.queries), anchor.language)[:3]
