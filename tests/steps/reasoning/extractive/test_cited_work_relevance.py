"""Works cited beside an answer: followed if their title or the citing sentence has the part's own words."""

from __future__ import annotations

import pytest

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.reasoning.extractive.cited_work_relevance import bears, is_worth_reading
from rabbithole.steps.reasoning.extractive.gate import CITED_A_WAVE, gate
from rabbithole.steps.reasoning.protocol import GateCandidate
from rabbithole.steps.reasoning.text.similarity import Meaning

RARITY = {"ferry": 1.0, "timetabl": 0.8, "harbour": 0.6, "report": 0.1, "use": 0.1, "storm": 0.9}


@pytest.mark.parametrize(
    ("own", "asked", "title", "said", "followed"),
    [
        ("ferry harbour", "", "", "ferry", True),
        ("ferry harbour", "", "ferry", "report", True),
        ("ferry harbour storm", "", "", "harbour report use", False),
        ("storm harbour", "ferry timetabl", "ferry timetabl report", "use", True),
        ("storm harbour", "report", "ferry timetabl report", "use", False),
        ("storm harbour", "ferry", "ferry", "use", False),  # one word names no work
        ("", "", "", "", False),
    ],
)
def test_what_bears_on_a_part(own: str, asked: str, title: str, said: str, followed: bool) -> None:
    words = [frozenset(text.split()) for text in (f"{asked} {own}", title, said)]
    assert bears(dict.fromkeys(own.split(), 1.0), *words, RARITY) is followed


@pytest.mark.parametrize(
    ("part", "question", "title", "sentence", "followed"),
    [
        (
            "What must the skipper do in a storm?",
            "The harbour rules name a plain guide to ferries in winter. What must the skipper do in a storm?",
            "Ferries in Winter",
            "There is a plain account [4].",
            True,
        ),
        (
            "How often do ferries leave the island?",
            "How often do ferries leave the island?",
            "Notes on Tides",
            "Ferries leave the island as the timetable says [4].",
            True,
        ),
        (
            "How often do ferries leave the island?",
            "How often do ferries leave the island?",
            "Notes on Tides",
            "The harbour is old [4].",
            False,
        ),
        (
            "Which part of HB 700 is on keys?",
            "Which part of HB 700 is on keys?",
            "HB 800 Part 2",
            "Locks are tested [4].",
            False,
        ),
    ],
)
def test_titles_and_sentences(part: str, question: str, title: str, sentence: str, followed: bool) -> None:
    assert is_worth_reading(part, question, title, sentence, "en", Meaning(None)) is followed


def candidate(name: str, *, cited: bool = True) -> GateCandidate:
    sentence = f"The winter ferries are described elsewhere [{name}]."
    return GateCandidate(id=name, text=f"[{name}]", context=sentence, target=f"Sailing Almanac {name}", cited=cited)


def test_only_works_cited_beside_the_answer_are_followed_and_few_of_them() -> None:
    question = "How many winter ferries are there on the northern line between island and harbour on working days?"
    anchor, todo = Anchor(query=question, language="en"), Todo(id=1, text="Which ferries run in winter?")
    candidates = [candidate("0", cited=False), *(candidate(str(number)) for number in range(1, CITED_A_WAVE + 3))]
    followed = [one.id for one in gate(anchor, todo, candidates, Meaning(None)) if one.follow]
    assert followed == [str(number) for number in range(1, CITED_A_WAVE + 1)]
