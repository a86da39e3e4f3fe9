import asyncio
import importlib
from pathlib import Path

import pytest
from asking import UNDECIDED, AskingReasoner
from flows import QUESTION, DelayedReasoner, answer_all, finish, research, settings, workflow
from workflows.errors import WorkflowCancelledByUser
from workflows.events import InputRequiredEvent

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.steps.models import Answer, ClarifyingQuestion, Round, Todo
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import TodoDraft
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    MetricsUpdated,
    PlanApproved,
    PlanProposed,
    QuestionsReopened,
    ReferenceFollowed,
    ReportToken,
    ResearchRequest,
    TaskProgress,
)
from rabbithole.workflow.report.partial import partial_report
from rabbithole.workflow.run.start import can_reopen
from rabbithole.workflow.run.state import OpenQuestion, ResearchState

SMALL = {"initial_todo_items": 3, "max_iterations": 1}


@pytest.fixture(scope="module")
def undisturbed(sample_kb, tmp_path_factory):
    return research(sample_kb, tmp_path_factory.mktemp("runs") / "runs.sqlite")


@pytest.mark.slow
def test_report_quotes_the_law_and_follows_its_references(undisturbed):
    report = undisturbed
    assert report.language == "de"
    assert "8 Millisievert im Kalenderjahr nicht überschreiten" in report.markdown
    assert all(citation.verified for citation in report.citations)
    followed = [edge for edge in report.references.edges if edge.decision == "follow"]
    places = {report.references.nodes[edge.target].label for edge in followed}
    assert any("§ 17" in place for place in places)
    assert any("§ 8" in place for place in places)


def test_every_quotation_stands_at_its_page(undisturbed, sample_kb):
    for citation in undisturbed.citations:
        place = sample_kb.find_quote(citation.document, citation.quote, page=citation.page)
        assert place is not None
        assert place.page == citation.page


@pytest.mark.slow
def test_report_holds_nothing_that_differs_between_runs(undisturbed, sample_kb, tmp_path):
    again = research(sample_kb, tmp_path / "runs.sqlite")
    assert again.markdown == undisturbed.markdown
    assert undisturbed.run_id not in undisturbed.markdown


@pytest.fixture(scope="module")
def small(sample_kb, tmp_path_factory):
    return research(sample_kb, tmp_path_factory.mktemp("small") / "runs.sqlite", **SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 20, 10))
def test_twenty_runs_with_random_delays_write_the_same_report(sample_kb, tmp_path, small, first):
    expected = small
    for seed in range(first, first + 10):
        report = research(sample_kb, tmp_path / f"{seed}.sqlite", reasoner=DelayedReasoner(seed), **SMALL)
        assert report.markdown == expected.markdown, f"seed {seed}"
        assert report.references == expected.references, f"seed {seed}"


@pytest.mark.slow
def test_nested_references_are_followed_to_depth_two(sample_kb, tmp_path):
    question = "Welche bemerkenswerten Vorgänge hat die Laborleitung der Behörde mitzuteilen, und in welcher Frist?"
    report = research(sample_kb, tmp_path / "runs.sqlite", question)
    depths = {edge.depth for edge in report.references.edges if edge.decision == "follow"}
    assert depths == {1, 2}
    chained = [one for items in report.evidence.values() for one in items if one.depth == 2]
    assert all(len(one.chain) == 2 for one in chained)


def test_depth_zero_follows_nothing_and_says_so(sample_kb, tmp_path, monkeypatch):
    # The hashed encoder is seldom sure, and what was not read is listed only beside an answer.
    monkeypatch.setattr(importlib.import_module("rabbithole.steps.selection.select"), "answered_from", lambda *_: 0.4)
    report = research(sample_kb, tmp_path / "runs.sqlite", reference_follow_depth=0)
    decisions = {edge.decision for edge in report.references.edges}
    assert "follow" not in decisions
    assert "depth" in decisions
    assert "Was nicht gelesen wurde und warum" in report.appendix
    assert "nicht gelesene Verweise" in report.markdown


