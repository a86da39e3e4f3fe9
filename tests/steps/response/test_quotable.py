"""The order of the units that may be quoted."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.steps.question import understand
from rabbithole.steps.response.quotable import quotable
from rabbithole.steps.selection import gather, question_part, select
from tests.kb_records import knowledge_base, record

LINE = "Highest score: 48"


@pytest.mark.parametrize(
    ("question", "leads"), [("How many points is the highest score?", True), ("Who scores?", False)]
)
def test_a_repeated_line_comes_last_unless_it_states_the_figure_asked_for(
    tmp_path: Path, question: str, leads: bool
) -> None:
    sections = [(str(number), f"Game {number}\nThe score of a game counts cards.\n\n{LINE}") for number in range(1, 6)]
    with knowledge_base(tmp_path / "kb", record("games", sections, language="en")) as kb:
        part = question_part(question, "en")
        units = quotable(kb, select(kb, part, gather(kb, part)), understand(kb, question, "en"))
    assert (units[0].unit.text == LINE) is leads
    assert any(one.unit.text == LINE for one in units)
