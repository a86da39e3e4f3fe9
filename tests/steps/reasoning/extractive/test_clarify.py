"""What is asked back: only what would change the result, and nothing the question names."""

from __future__ import annotations

import asyncio

import pytest

from rabbithole.steps.models import ClarifyingQuestion
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Passage


def passage(file: str, text: str, title: str = "", section: str = "4 Rules") -> Passage:
    return Passage(
        key=f"e{abs(hash((file, text))) % 10**7:07}", where=f"{file}, {section}, p. 1", text=text, title=title
    )


def asked_back(question: str, language: str, *passages: Passage) -> tuple[ClarifyingQuestion, ...]:
    reasoner = ExtractiveReasoner()

    async def ask() -> tuple[ClarifyingQuestion, ...]:
        analysis = await reasoner.analyse(question, language, passages)
        return await reasoner.questions(question, language, analysis, passages, ())

    return asyncio.run(ask())


NODES = passage("nodes.pdf", "Compute nodes are sanitised before another job uses the memory of the machine again.")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What does section 4 say about compute nodes?", "en"),
        ("Must a submarine carry a lifeboat?", "en"),
        ("Braucht ein Hobbygärtner einen Schein?", "de"),
        ("Wie viel blaue Käse wiegt ein Traum?", "de"),
    ],
)
def test_nothing_is_asked_about_a_word_that_no_document_has(question: str, language: str) -> None:
    assert asked_back(question, language, NODES) == ()


EIGHT = "Die Bearbeitungszeit der Bachelorarbeit beträgt für alle Studierenden acht Wochen."
EIGHTEEN = "Die Bearbeitungszeit der Bachelorarbeit beträgt für alle Studierenden 18 Wochen."
FAR = "Stellplätze für Fahrräder sind vor jedem Gebäude in ausreichender Zahl vorzuhalten."
ASKED = "Wie lange ist die Bearbeitungszeit der Bachelorarbeit?"


@pytest.mark.parametrize(
    ("question", "first", "second", "asked"),
    [
        (ASKED, EIGHT, EIGHTEEN, True),
        (ASKED, EIGHT, EIGHT, False),
        (ASKED, EIGHT, FAR, False),
        (ASKED, EIGHT, "Die Bearbeitungszeit der Bachelorarbeit beginnt für alle mit der Ausgabe.", False),
        ("Wie lange ist die Bearbeitungszeit der Bachelorarbeit in Dresden?", EIGHT, EIGHTEEN, False),
        ("Wer verleiht den Preis der Stadt?", EIGHT, EIGHTEEN, False),
    ],
)
def test_the_document_is_asked_where_two_answer_differently(
    question: str, first: str, second: str, asked: bool
) -> None:
    found = asked_back(
        question,
        "de",
        passage("a.pdf", first, "Prüfungsordnung Dresden", "§ 14 Bachelorarbeit"),
        passage("b.pdf", second, "Prüfungsordnung Berlin", "§ 9 Bachelorarbeit"),
    )
    options = [one.options for one in found if one.several]
    assert bool(options) is asked
    if asked:
        assert options[0][:2] == ("Prüfungsordnung Dresden", "Prüfungsordnung Berlin")
