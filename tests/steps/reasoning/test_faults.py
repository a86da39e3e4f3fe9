"""With any server fault, every purpose is answered in the user's language, and each fallback is reported."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest
from servers.answers import FRENCH
from servers.model_server import FAULTS, Behaviour, running
from servers.settings import settings_for

from rabbithole.steps.language import detect_language, own_words
from rabbithole.steps.models import Anchor, Answer, Evidence, Round, Todo
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.protocol import (
    GateCandidate,
    ListedResult,
    Passage,
    QualityRequest,
    Reasoner,
    SupportClaim,
    WriteRequest,
)
from rabbithole.steps.reasoning.recorder import Recorder

pytestmark = pytest.mark.slow


async def everything(
    reasoner: Reasoner, anchor: Anchor, task: Todo, passages: tuple[Passage, ...], evidence: tuple[Evidence, ...]
) -> str:
    """Every purpose once; the report."""
    question = anchor.query
    queries = await reasoner.queries(question, "de", (), ())
    assert 1 <= len(queries) <= 3
    assert queries[0] == question
    analysis = await reasoner.analyse(question, "de", passages)
    assert 0 <= analysis.coverage <= 1
    assert len(await reasoner.questions(question, "de", analysis, passages, ())) <= 3
    rounds = (Round(index=0, queries=queries, chunks=(), answers=(Answer(question="", text="nur Erwachsene"),)),)
    assert await reasoner.conversation(question, "de", rounds)
    assert 1 <= len(await reasoner.plan(anchor, passages, 4)) <= 4
    assert await reasoner.task_queries(anchor, task)
    extracted = await reasoner.extract(anchor, task, passages, references=True)
    assert [item.key for item in extracted] == [item.key for item in passages]
    candidates = [GateCandidate(id=f"r{n}", text=f"§ {n}", context=f"nach § {n} gilt", target="") for n in range(1, 24)]
    decided = await reasoner.gate(anchor, task, candidates)
    assert [item.id for item in decided] == [item.id for item in candidates]
    assert all(item.reason for item in decided)
    summary = await reasoner.summarise(anchor, task, evidence)
    assert summary.text
    chosen = evidence[0]
    answer = f"> {chosen.quotes[0] if chosen.quotes else chosen.info} [{chosen.key}]"
    request = WriteRequest(
        anchor=anchor, tasks=(task,), summaries=(summary,), evidence=evidence, answer=answer, chosen=(chosen.key,)
    )
    report = "".join([piece async for piece in reasoner.write(request)])
    judged = QualityRequest(anchor=anchor, markdown=report, evidence=evidence)
    quality = await reasoner.quality(judged)
    assert 0 <= quality.total <= 500
    assert (await reasoner.remedy(judged, quality)).action in ("accept", "retry")
    claims = [SupportClaim(sentence="Etwas anderes gilt hier für alle.", source="Der Wert beträgt 20.")] * 3
    scores = await reasoner.support(claims)
    assert len(scores) == 3
    assert (await reasoner.decompose(question, "de", ("A",), ("year",))).subqueries
    shown = [ListedResult(number=1, title="Dosisgesetz", document="d", page="1", snippet="Grenzwerte")]
    assert (await reasoner.select(question, question, "de", shown, ())).reason
    assert (await reasoner.review(question, "de", (question,), (), 3)).reason
    assert "".join([piece async for piece in reasoner.compose(question, "de", (), evidence)])
    await reasoner.close()
    return report


@pytest.mark.parametrize("kind", ["ollama", "openai"])
@pytest.mark.parametrize("fault", FAULTS)
def test_thirty_percent_of_one_fault(
    fault: str,
    kind: Literal["ollama", "openai"],
    anchor: Anchor,
    task: Todo,
    passages: tuple[Passage, ...],
    evidence: tuple[Evidence, ...],
) -> None:
    with running(Behaviour(rate=0.3, faults=(fault,)), seed=5) as server:
        reasoner = make_reasoner(settings_for(server.url, reasoner=kind, llm_first_token_timeout=1.0)).for_run(
            Recorder()
        )
        report = asyncio.run(everything(reasoner, anchor, task, passages, evidence))
        assert any(call.fault == fault for call in server.calls)
    assert "[e0000001]" in report
    assert detect_language(own_words(report)) == "de"


@pytest.mark.parametrize("fault", FAULTS)
def test_every_call_of_one_fault_is_a_research_without_a_model_and_says_so(
    fault: str, anchor: Anchor, task: Todo, passages: tuple[Passage, ...], evidence: tuple[Evidence, ...]
) -> None:
    with running(Behaviour(rate=1.0, faults=(fault,))) as server:
        settings = settings_for(server.url, llm_attempts=1, llm_first_token_timeout=1.0, llm_idle_timeout=0.3)
        reasoner = make_reasoner(settings).for_run(Recorder())
        report = asyncio.run(everything(reasoner, anchor, task, passages, evidence))
    assert reasoner.recorder.notes
    assert "[e0000001]" in report
    assert "18 Millisievert" in report


def test_a_mixture_of_faults_names_what_is_degraded(
    anchor: Anchor, task: Todo, passages: tuple[Passage, ...], evidence: tuple[Evidence, ...]
) -> None:
    with running(Behaviour(rate=0.3), seed=11) as server:
        recorder = Recorder()
        reasoner = make_reasoner(settings_for(server.url)).for_run(recorder)
        asyncio.run(everything(reasoner, anchor, task, passages, evidence))
    failed = sum(item.failed for item in recorder.by_purpose.values())
    assert bool(failed) == bool(recorder.notes)
    assert recorder.structured_valid <= recorder.structured


def test_a_model_removed_in_the_middle_is_degraded_not_fatal(
    anchor: Anchor, task: Todo, passages: tuple[Passage, ...], evidence: tuple[Evidence, ...]
) -> None:
    with running() as server:
        reasoner = make_reasoner(settings_for(server.url)).for_run(Recorder())
        server.behaviour.models.clear()
        server.behaviour.models.append("another")
        asyncio.run(everything(reasoner, anchor, task, passages, evidence))
    assert any("not found" in note for note in reasoner.recorder.notes)


def test_what_was_written_before_the_model_fell_silent_stays(anchor: Anchor, evidence: tuple[Evidence, ...]) -> None:
    more = tuple(evidence[0].model_copy(update={"key": f"e000001{number}", "start": number}) for number in range(4))

    async def report(reasoner: Reasoner) -> str:
        tasks = (Todo(id=1, text="Werte suchen."),)
        request = WriteRequest(anchor=anchor, tasks=tasks, summaries=(), evidence=(*evidence, *more))
        text = "".join([piece async for piece in reasoner.write(request)])
        await reasoner.close()
        return text

    with running(Behaviour(script=["hang"], pieces=12)) as server:
        text = asyncio.run(report(make_reasoner(settings_for(server.url))))
    assert text.startswith("# Bericht zur gestellten Frage")
    assert "Ab hier ohne Modell" in text
    assert "18 Millisievert" in text


def test_a_paragraph_in_another_language_is_said_again_or_marked(
    anchor: Anchor, evidence: tuple[Evidence, ...]
) -> None:
    async def report(reasoner: Reasoner) -> str:
        request = WriteRequest(anchor=anchor, tasks=(), summaries=(), evidence=evidence)
        text = "".join([piece async for piece in reasoner.write(request)])
        await reasoner.close()
        return text

    with running(Behaviour(script=["other_language"])) as server:
        mended = asyncio.run(report(make_reasoner(settings_for(server.url))))
        assert len(server.calls) == 2
    german = "# Bericht über die Grenzwerte\n\nDer Grenzwert steht im Gesetz und gilt für alle. [e0000001]"
    with running(Behaviour(fixed_text=f"{german}\n\n{FRENCH} [e0000002]")) as server:
        marked = asyncio.run(report(make_reasoner(settings_for(server.url))))
    assert "limite" not in mended
    assert "nicht auf Deutsch" in marked
    assert "gilt für alle" in marked
