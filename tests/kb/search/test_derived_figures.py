"""Queries for a ratio, extended by the figures it is computed from."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.search.derived_figures import inputs


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What is the Quick  Ratio of the company?", "current"),
        ("Wie hoch war die Eigenkapitalquote?", "Eigenkapital"),
        ("Who signed the letter?", ""),
        ("the backquick ratios", ""),
    ],
)
def test_inputs(query, first):
    assert inputs(query).partition(" ")[0] == first


def test_the_statement_with_the_inputs_is_found(tmp_path):
    report = record(
        "report",
        [
            ("1", "The ratio of women in the board rose; the company is quick to act."),
            (
                "2",
                "Balance sheet: total current assets 11,570; inventories 3,100; current liabilities 8,900.",
            ),
            *((str(number), "The weather was mild and the harvest early.") for number in range(3, 12)),
        ],
        language="en",
    )
    with knowledge_base(tmp_path, report) as kb:
        assert "2" in [hit.chunk.section_path[0] for hit in kb.search("What was the quick ratio?", top_k=2).hits]
