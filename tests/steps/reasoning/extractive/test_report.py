"""What the extractive reasoner writes and how it judges a report."""

from __future__ import annotations

import asyncio

from rabbithole.steps.models import Anchor, Evidence, Todo
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.extractive.sentence_scores import is_quotable
from rabbithole.steps.reasoning.protocol import QualityRequest, SupportClaim, WriteRequest


async def written(reasoner: ExtractiveReasoner, request: WriteRequest) -> str:
    return "".join([piece async for piece in reasoner.write(request)])


def test_a_report_is_the_answer_then_what_belongs_to_it(anchor: Anchor, task: Todo) -> None:
    request = WriteRequest(
        anchor=anchor,
        tasks=(Todo(id=0, text=anchor.query, origin="question"), task),
        summaries=(),
        evidence=(),
        answer="**DosG, § 1, S. 1:**\n\n> Es gelten 18 Millisievert. [e0000001]\n",
        beside="## Was die Antwort einschränkt\n\n> Nur bis 2020. [e0000002]",
        contradictions=("Zwei Fassungen nennen verschiedene Werte.", "Zwei Fassungen nennen verschiedene Werte."),
    )
    report = asyncio.run(written(ExtractiveReasoner(), request))
    order = (
        "# ",
        "## Antwort",
        "18 Millisievert",
        "## Was die Antwort einschränkt",
        "## Abweichungen",
        "Zwei Fassungen",
    )
    assert [report.index(part) for part in order] == sorted(report.index(part) for part in order)
    assert report.count("Zwei Fassungen") == 1
    assert task.text.removesuffix(".") not in report


def test_a_report_without_an_answer_says_so() -> None:
    anchor = Anchor(query="Which dose limits apply?", language="en")
    request = WriteRequest(anchor=anchor, tasks=(Todo(id=1, text="Find the limits."),), summaries=(), evidence=())
    report = asyncio.run(written(ExtractiveReasoner(), request))
    assert "## Answer" in report
    assert "No sentence in the documents" in report


def test_quality_counts_what_can_be_counted(anchor: Anchor, evidence: tuple[Evidence, ...]) -> None:
    answer = "Der Grenzwert der effektiven Dosis beruflich exponierter Personen ist da. [e0000001]"
    good = f"# T\n\n## Antwort\n\n{answer}\n\n## Mehr\n\nText. [e0000002]"
    reasoner = ExtractiveReasoner()
    best = asyncio.run(reasoner.quality(QualityRequest(anchor=anchor, markdown=good, evidence=evidence)))
    worse = QualityRequest(
        anchor=anchor, markdown=good, evidence=evidence, unknown_keys=3, unverified_quotes=2, language_ok=False
    )
    poor = asyncio.run(reasoner.quality(worse))
    assert best.total > 400 > poor.total
    remedy = asyncio.run(reasoner.remedy(worse, poor))
    assert remedy.action == "retry"
    assert "Deutsch" in remedy.focus


def test_support_tells_verbatim_supported_and_contradicted_apart() -> None:
    source = "Der Grenzwert der effektiven Dosis beträgt 18 Millisievert im Kalenderjahr."
    claims = (
        SupportClaim(sentence=f"„{source}“ [e0000001]", source=source),
        SupportClaim(sentence="Der Grenzwert beträgt 18 Millisievert.", source=source),
        SupportClaim(sentence="Der Grenzwert beträgt 50 Millisievert.", source=source),
        SupportClaim(sentence="Fahrräder brauchen Stellplätze.", source=source),
    )
    verbatim, good, wrong, foreign = asyncio.run(ExtractiveReasoner().support(claims))
    assert verbatim == 1.0
    assert good > 0.7 > wrong > foreign


def test_drawings_of_plain_text_documents_are_not_quoted() -> None:
    assert not is_quotable("Client Server ------ ------ ClientHello -----> <----- HelloRetryRequest (cookie) and more")
    assert is_quotable("The client MUST verify the identity of the server before it sends any data.")
