"""What is quoted of a section that the question names and asks something about."""

from __future__ import annotations

from pathlib import Path

from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from tests.kb_records import knowledge_base, record

FILLING = "\n\n".join(
    f"The keeper writes entry {number} of the journal by hand, with ink that lasts, and never on loose sheets of paper."
    for number in range(12)
)
MANUAL = record(
    "The Weft Keeper's Manual",
    [
        ("4.2", f"Visits\nVisitors wait at the gate.\n\n{FILLING}\n\nAt the hives visitors wear a veil."),
        ("4.3", "Sales\nHoney is sold in glasses."),
    ],
    language="en",
)


def test_the_best_units_of_a_long_section_are_quoted_in_the_order_of_the_text(tmp_path: Path) -> None:
    with knowledge_base(tmp_path / "kb", MANUAL) as kb:
        response = respond(kb, understand(kb, "What does section 4.2 ask of visitors at the gate and the hives?", "en"))
    passages = [one for block in response.blocks for one in block.passages]
    quoted = "\n".join(one.text for one in passages)
    assert "wait at the gate" in quoted
    assert "wear a veil" in quoted
    assert len(quoted.split()) <= 180
    assert [one.start for one in passages] == sorted(one.start for one in passages)
