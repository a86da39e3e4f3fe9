"""Sections that a question quotes by their headings, or whose heading is the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from tests.kb_records import knowledge_base, record

CHARGED = "My pump says that it is low even after charging. What can I do?"
REPLACED = "I replaced the cells of my pump. How do I reset it?"


def headed(name: str, sections: Sequence[tuple[str, str]]) -> IndexedDocument:
    texts = [(str(number), f"{heading}\n{text}") for number, (heading, text) in enumerate(sections, 1)]
    made = record(name, texts, language="en")
    parts = [
        one.model_copy(update={"heading": heading}) for one, (heading, _) in zip(made.sections, sections, strict=True)
    ]
    ends = [one.model_copy(update={"end": one.end + 1}) for one in parts]
    return made.model_copy(update={"sections": tuple(ends)})


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    pump = headed(
        "Pump Guide",
        [
            ("Solving Problems", "Read the notes first. Then ask the shop."),
            (REPLACED, "Or a variation like ..."),
            (CHARGED, "Drain the pump completely. Then charge it for a night."),
        ],
    )
    tent = headed("Tent Guide", [("Solving Problems", "Dry the tent in the sun."), ("Pegs", "Pegs are made of iron.")])
    with knowledge_base(Path(tmp_path_factory.mktemp("headings")) / "kb", pump, tent) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("What does the Pump Guide say about “Solving Problems”?", "Pump Guide:s0"),
        ('What does "Tent Guide" say about "solving problems"?', "Tent Guide:s0"),
        ("Was sagt Tent Guide über „2 Pegs“?", None),  # too short to be told from a word
        ("What is said about “Solving Problems”?", None),  # two documents have it
        ("What is a “sliding problem”?", None),
        (REPLACED, "Pump Guide:s1"),
    ],
)
def test_a_quoted_heading_names_its_section(kb: KnowledgeBase, question: str, section: str | None) -> None:
    places = understand(kb, question, "en").places
    assert [place.section for place in places] == ([section] if section else [])


def test_the_section_of_a_quoted_heading_is_the_answer(kb: KnowledgeBase) -> None:
    (block,) = respond(kb, understand(kb, "What does “Pump Guide” say about “Solving Problems”?", "en")).blocks
    assert (block.finding, block.passages[0].text) == ("answered", "Read the notes first. Then ask the shop.")


def test_headings_that_share_a_text_are_quoted_with_it(kb: KnowledgeBase) -> None:
    (block,) = respond(kb, understand(kb, REPLACED, "en")).blocks
    assert "Drain the pump completely. Then charge it for a night." in block.passages[0].text
