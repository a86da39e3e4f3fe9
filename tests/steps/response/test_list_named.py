"""The list of a section whose lead-in says what is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.response.render import quotation
from rabbithole.steps.selection import RankedUnit, question_part
from rabbithole.steps.selection.models import AnswerUnit
from tests.kb_records import knowledge_base, record

REST = "Of this nothing more is said here, although there is much to say on it, as anybody knows who was there. " * 4
DUTIES = [f"• The {name} is new. {REST.strip()}" for name in ("budget", "house", "garden")]
ROWS = "\n".join(f"• corner {n} of the yard, in which there are many small old things, among others" for n in range(40))
TASKS = "The tasks of the board are:\n• the budget\n• the rules"
RULES = record(
    "Rules",
    [
        ("1", f"Board\nThe board is elected in May.\n{TASKS}\nThe chair also has other work:\n• the post\n• the key"),
        ("2", "Office\nThe office is in town.\nThe duties of the office are:\n" + "\n".join(DUTIES)),
        ("3", f"Yard\nThe yard is open.\nThe corners of the yard are:\n{ROWS}"),
        ("4", "Tasks of the board\n\n• the budget\n• the rules"),
    ],
    language="en",
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with knowledge_base(Path(tmp_path_factory.mktemp("rules")) / "kb", RULES) as opened:
        yield opened


def named(kb: KnowledgeBase, number: str, words: str, question: str, *, table: bool = False) -> list[QuotedPassage]:
    """What is shown of section ``number``, in which ``words`` are the unit chosen."""
    section = kb.section(RULES.document.id, number)
    assert section is not None
    start = kb.text(RULES.document.id, 0, section.end).index(words, section.start)
    unit = AnswerUnit(
        document=RULES.document.id, section=section.id, page=section.page, start=start, end=start + len(words),
        text=words, kind="table" if table else "paragraph",
    )  # fmt: skip
    ranked = RankedUnit(unit=unit, score=1.0, probability=0.3)
    return PassageBuilder(kb).list_named(ranked, question_part(question, "en"), 180)


def test_the_list_named_is_shown_whole_whatever_unit_of_the_section_was_chosen(kb: KnowledgeBase) -> None:
    for chosen in ("The board is elected in May.", "• the post", TASKS):
        (shown,) = named(kb, "1", chosen, "List the tasks of the board")
        assert (shown.text, shown.head, shown.kind, shown.cut) == (TASKS, "", "list", False)
        assert shown.text == kb.text(RULES.document.id, shown.start, shown.end)


def test_a_long_list_is_shown_by_the_first_sentences_of_its_items(kb: KnowledgeBase) -> None:
    shown = named(kb, "2", "The office is in town.", "List the duties of the office")
    assert [one.text.split(".")[0] for one in shown] == [
        "• The budget is new",
        "• The house is new",
        "• The garden is new",
    ]
    assert all(one.text.endswith("who was there.") and one.cut and one.kind == "item" for one in shown)
    assert sum(len(one.text.split()) for one in shown) <= 180
    words = quotation(shown)
    assert words.count("The duties of the office are:") == 1
    assert words.count(shown[0].evidence.key) == 1


@pytest.mark.parametrize(
    ("number", "words", "question", "table"),
    [
        ("1", "The board is elected in May.", "List the tasks of the board in the year of the flood and after", False),
        ("1", "The board is elected in May.", "List the rooms of the house", False),
        ("1", "The board is elected in May.", "List them", False),  # no words of its own
        ("1", "The board is elected in May.", "List the tasks of the board", True),  # a table is shown as one
        ("3", "The yard is open.", "List the corners of the yard", False),  # too many to say what each is about
    ],
)
def test_no_list_is_named(kb: KnowledgeBase, number: str, words: str, question: str, table: bool) -> None:
    assert named(kb, number, words, question, table=table) == []


def test_the_heading_of_the_section_is_no_lead_in(kb: KnowledgeBase) -> None:
    assert named(kb, "4", "• the rules", "List the tasks of the board") == []