@pytest.mark.slow
def test_a_budget_of_ten_tokens_stops_after_the_first_follow(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite", reference_token_budget=10)
    for task in range(len(report.todo)):
        edges = [edge for edge in report.references.edges if edge.task == task and edge.decision == "follow"]
        assert len(edges) <= 1
    assert any(edge.decision == "budget" for edge in report.references.edges)


@pytest.mark.slow
def test_people_are_asked_and_their_answers_shape_the_anchor(sample_kb, runs):
    report, events = asyncio.run(
        finish(workflow(sample_kb, runs, AskingReasoner()), ResearchRequest(query=UNDECIDED), answer_all)
    )
    asked = [event for event in events if isinstance(event, ClarificationRequested)]
    assert asked
    assert all(len(event.questions) <= 3 for event in asked)
    assert report.anchor.refinements[0] == "Es geht um volljährige Beschäftigte."
    assert len(asked) <= len(report.conversation) <= 5


@pytest.mark.slow
def test_rounds_end_at_the_fifth(sample_kb, runs):
    class Insisting(AskingReasoner):
        async def questions(self, question, language, analysis, passages, asked):
            (first,) = await super().questions(question, language, analysis, passages, ())
            return (first.model_copy(update={"text": f"{first.text} ({len(asked)})"}),)

    flow = workflow(
        sample_kb, runs, Insisting(), hitl_coverage_threshold=1.0, hitl_dedup_threshold=1.0, hitl_max_gaps=0
    )
    report, _ = asyncio.run(finish(flow, ResearchRequest(query=UNDECIDED), answer_all))
    assert len(report.conversation) == 5


def test_end_starts_at_once_and_second_answers_are_ignored(sample_kb, runs):
    async def impatient(handler, event):
        if isinstance(event, ClarificationRequested):
            for _ in range(3):
                handler.ctx.send_event(ClarificationAnswered(id=event.id, end=True))
            handler.ctx.send_event(ClarificationAnswered(id="q99", answers=[Answer(question="x", text="y")]))
        elif isinstance(event, PlanProposed):
            for _ in range(2):
                handler.ctx.send_event(PlanApproved(id=event.id, todos=event.todos[:1]))

    report, events = asyncio.run(
        finish(workflow(sample_kb, runs, AskingReasoner()), ResearchRequest(query=UNDECIDED), impatient)
    )
    assert sum(isinstance(event, ClarificationRequested) for event in events) == 1
    assert sum(isinstance(event, PlanProposed) for event in events) == 1
    assert report.anchor.refinements == ()


def test_a_plan_that_is_the_question_alone_waits_for_nobody(sample_kb, runs):
    report, events = asyncio.run(finish(workflow(sample_kb, runs), ResearchRequest(query="Was regelt § 12 IsoLG?")))
    assert not any(isinstance(event, InputRequiredEvent) for event in events)
    assert [one.todo.origin for one in report.todo if one.todo.origin != "gap"] == ["question"]


@pytest.mark.parametrize(("origin", "waits"), [("search", False), ("part", False), ("plan", True)])
def test_a_plan_waits_only_for_tasks_that_are_more_than_the_question_and_what_was_found(sample_kb, runs, origin, waits):
    class Planning(ExtractiveReasoner):
        def for_run(self, recorder, cache=None):
            return self

        async def plan(self, anchor, passages, wanted, begun=None):
            return (TodoDraft(text="Bedingung in § 5 IsoLG: „sofern ...“", origin=origin),)

    request = ResearchRequest(query="Was regelt § 12 IsoLG?")
    report, events = asyncio.run(finish(workflow(sample_kb, runs, Planning()), request, answer_all))
    assert any(isinstance(event, PlanProposed) for event in events) == waits
    shown = [len(event.todos) for event in events if isinstance(event, PlanApproved)]
    assert shown == ([] if waits else [2])
    assert [one.todo.origin for one in report.todo if one.todo.origin != "gap"] == ["question", origin]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("Wer prüft die Filter in einem Aquarium?", "„Aquarium“ kommt in keinem der durchsuchten Dokumente vor."),
        ("Wie oft werden die Filter geprüft, und wer führt die Aufzeichnungen?", ""),
        ("Warum singt der blaue Käse mittwochs rückwärts?", "Kein Wort der Frage"),
    ],
)
def test_without_a_model_the_answer_waits_for_nobody(sample_kb, runs, query, said):
    report, events = asyncio.run(finish(workflow(sample_kb, runs), ResearchRequest(query=query)))
    assert not any(isinstance(event, InputRequiredEvent) for event in events)
    assert said in report.answer.text
    assert [event.todos[1].origin for event in events if isinstance(event, PlanApproved)] in ([], ["part"], ["search"])


def test_the_clock_stands_while_a_question_is_open(sample_kb, runs):
    flow = workflow(sample_kb, runs, AskingReasoner())
    report, events = asyncio.run(finish(flow, ResearchRequest(query=UNDECIDED), answer_all))
    told = [event for event in events if isinstance(event, MetricsUpdated | InputRequiredEvent)]
    asked = [at for at, event in enumerate(told) if isinstance(event, InputRequiredEvent)]
    assert [type(told[at]) for at in asked] == [ClarificationRequested, PlanProposed]
    for at in asked:
        before, after = told[at - 1], told[at + 1]
        assert (before.at, after.at > 0) == (0, True)
        assert after.seconds == pytest.approx(before.seconds, abs=0.2)
    seconds = [event.seconds for event in told if isinstance(event, MetricsUpdated)]
    assert seconds == sorted(seconds)
    assert report.metrics.wall_seconds <= seconds[-1]


