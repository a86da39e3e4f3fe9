"""The view is a pure fold over the events, so replaying a log gives the same view."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workflows.events import Event

from rabbithole.steps.models import Analysis, Answer, ClarifyingQuestion, Round, Todo
from rabbithole.steps.report_models import Citation, Metrics, MissingDocument, Report, ReportAnswer
from rabbithole.workflow.answer_events import AnswerClarification, ToolUsed
from rabbithole.workflow.chat.runs.codec import StatusChanged, decode, encode
from rabbithole.workflow.chat.runs.event_reducer import apply, replay
from rabbithole.workflow.chat.runs.live import changed_parts, condensed
from rabbithole.workflow.chat.runs.manager import can_reopen
from rabbithole.workflow.chat.runs.run_view import Ask, RunView
from rabbithole.workflow.chat.view.present import head
from rabbithole.workflow.chat.view.report_json import report
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    MetricsUpdated,
    PhaseChanged,
    PlanApproved,
    PlanProposed,
    QuestionsReopened,
    ReferenceFollowed,
    ReferenceMissing,
    ReferenceSkipped,
    ReportReady,
    ReportToken,
    TaskProgress,
    Warned,
)

ROUND = Round(index=0, queries=("a",), chunks=("c1",), analysis=Analysis(coverage=0.5))
QUESTION = ClarificationRequested(
    id="q1", round=ROUND, questions=[ClarifyingQuestion(id="x", text="Which?", options=("A", "B"))]
)
PLAN = PlanProposed(id="q2", todos=[Todo(id=0, text="all"), Todo(id=1, text="part")])
REPORT = Report(run_id="r", query="q", language="en", markdown="# A", metrics=Metrics(wall_seconds=7.0))
PLACE = {"task": 1, "depth": 1, "kind": "section", "source": "A, 1", "source_document": "a", "source_section": "a:1"}
FOLLOWED = ReferenceFollowed(
    **PLACE, text="section 2", target="A, 2", target_document="a", target_section="a:2", page=3, decision="follow"
)
SKIPPED = ReferenceSkipped(**PLACE, text="section 9", target="A, 9", decision="skip", reason="off topic")
EVENTS: list[Event] = [
    StatusChanged(status="running", at=10.0),
    PhaseChanged(phase="understand"),
    QUESTION,
    ClarificationAnswered(id="q1", answers=[Answer(question="x", text="A")]),
    PhaseChanged(phase="plan"),
    PLAN,
    PlanApproved(id="q2", todos=[Todo(id=1, text="part, changed"), Todo(id=0, text="all")]),
    TaskProgress(task=1, text="part, changed", status="running", evidence=["e1"], tokens=10, budget=100),
    FOLLOWED,
    SKIPPED,
    Warned(text="careful"),
    MetricsUpdated(calls=3, prompt_tokens=5),
    ReportToken(text="# A"),
    ReportReady(report=REPORT),
    StatusChanged(status="done", at=20.0),
]


def shown(events: list[Event]) -> RunView:
    return replay(RunView(run="r", query="q"), events)


def test_a_whole_run_is_seen() -> None:
    view = shown(EVENTS)
    assert view.status == "done"
    assert view.report == REPORT
    assert view.rounds[0].answers == (Answer(question="x", text="A"),)
    assert view.plan is not None
    assert [todo.id for todo in view.plan.todos] == [1, 0]
    assert view.tasks[1].text == "part, changed"
    assert [one.decision for one in view.tasks[1].references] == ["follow", "skip"]
    assert (view.counters.followed, view.counters.skipped, view.counters.depth, view.counters.calls) == (1, 1, 1, 3)
    assert (view.counters.seconds, view.counters.at) == (7.0, 0.0)


@pytest.mark.parametrize(
    ("events", "seconds", "at"),
    [
        ([], 0.0, 0.0),
        ([StatusChanged(status="running", at=10.0)], 0.0, 10.0),
        ([StatusChanged(status="running", at=10.0), MetricsUpdated(seconds=2.0, at=12.0)], 2.0, 12.0),
        ([StatusChanged(status="running", at=10.0), MetricsUpdated(seconds=2.0), PLAN], 2.0, 0.0),
        ([MetricsUpdated(seconds=2.0), StatusChanged(status="stopped", at=99.0)], 2.0, 0.0),
        ([MetricsUpdated(seconds=2.0, at=12.0), StatusChanged(status="stopped", at=15.0)], 5.0, 0.0),
        ([MetricsUpdated(seconds=2.0, at=12.0), StatusChanged(status="interrupted", at=999.0)], 2.0, 0.0),
        ([MetricsUpdated(seconds=2.0), StatusChanged(status="running", at=50.0)], 2.0, 50.0),
        ([MetricsUpdated(seconds=2.0, at=12.0), ReportReady(report=REPORT)], 7.0, 0.0),
    ],
)
def test_the_time_shown_is_working_time(events: list[Event], seconds: float, at: float) -> None:
    counters = shown(events).counters
    assert (counters.seconds, counters.at) == (seconds, at)


def test_a_run_waits_while_something_is_asked() -> None:
    assert shown(EVENTS[:3]).waiting
    assert not shown(EVENTS[:4]).waiting
    assert shown(EVENTS[:6]).waiting
    assert not shown(EVENTS[:7]).waiting


def test_going_back_drops_what_came_later() -> None:
    second = ClarificationRequested(id="q3", round=ROUND.model_copy(update={"index": 1}), questions=QUESTION.questions)
    view = shown([*EVENTS[:4], second])
    assert not can_reopen(view, QuestionsReopened(id="q3", round=1))
    assert can_reopen(view, QuestionsReopened(id="q3", round=0))
    planned = shown(EVENTS[:6])
    assert can_reopen(planned, QuestionsReopened(id="q2", round=0))
    for wrong in (QuestionsReopened(id="q1", round=0), QuestionsReopened(id="q2", round=1)):
        assert not can_reopen(planned, wrong)
    assert not can_reopen(shown(EVENTS[:7]), QuestionsReopened(id="q2", round=0))
    between = apply(planned, QuestionsReopened(id="q2", round=0))
    assert not between.waiting
    again = apply(apply(view, QuestionsReopened(id="q3", round=0)), QUESTION.model_copy(update={"id": "q4"}))
    assert again.waiting
    assert [one.index for one in again.rounds] == [0]
    assert again.plan is None


def test_an_answer_to_another_question_changes_nothing() -> None:
    view = shown(EVENTS[:3])
    assert apply(view, ClarificationAnswered(id="q0", end=True)) is view


def test_the_same_place_in_two_tasks_is_counted_once() -> None:
    again = FOLLOWED.model_copy(update={"task": 2})
    view = shown([*EVENTS, again])
    assert view.counters.followed == 1
    assert len(view.tasks[2].references) == 1


def test_a_second_attempt_and_a_second_sitting_write_anew() -> None:
    view = shown([ReportToken(text="one"), ReportToken(text=" two"), ReportToken(text="three", attempt=1)])
    assert view.draft.text == "three"
    assert apply(view, StatusChanged(status="running", at=1.0)).draft.text == ""


def test_events_survive_the_log() -> None:
    rows = [encode(event) for event in EVENTS]
    assert all(rows)
    again = [decode(*row) for row in rows if row is not None]
    assert shown(again) == shown(EVENTS)


def test_what_passes_between_steps_is_not_logged() -> None:
    assert encode(Event()) is None


def test_gathered_progress_shows_the_same_in_fewer_events() -> None:
    many = [
        *EVENTS[:-2],
        ReportToken(text=" B"),
        MetricsUpdated(calls=4),
        ReportToken(text="C", attempt=1),
        *EVENTS[-2:],
    ]
    few = condensed(many)
    assert len(few) < len(many)
    assert shown(few) == shown(many)


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (Ask(query="q"), ""),
        (Ask(query="q", spoken="de"), "de"),
        (Ask(query="q", spoken="de", language="en"), "en"),
    ],
)
def test_what_is_said_of_a_run_is_in_the_language_of_its_report(ask: Ask, expected: str) -> None:
    assert ask.answered_in == expected
    view = RunView(run="r", query="q", language=ask.answered_in)
    assert replay(view, EVENTS).language == REPORT.language


CITED = Citation(marker="[1]", key="e1", document="d", file="f.pdf", title="Air", page=0, page_label="1", verified=True)


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        (ReportAnswer(status="answered", probability=0.8, citations=(CITED,)), "answer.answered"),
        (ReportAnswer(status="none", probability=0.0), "answer.nothing"),
        (ReportAnswer(status="none", probability=0.7, citations=(CITED,)), "answer.likely"),
        (ReportAnswer(status="none", probability=0.3, citations=(CITED,)), "answer.none"),
        (ReportAnswer(status="none", probability=0.02, citations=(CITED,)), "answer.unlikely"),
        (ReportAnswer(status="none", citations=(CITED,)), "answer.none"),
        (ReportAnswer(status="none", probability=0.02, likeliest=0.7, citations=(CITED,)), "answer.likely_in_part"),
        (ReportAnswer(status="none", probability=0.02, likeliest=0.3, citations=(CITED,)), "answer.none"),
        (ReportAnswer(status="none", probability=0.7, likeliest=0.7, citations=(CITED,)), "answer.likely"),
    ],
)
def test_the_words_above_an_answer_say_how_likely_it_is_one(answer: ReportAnswer, title: str) -> None:
    assert report(REPORT.model_copy(update={"answer": answer}))["answer"]["title"] == title


def test_an_answer_asks_and_says_what_it_does() -> None:
    view = shown(
        [
            StatusChanged(status="running", at=1.0),
            ToolUsed(step=1, action="search", detail="filters"),
            ToolUsed(step=1, action="search", detail="filters"),
            AnswerClarification(id="a1", type="no_results", text="Nothing was found."),
        ]
    )
    assert [step.action for step in view.trace] == ["search"]
    assert view.waiting
    assert view.question is not None
    assert view.question.questions[0].text == "Nothing was found."
    answered = apply(view, ClarificationAnswered(id="a1", answers=[Answer(question="answer", text="air")]))
    assert not answered.waiting
    assert answered.rounds == ()


@settings(max_examples=60)
@given(st.lists(st.sampled_from(EVENTS), max_size=25))
def test_any_order_is_shown_and_unchanged_parts_stay_unchanged(events: list[Event]) -> None:
    view = RunView(run="r", query="q")
    for event in events:
        after = apply(view, event)
        changed = changed_parts(view, after)
        for name in {"rounds", "question", "plan", "report", "warnings"} - changed:
            assert getattr(view, name) == getattr(after, name)
        view = after
    assert replay(RunView(run="r", query="q"), events) == view


def test_what_is_missing_is_counted_by_the_report_alone() -> None:
    """Several references may name one document, and which do is known when all are."""
    named = [
        ReferenceMissing(**PLACE, text=text, target=target, decision="missing")
        for text, target in (("RFC 2119", "RFC 2119"), ("[RFC2119]", "BCP 14 [RFC2119]"))
    ]
    seen = shown([*EVENTS[:-2], *named])
    work = MissingDocument(name="BCP 14", kind="document", cited_by=("A, 1",), count=1)
    told = apply(seen, ReportReady(report=REPORT.model_copy(update={"missing": (work,)})))
    assert [one.decision for one in seen.tasks[1].references].count("missing") == 2
    assert (head(seen)["missing"], head(told)["missing"]) == (0, 1)
