"""Rows of tables with a value that a question names, and rows that a passage refers to."""

from __future__ import annotations

from pathlib import Path

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.response import respond, response_markdown
from rabbithole.steps.response.figures.value_rows import covers, values_asked

RATES = """Table 2: Sound of the pump
| Mode | Power | Noise (dB) | What is heard |
| --- | --- | --- | --- |
| 0 | - | 5 | nothing |
| 1 | 0-2 | 21 | a soft hum |
| 2 | 3-4 | 32 | a clear hum |
| 6 | 5 to 6 | 47 | a roar |
| 7 | over 6 | 60 | a roar next door |"""
PROSE = "The pump has a power that people set by the wheel, and its noise is not loud. The pump is blue."


def answer(tmp_path: Path, question: str) -> str:
    texts = [("1", PROSE), ("2", RATES), *((str(number), "The weather was mild.") for number in range(3, 9))]
    with knowledge_base(tmp_path, record("pump", texts, language="en")) as kb:
        return response_markdown(respond(kb, understand(kb, question, "en")), "en")


@pytest.mark.parametrize(
    ("cell", "below", "at", "above"),
    [
        ("5-6", False, True, False),
        ("5–6", False, True, False),
        ("5 to 6 kg", False, True, False),
        ("von 5 bis 6", False, True, False),
        ("6", False, True, False),
        ("6 dB", False, True, False),
        ("over 6", False, False, True),
        ("über 6 Jahre", False, False, True),
        ("ab 6", False, True, True),
        ("6 und mehr", False, True, True),
        ("6+", False, True, True),
        ("≥ 6", False, True, True),
        ("≤ 6", True, True, False),
        ("bis zu 6", True, True, False),
        ("6 or less", True, True, False),
        ("under 6", True, False, False),
        ("< 6", True, False, False),
        ("-", None, None, None),
        ("a roar", None, None, None),
    ],
)
def test_cells_that_hold_a_value(cell: str, below: bool | None, at: bool | None, above: bool | None) -> None:
    assert (covers(cell, 4), covers(cell, 6), covers(cell, 7)) == (below, at, above)


@pytest.mark.parametrize(
    ("question", "language", "values"),
    [
        ("How loud is power 6?", "en", [6.0]),
        ("How loud is power setting 1.5?", "en", [1.5]),
        ("Was kosten 1.500 Blatt?", "de", [1500.0]),
        ("What happened in 2021?", "en", []),
        ("What does section 4.2.1 say?", "en", []),
        ("What is SHA-256?", "en", []),
    ],
)
def test_values_that_a_question_names(question: str, language: str, values: list[float]) -> None:
    assert [one.value for one in values_asked(question, language)] == values


def test_the_row_with_the_value_stands_first(tmp_path: Path) -> None:
    text = answer(tmp_path, "Our pump is set to power 6. How much noise is that?")
    row = "> | 6 | **5 to 6** | **47** | a roar |"
    assert row in text
    assert text.index("Table 2: Sound of the pump") < text.index(row)
    assert "a clear hum" not in text
    assert "a roar next door" not in text
    assert PROSE not in text[: text.index(row)]


@pytest.mark.parametrize("question", ["How blue is the pump at power 6?", "How much noise is there at wheel 6?"])
def test_a_table_about_something_else_does_not(tmp_path: Path, question: str) -> None:
    assert "**5 to 6**" not in answer(tmp_path, question)