def test_what_was_answered_can_be_changed_until_the_plan_is_approved(sample_kb, runs):
    said = {"q1": "Es geht um Auszubildende.", "q3": "Es geht um volljährige Beschäftigte."}

    async def undecided(handler, event):
        if isinstance(event, ClarificationRequested) and event.id in said:
            answers = [Answer(question=event.questions[0].id, text=said[event.id])]
            handler.ctx.send_event(ClarificationAnswered(id=event.id, answers=answers))
        elif isinstance(event, PlanProposed) and event.id == "q2":
            for number in (7, -1):
                handler.ctx.send_event(QuestionsReopened(id="q2", round=number))
            handler.ctx.send_event(QuestionsReopened(id="q1", round=0))
            handler.ctx.send_event(QuestionsReopened(id="q2", round=0))
        elif isinstance(event, PlanProposed):
            handler.ctx.send_event(QuestionsReopened(id="q2", round=0))
            handler.ctx.send_event(PlanApproved(id=event.id, todos=event.todos[:1]))

    flow = workflow(sample_kb, runs, AskingReasoner(), hitl_max_iterations=1, max_iterations=1)
    report, events = asyncio.run(finish(flow, ResearchRequest(query=UNDECIDED), undecided))
    asked = [event for event in events if isinstance(event, ClarificationRequested)]
    assert [event.id for event in asked] == ["q1", "q3"]
    assert asked[1].questions == asked[0].questions
    assert [answer.text for answer in asked[1].round.answers] == [said["q1"]]
    assert [event.id for event in events if isinstance(event, PlanProposed)] == ["q2", "q4"]
    assert report.anchor.refinements == (said["q3"],)
    assert len(report.conversation) == 1


ASKED = Round(index=0, queries=("a",), chunks=(), questions=(ClarifyingQuestion(id="x", text="Which?"),))
SILENT = Round(index=1, queries=("b",), chunks=())


@pytest.mark.parametrize(
    ("rounds", "kind", "index", "possible"),
    [
        ((ASKED,), "plan", 0, True),
        ((ASKED, SILENT), "plan", 1, False),
        ((ASKED,), "clarification", 0, False),
        ((ASKED, ASKED), "clarification", 0, True),
        ((ASKED,), "plan", -1, False),
        ((ASKED,), "plan", 1, False),
        ((ASKED,), None, 0, False),
    ],
)
def test_can_reopen(rounds, kind, index, possible):
    question = OpenQuestion(id="q", kind=kind) if kind else None
    assert can_reopen(ResearchState(rounds=rounds, question=question), index) is possible


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edited", "count", "note"),
    [
        ([], 1, "Der Plan war leer"),
        ([Todo(id=n, text=f"Aufgabe {n} zu § {n}") for n in range(50)], 3, "mehr als 3 Aufgaben"),
    ],
)
def test_odd_plans_have_a_clear_outcome(sample_kb, runs, edited, count, note):
    async def person(handler, event):
        if isinstance(event, ClarificationRequested):
            handler.ctx.send_event(ClarificationAnswered(id=event.id, end=True))
        elif isinstance(event, PlanProposed):
            handler.ctx.send_event(PlanApproved(id=event.id, todos=edited))

    flow = workflow(sample_kb, runs, AskingReasoner(), todo_max_items=3, initial_todo_items=2, max_iterations=1)
    report, _ = asyncio.run(finish(flow, ResearchRequest(query=UNDECIDED), person))
    assert len(report.todo) == count
    assert any(note in warning for warning in report.warnings)


class FailingGate(ExtractiveReasoner):
    def for_run(self, recorder, cache=None):
        return self

    async def gate(self, anchor, todo, candidates):
        if todo.id == 1:
            raise ConnectionError("the line is dead")
        return await super().gate(anchor, todo, candidates)


@pytest.mark.slow
def test_a_failing_branch_says_so_and_ends_nothing_else(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite", reasoner=FailingGate())
    assert report.todo[1].todo.status == "failed"
    assert report.todo[0].todo.status == "done"
    assert any("the line is dead" in warning for warning in report.warnings)


def test_stopping_keeps_a_readable_partial_result(sample_kb, runs):
    async def stop_midway():
        flow = workflow(sample_kb, runs, DelayedReasoner(1, longest=0.2))
        handler = flow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True))
        async for event in handler.stream_events():
            if isinstance(event, TaskProgress) and event.evidence:
                await handler.cancel_run()
        with pytest.raises(WorkflowCancelledByUser):
            await handler
        await flow.settled()
        return handler.run_id, await partial_report(runs, sample_kb, settings(), handler.run_id)

    run_id, report = asyncio.run(stop_midway())
    assert runs.list()[0].status == "stopped"
    assert report.partial
    assert "angehalten" in report.markdown
    assert report.citations
    assert report.run_id == run_id


