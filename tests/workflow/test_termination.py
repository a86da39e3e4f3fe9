"""Each condition that ends a conversation, following, a task, digging or writing."""

import asyncio

import pytest
from asking import UNDECIDED, AskingReasoner
from flows import QUESTION, answer_all, finish, proposal, research, settings, workflow

from rabbithole.steps.follow_limits import Totals
from rabbithole.steps.models import Analysis, Answer, Round, TaskSummary, Todo
from rabbithole.steps.phases.convergence import conversation_ended
from rabbithole.steps.phases.gate import sort_out
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Remedy
from rabbithole.steps.report_models import Quality
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    DigFinished,
    PlanApproved,
    PlanProposed,
    QualityAssessed,
    ResearchRequest,
    TaskFinished,
)
from rabbithole.workflow.run.edit import StateEdit
from rabbithole.workflow.run.reducer import reduce, started
from rabbithole.workflow.run.state import ResearchState

pytestmark = pytest.mark.slow


def rounds(count, coverage=0.0, duplicates=0.0, gaps=9):
    analysis = Analysis(coverage=coverage, gaps=tuple(f"g{n}" for n in range(gaps)))
    return [Round(index=n, queries=(), chunks=(), duplicate_ratio=duplicates, analysis=analysis) for n in range(count)]


@pytest.mark.parametrize(
    ("past", "end", "ended"),
    [
        (rounds(1), True, "user_end"),
        (rounds(5), False, "max_iterations"),
        (rounds(2, coverage=0.8, duplicates=0.7, gaps=2), False, "convergence"),
        (rounds(2, coverage=0.79, duplicates=0.7, gaps=2), False, None),
        (rounds(2, coverage=0.8, duplicates=0.69, gaps=2), False, None),
        (rounds(2, coverage=0.8, duplicates=0.7, gaps=3), False, None),
    ],
)
def test_a_conversation_ends_by_the_person_by_rounds_or_when_nothing_new_is_to_be_had(past, end, ended):
    assert conversation_ended(past, settings(), end=end) == ended


async def ends_with(event, handler, said):
    if isinstance(event, ClarificationRequested):
        handler.ctx.send_event(said(event))
    elif isinstance(event, PlanProposed):
        handler.ctx.send_event(PlanApproved(id=event.id, todos=event.todos[:1]))


@pytest.mark.parametrize(
    "said",
    [
        lambda event: ClarificationAnswered(id=event.id, end=True),
        lambda event: ClarificationAnswered(id=event.id, answers=[]),
        lambda event: ClarificationAnswered(id=event.id, answers=[Answer(question="", text="  ")]),
    ],
    ids=["/end", "no answer", "empty answer"],
)
def test_an_ended_conversation_asks_nothing_more(sample_kb, runs, said):
    async def person(handler, event):
        await ends_with(event, handler, said)

    report, events = asyncio.run(
        finish(workflow(sample_kb, runs, AskingReasoner()), ResearchRequest(query=UNDECIDED), person)
    )
    assert sum(isinstance(event, ClarificationRequested) for event in events) == 1
    assert report.anchor.refinements == ()


def test_following_ends_at_the_depth(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite", reference_follow_depth=1, max_iterations=1)
    depths = {edge.depth for edge in report.references.edges if edge.decision == "follow"}
    assert depths == {1}
    assert {edge.decision for edge in report.references.edges if edge.depth == 2} <= {
        "depth",
        "seen",
        "missing",
        "skip",
    }


@pytest.mark.parametrize(
    ("stale", "tokens", "stop"),
    [(3, 0, "converged"), (0, 50_000, "budget"), (2, 49_999, None), (9, 60_000, "converged")],
)
def test_following_ends_when_the_budget_is_spent_or_nothing_new_turns_up(stale, tokens, stop):
    assert Totals(seen=frozenset(), stale=stale, tokens=tokens).stop(settings()) == stop


def test_following_ends_where_it_has_been():
    (found,) = sort_out([proposal(1).mention], {"d/1"}, "de")
    assert found.decision == "seen"


def dug(texts):
    """A state in which all these tasks are being summarised."""
    todos = tuple(Todo(id=number, text=text) for number, text in enumerate(texts))
    edit = StateEdit(started(ResearchState(query="Frage", language="de", todos=todos), range(len(texts))).state)
    for task in range(len(texts)):
        edit.task(task, stage="summarising")
    return edit.state


def finish_task(state, task, *gaps):
    return reduce(state, TaskFinished(task=task, summary=TaskSummary(task=task, text="", gaps=gaps)), settings())


def test_digging_ends_when_every_task_has():
    first = finish_task(dug(["A", "B"]), 1)
    assert not any(isinstance(event, DigFinished) for event in first.events)
    second = finish_task(first.state, 0)
    assert any(isinstance(event, DigFinished) for event in second.events)
    assert second.state.phase == "validate"


def test_a_task_that_has_ended_is_not_ended_again():
    state = finish_task(dug(["A", "B"]), 0).state
    again = finish_task(state, 0, "Neue Lücke")
    assert again.events == []
    assert len(again.state.tasks) == 2


def test_tasks_from_gaps_end_with_the_rounds():
    edit = StateEdit(finish_task(dug(["A"]), 0, "Lücke eins").state)
    edit.task(1, stage="summarising")
    change = finish_task(edit.state, 1, "Lücke zwei")
    assert any(isinstance(event, DigFinished) for event in change.events)
    assert len(change.state.tasks) == 2


class NeverContent(ExtractiveReasoner):
    """Finds every draft bad and always wants it written again."""

    def for_run(self, recorder, cache=None):
        return self

    async def quality(self, request):
        scores = dict.fromkeys(set(Quality.model_fields) - {"decision", "notes"}, 10)
        return Quality(**scores)

    async def remedy(self, request, quality):
        return Remedy(action="retry", focus="besser")


@pytest.mark.parametrize("rewrites", [0, 1])
def test_writing_ends_after_one_rewrite(sample_kb, runs, rewrites):
    flow = workflow(sample_kb, runs, NeverContent(), max_rewrites=rewrites, initial_todo_items=1, max_iterations=1)
    report, events = asyncio.run(finish(flow, ResearchRequest(query=QUESTION, auto_approve=True)))
    assert sum(isinstance(event, QualityAssessed) for event in events) == rewrites + 1
    assert report.quality.decision == ("accepted_after_retry" if rewrites else "accept")


def test_a_plan_without_tasks_keeps_the_question(sample_kb, runs):
    async def person(handler, event):
        if isinstance(event, PlanProposed):
            handler.ctx.send_event(PlanApproved(id=event.id, todos=[]))
        else:
            await answer_all(handler, event)

    flow = workflow(sample_kb, runs, AskingReasoner())
    report, _ = asyncio.run(finish(flow, ResearchRequest(query=UNDECIDED), person))
    assert [one.todo.text for one in report.todo if one.todo.origin != "gap"] == [UNDECIDED]
