"""What the extractive reasoner writes and how it judges a report."""

from __future__ import annotations

import asyncio
import re

from rabbithole.steps.models import Anchor, Evidence, Quote, Todo
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.extractive.sentence_scores import is_quotable
from rabbithole.steps.reasoning.protocol import QualityRequest, SupportClaim, WriteRequest


async def written(reasoner: ExtractiveReasoner, request: WriteRequest) -> str:
    return "".join([piece async for piece in reasoner.write(request)])


def test_a_report_answers_part_by_part_quotes_verbatim_and_repeats_nothing(
    anchor: Anchor, task: Todo, evidence: tuple[Evidence, ...]
) -> None:
    reasoner = ExtractiveReasoner()
    summary = asyncio.run(reasoner.summarise(anchor, task, evidence))
    tasks = (Todo(id=0, text=anchor.query, origin="question"), task)
    request = WriteRequest(
        anchor=anchor,
        tasks=tasks,
        summaries=(summary,),
        evidence=evidence,
        missing=("KTA 9999",),
        contradictions=("Zwei Fassungen nennen verschiedene Werte.",),
    )
    report = asyncio.run(written(reasoner, request))
    quotes = re.findall(r"„([^“]+)“ \[(e\d+)\]", report)
    known = {" ".join(quote.text.split()): item.key for item in evidence for quote in item.quotes}
    assert quotes
    assert all(known.get(quote) == key for quote, key in quotes)
    assert len({quote for quote, _ in quotes}) == len(quotes)
    assert report.startswith("# ")
    assert "## Antwort" in report
    assert "KTA 9999" in report
    assert "Zwei Fassungen" in report
    assert task.text.removesuffix(".") in report


def test_an_english_report_has_english_headings(evidence: tuple[Evidence, ...]) -> None:
    anchor = Anchor(query="Which dose limits apply?", language="en")
    request = WriteRequest(anchor=anchor, tasks=(Todo(id=1, text="Find the limits."),), summaries=(), evidence=())
    report = asyncio.run(written(ExtractiveReasoner(), request))
    assert "## Answer" in report
    assert "## Open points" in report
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


def piece(number: int, label: str, text: str, score: float, **named: str) -> Evidence:
    """A sentence of a section, quoted."""
    return Evidence(
        key=f"e000000{number}",
        task=0,
        document="d",
        section=f"s{number}",
        section_label=label,
        info=text,
        quotes=(Quote(text=text),),
        score=score,
        **named,  # type: ignore[arg-type]
    )


def test_the_answer_leads_with_the_sentence_whose_heading_is_the_question() -> None:
    """A short rule under a telling heading goes before long sentences that share more words with the question."""
    rule = "(1) Die zuständige Behörde erteilt sie, wenn das Dosiskriterium für die Freigabe eingehalten wird."
    aside = (
        "(6) Sieht der Antrag die Anwendung radioaktiver Stoffe in mehreren Einrichtungen vor, so erteilt die "
        "zuständige Behörde eine umfassende Genehmigung für alle Einrichtungen mit diesen Voraussetzungen."
    )
    evidence = (
        piece(0, "§ 31 Anwendung radioaktiver Stoffe am Menschen", aside, 1.0, file="StrlSchV.pdf"),
        piece(1, "§ 33 Erteilung der Freigabe", rule, 0.6, file="StrlSchV.pdf"),
    )
    anchor = Anchor(query="Wer darf die Freigabe radioaktiver Stoffe erteilen?", language="de")
    request = WriteRequest(anchor=anchor, tasks=(Todo(id=0, text=anchor.query),), summaries=(), evidence=evidence)
    rare = ExtractiveReasoner(rarity=lambda stem, _: 0.6 if stem.startswith("freigab") else 0.25)
    answer = asyncio.run(written(rare, request)).split("## Antwort")[1]
    assert rule in answer
    assert aside not in answer or answer.index(rule) < answer.index(aside)


def test_the_title_of_a_document_answers_nothing() -> None:
    title = "SG-7 Confinement and Ventilation"
    fans = "Two fans should be installed, each able to carry the full flow of the ventilation."
    evidence = (
        piece(0, title, "Safety Guide of the International Laboratory Association, edition of 2021", 0.9, title=title),
        piece(1, "3.3 Fans", fans, 0.5, title=title),
    )
    anchor = Anchor(query="What about confinement and ventilation?", language="en")
    request = WriteRequest(anchor=anchor, tasks=(Todo(id=0, text=anchor.query),), summaries=(), evidence=evidence)
    answer = asyncio.run(written(ExtractiveReasoner(), request)).split("## Answer")[1]
    assert "Two fans" in answer
    assert "Association" not in answer or answer.index("Two fans") < answer.index("Association")


def test_drawings_of_plain_text_documents_are_not_quoted() -> None:
    assert not is_quotable("Client Server ------ ------ ClientHello -----> <----- HelloRetryRequest (cookie) and more")
    assert is_quotable("The client MUST verify the identity of the server before it sends any data.")