class BriefReasoner(ExtractiveReasoner):
    """Writes one sentence about the best evidence, whatever else was found."""

    def for_run(self, recorder, cache=None):
        return self

    async def write(self, request):
        best = request.evidence[0]
        yield f"## Antwort\n\n„{' '.join(best.quotes[0].text.split())}“ [{best.key}]\n"


def test_what_the_writer_left_out_is_put_to_the_reader(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite", reasoner=BriefReasoner())
    assert "[[1]][s1]" in report.body
    assert "Gelesen, aber oben nicht verwendet" in report.appendix
    assert "[[2]][s2]" in report.appendix
    assert all(citation.verified for citation in report.citations)


@pytest.mark.parametrize("mode", ["research", "plain"])
def test_a_knowledge_base_without_documents_is_said(runs, tmp_path, mode):
    empty = KnowledgeBase.open(tmp_path / "kb", KbSettings(_env_file=None, embedding_model="hash"), create=True)
    with empty as kb, pytest.raises(UsageError, match="no documents in"):
        asyncio.run(finish(workflow(kb, runs), ResearchRequest(query=QUESTION, auto_approve=True, mode=mode)))
    assert not runs.list()


def test_plain_mode_retrieves_once_and_answers_once(sample_kb, runs):
    request = ResearchRequest(query=QUESTION, mode="plain")
    report, events = asyncio.run(finish(workflow(sample_kb, runs), request))
    assert report.mode == "plain"
    assert not report.references.edges
    assert report.citations
    assert not any(isinstance(event, (ReferenceFollowed, PlanProposed)) for event in events)


@pytest.mark.slow
def test_a_follow_up_reads_the_evidence_of_the_run_before(sample_kb, runs):
    first, _ = asyncio.run(finish(workflow(sample_kb, runs), ResearchRequest(query=QUESTION, auto_approve=True)))
    request = ResearchRequest(query="Gilt das auch für Auszubildende?", auto_approve=True, parent_run=first.run_id)
    report, _ = asyncio.run(finish(workflow(sample_kb, runs), request))
    sections = {one.section for items in report.evidence.values() for one in items}
    assert sections & {citation.section for citation in first.citations}


@pytest.mark.parametrize("query", ["", "   ", "Wort " * 20_000])
def test_questions_nobody_can_answer_are_refused(sample_kb, runs, query):
    with pytest.raises(UsageError, match="question"):
        asyncio.run(finish(workflow(sample_kb, runs), ResearchRequest(query=query)))


def test_an_unknown_collection_names_the_known_ones(sample_kb, runs):
    with pytest.raises(UsageError, match="Sample"):
        asyncio.run(finish(workflow(sample_kb, runs), ResearchRequest(query=QUESTION, collections=["Nope"])))


@pytest.mark.slow
def test_the_report_is_streamed_while_it_is_written(sample_kb, runs):
    request = ResearchRequest(query=QUESTION, auto_approve=True)
    _, events = asyncio.run(finish(workflow(sample_kb, runs), request))
    assert sum(isinstance(event, ReportToken) for event in events) > 1


def test_settings_path_is_used(tmp_path: Path):
    assert settings(runs_path=tmp_path / "x.sqlite").runs_path == tmp_path / "x.sqlite"


@pytest.mark.slow
def test_the_state_is_dumped_at_every_phase_when_asked(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite", enable_state_dump=True, state_dump_path=tmp_path / "dumps")
    dumped = sorted(path.name for path in (tmp_path / "dumps" / report.run_id).iterdir())
    phases = ("plan", "dig", "validate", "write", "check", "attribute", "done")
    assert [name.split("_")[1] for name in dumped] == [f"{phase}.md" for phase in phases]
    assert "## ledger" in (tmp_path / "dumps" / report.run_id / "3_validate.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_personal_data_leaves_the_report_object_when_asked(sample_kb, tmp_path):
    question = f"{QUESTION} (Anfrage von Erika Mustermann, erika@example.org)"
    open_report = research(sample_kb, tmp_path / "a.sqlite", query=question)
    assert "erika@example.org" in open_report.model_dump_json()
    report = research(sample_kb, tmp_path / "b.sqlite", query=question, redact="all")
    assert "erika@example.org" not in report.model_dump_json()
    assert "Mustermann" not in report.markdown
    assert report.citations[0].document == open_report.citations[0].document
