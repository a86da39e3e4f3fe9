"""A table or figure that a question names by its number is found by its caption, not in the section of that number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import NamedPlace
from rabbithole.steps.question.named_places import named_places
from tests.kb_records import knowledge_base, record

CONTENTS = "Table 2.2: Fees of the club . . . . . 7\nFigure 3: The boat house 9"
FEES = (
    "Each berth costs a fee.\nTable 2.2: Fees of the club\n| Berth | Fee |\n| --- | --- |\n| A | 40 |\n"
    "Table 2.3: Days\nSee Table 2.2 on fees."
)
HOUSE = "The boat house has two gates.\nFigure 3: The boat house\nGates are locked at night."


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    club = record("club", [("", CONTENTS), ("2.2", f"Gold\n{FEES}"), ("3", f"House\n{HOUSE}")])
    other = record("other", [("2.2", "Garden\nFees are paid in gold.")])
    with knowledge_base(tmp_path_factory.mktemp("captions") / "kb", club, other) as opened:
        yield opened


def only(kb: KnowledgeBase, question: str) -> NamedPlace:
    (found,) = named_places(kb, question, ())
    return found


def test_a_table_reaches_to_the_next_caption(kb: KnowledgeBase) -> None:
    found = only(kb, "Which fee has berth A in Table 2.2 of the club?")
    text = kb.text("club", found.start or 0, found.end or 0)
    assert text.split("\n")[0] == "Table 2.2: Fees of the club"
    assert text.rstrip().endswith("| A | 40 |")


def test_a_figure_is_found_by_its_caption(kb: KnowledgeBase) -> None:
    found = only(kb, "What does figure 3 of the boat house show?")
    assert kb.text("club", found.start or 0, found.end or 0).startswith("Figure 3: The boat house\nGates")


@pytest.mark.parametrize("question", ["What fees are in Table 2.9 of the club?", "What is in figure 2.2 on fees?"])
def test_a_number_without_such_a_caption_names_nothing(kb: KnowledgeBase, question: str) -> None:
    assert named_places(kb, question, ()) == ()
