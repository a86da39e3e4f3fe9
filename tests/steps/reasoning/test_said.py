"""What a report shows of the places references led to."""

from __future__ import annotations

from rabbithole.kb.models import QuotePlace
from rabbithole.steps.models import ChainLink, Evidence, Quote
from rabbithole.steps.reasoning.extractive.statements import Followed, Statement, Used
from rabbithole.steps.reasoning.extractive.wording import paragraphs

GUIDE, REPORT, PAPER = "guide", "report", "paper"


def statement(document: str, section: str, text: str, score: float, via: tuple[str, str] | None = None) -> Statement:
    place = QuotePlace(document=document, start=0, end=len(text), page=0, page_label="1")
    chain = ()
    if via:
        chain = (ChainLink(document=via[0], section="1", reference=via[1], kind="section"),)
    evidence = Evidence(
        key=f"e{abs(hash((document, section))):08x}"[:9],
        task=0,
        document=document,
        section=section,
        file=f"{document}.pdf",
        title=document,
        section_label=section,
        info="",
        quotes=(Quote(text=text, place=place),),
        depth=len(chain),
        chain=chain,
    )
    return Statement(evidence=evidence, text=text, verbatim=True, score=score)


RULE = statement(GUIDE, "4.2", "Judge it according to TR-12, Section 5.3.", 0.9)
IDLE = statement(REPORT, "5.3", "An idle bed does not keep for ever.", 0.3, (GUIDE, "TR-12, Section 5.3"))
POINTS = statement(REPORT, "5.3", "Take the limits of Okafor [3, Section 4].", 0.2, (GUIDE, "TR-12, Section 5.3"))
LIMIT = statement(PAPER, "4", "Six years is a prudent limit for idle beds.", 0.6, (REPORT, "[3, Section 4]"))


def test_what_a_place_leads_on_to_stands_a_level_below_it() -> None:
    text = paragraphs([RULE], "en", Used("en"), Followed([RULE, LIMIT, IDLE, POINTS]))
    first, second = (line for line in text.splitlines() if line.lstrip().startswith("-"))
    assert first.startswith("- **report, 5.3")
    assert IDLE.text in first
    assert POINTS.text in first
    assert second.startswith("  - **paper, 4")
    assert LIMIT.text in second


def test_a_place_that_answers_no_better_is_not_gone_on_to() -> None:
    weak = LIMIT.model_copy(update={"score": 0.1})
    text = paragraphs([RULE], "en", Used("en"), Followed([RULE, IDLE, POINTS, weak]))
    assert weak.text not in text


def test_below_what_does_not_lead_nothing_is_gone_on_to() -> None:
    best = statement("other", "1", "The best answer of all of them.", 1.0)
    modest = RULE.model_copy(update={"score": 0.5})
    text = paragraphs([best, modest], "en", Used("en"), Followed([best, LIMIT, modest, IDLE, POINTS]))
    assert LIMIT.text not in text


def test_words_inside_a_quotation_are_not_said_again() -> None:
    used = Used("en")
    whole = statement(GUIDE, "1", "The operator shall 1. keep a log of beds, 2. report all losses at once.", 0.9)
    assert used.take(whole)
    assert used.has(statement(GUIDE, "1", "2. report all losses at once.", 0.8))
