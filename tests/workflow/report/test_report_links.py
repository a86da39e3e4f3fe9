"""Links to sources, as seen from where a report is saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.steps.citation_links import link, seen_from
from rabbithole.steps.models import Citation, Report
from rabbithole.workflow.report.export.report_files import placed


def cited(number: int, path: str, external: str = "") -> Citation:
    return Citation(
        marker=f"[{number}]", key="e", title="T", document="d", file="a b.pdf", page=number, page_label="1",
        path=path, external=external,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/data/laws/a b.pdf", "../data/laws/a b.pdf"),
        ("/reports/a b.pdf", "a b.pdf"),
        ("a b.pdf", "a b.pdf"),
    ],
)
def test_a_path_is_seen_from_the_folder_of_the_report(path: str, seen: str) -> None:
    assert seen_from(path, Path("/reports")) == seen


def test_links_are_rewritten_for_the_place_of_the_report() -> None:
    citations = (cited(1, "/data/a b.pdf"), cited(2, "/data/a b.pdf"), cited(3, "", "https://example.org/x"))
    text = "\n".join(f"[s{one.marker[1:-1]}]: <{link(one, one.path)}>" for one in citations)
    report = Report(run_id="r", query="q", language="en", markdown=text, citations=citations)
    found = placed(report, Path("/reports"))
    assert found.markdown.split("\n") == [
        "[s1]: <./../data/a%20b.pdf#page=2>",
        "[s2]: <./../data/a%20b.pdf#page=3>",
        "[s3]: <https://example.org/x>",
    ]
    assert [one.path for one in found.citations] == ["../data/a b.pdf", "../data/a b.pdf", ""]
