"""Links to sources, as seen from where a report is saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.steps.citation_links import link, seen_from
from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.report.export.report_files import export, placed


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
        ("/reports/laws/a.pdf", "laws/a.pdf"),
    ],
)
def test_a_path_is_seen_from_the_folder_of_the_report(path: str, seen: str) -> None:
    assert seen_from(Path(path), Path("/reports")) == seen


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("../data/Prüf ung.pdf", "../data/Pr%C3%BCf%20ung.pdf#page=2"),
        ("Prüfung.pdf", "./Pr%C3%BCfung.pdf#page=2"),
        ("../a#b.pdf", "../a%23b.pdf#page=2"),
    ],
)
def test_an_address_has_no_spaces_and_umlauts(path: str, address: str) -> None:
    assert link(cited(1, path), path) == address


def linked(*citations: Citation) -> Report:
    text = "\n".join(f"[s{one.marker[1:-1]}]: <{link(one, one.path)}>" for one in citations)
    return Report(run_id="r", query="q", language="en", markdown=f"Ten [[1]][s1].\n\n{text}", citations=citations)


def test_links_are_rewritten_for_the_place_of_the_report() -> None:
    report = linked(cited(1, "a b.pdf"), cited(2, "a b.pdf"), cited(3, "", "https://example.org/x"))
    found = placed(report, Path("/reports"), {"d": Path("/data/a b.pdf")})
    assert found.markdown.split("\n")[2:] == [
        "[s1]: <../data/a%20b.pdf#page=2>",
        "[s2]: <../data/a%20b.pdf#page=3>",
        "[s3]: <https://example.org/x>",
    ]
    assert [one.path for one in found.citations] == ["../data/a b.pdf", "../data/a b.pdf", ""]


def test_a_document_that_is_not_there_keeps_its_place_in_the_collection() -> None:
    report = linked(cited(1, "a b.pdf"))
    assert placed(report, Path("/reports"), {}) == report


@pytest.mark.parametrize(("form", "machine"), [("md", True), ("html", True), ("json", False), ("bib", False)])
def test_only_reports_for_people_lead_to_files_of_the_machine(tmp_path: Path, form: str, machine: bool) -> None:
    target = tmp_path / "reports" / f"r.{form}"
    export(linked(cited(1, "a b.pdf")), target, {"d": tmp_path / "data" / "a b.pdf"})
    assert ("../data/a" in target.read_text(encoding="utf-8")) is machine
