"""Markdown for Obsidian: citations open the file in the vault at the page or heading."""

from __future__ import annotations

import pytest

from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.report.export.obsidian import to_obsidian


def cited(file: str, external: str = "") -> Citation:
    return Citation(
        marker="[1]", key="k", document="d", file=file, title="Guide", section_label="4 [Limits]", page=2,
        page_label="3", path=file, external=external, quote="The limit is 5.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        (cited("laws/air.pdf"), "[[laws/air.pdf#page=3|1]]"),
        (cited("air.md"), "[[air.md#4 Limits|1]]"),
        (cited("air.docx"), "[[air.docx|1]]"),
        (cited("air #2.pdf"), "[1](<./air%20%232.pdf#page=3>)"),
        (cited("", "https://a.example/x"), "[1](<https://a.example/x>)"),
    ],
)
def test_where_a_citation_leads(citation: Citation, expected: str) -> None:
    markdown = 'Five. [[1]][s1]\n\n| a |\n|---|\n| b [[1]][s1] |\n\n[s1]: <./x.pdf#page=3> "x"\n'
    report = Report(run_id="r", query="q", language="en", markdown=markdown, citations=(citation,))
    in_table = expected.replace("|", r"\|")
    assert to_obsidian(report) == f"Five. {expected}\n\n| a |\n|---|\n| b {in_table} |\n"
