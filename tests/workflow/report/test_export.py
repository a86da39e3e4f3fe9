import json
import re

import pytest
from flows import research

from rabbithole.kb.errors import UsageError
from rabbithole.kb.mupdf import pymupdf
from rabbithole.steps.models import Decision
from rabbithole.steps.report_models import GraphEdge, GraphNode, ReferenceGraph, Report
from rabbithole.workflow.report.export.html_page import to_html
from rabbithole.workflow.report.export.outline import body_html
from rabbithole.workflow.report.export.report_files import ExportError, check_suffix, export, load_report
from rabbithole.workflow.report.reference_tree import tree


@pytest.fixture(scope="module")
def report(sample_kb, tmp_path_factory):
    return research(sample_kb, tmp_path_factory.mktemp("runs") / "runs.sqlite")


@pytest.mark.slow
def test_json_is_the_report_object_and_reads_back(report, tmp_path):
    path = tmp_path / "out" / "report.json"
    export(report, path)
    keys = json.loads(path.read_text())
    wanted = "answer appendix checks markdown language query citations todo evidence references missing quality "
    wanted += "warnings metrics conversation"
    for key in [*wanted.split(), "run_id"]:
        assert key in keys
    assert load_report(path) == report


@pytest.mark.slow
def test_html_needs_nothing_else_and_shows_quotes_and_the_tree(report):
    page = to_html(report)
    assert not re.search(r"(?:src|href)=[\"']https?://", page)
    assert "<script" not in page
    assert page.count("class='tip'") >= len(report.citations)
    assert "class='tree'" in page
    assert 'lang="de"' in page


@pytest.mark.parametrize(
    "bad",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](https://evil.example/p.png)",
        '<img src="https://evil.example/p.png" onerror="x()">',
        "<iframe src='https://evil.example'></iframe>",
        "[x](data:text/html;base64,xxxx)",
    ],
)
def test_nothing_from_a_document_becomes_active_html(bad):
    made = body_html(f"Text {bad} Text")
    assert not re.search(r"<(?:script|img|iframe)", made)
    assert not re.search(r"href=\"(?:javascript|data):", made)


def test_pdf_has_the_text_and_links_to_the_sources(report, tmp_path):
    path = tmp_path / "report.pdf"
    export(report, path)
    with pymupdf.open(path) as document:
        text = "".join(page.get_text() for page in document)
        links = [link for page in document for link in page.get_links()]
    assert "8 Millisievert" in text
    assert "Prüfvermerk" in text
    assert links


def test_an_unknown_suffix_is_refused_before_anything_runs(tmp_path):
    with pytest.raises(UsageError, match=r"\.md, \.json, \.html, \.pdf, \.docx"):
        check_suffix(tmp_path / "report.odt")


def test_where_nothing_can_be_written_says_so(report, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="could not be written"):
        export(report, tmp_path / "file" / "report.md")


@pytest.mark.parametrize("content", ["{}", "no json", "[1]"])
def test_other_files_are_no_reports(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(UsageError, match="not a Rabbithole report"):
        load_report(path)


def test_the_tree_holds_each_place_once(report):
    seen = []

    def walk(branches):
        for one in branches:
            seen.append((one.document, one.section, one.label if one.document is None else ""))
            walk(one.branches)

    walk(tree(report.references))
    assert len(seen) == len(set(seen))
    assert seen


def test_what_is_missing_is_in_its_list_and_not_in_the_tree() -> None:
    nodes = [
        GraphNode(document="d", section=f"s{number}", label=f"Rules, {number}", status="read") for number in range(3)
    ] + [
        GraphNode(document=None, section=None, label="Reed Act", status="missing"),
        GraphNode(document="e", section=None, label="Statutes", status="known"),
    ]
    decisions: list[tuple[int, int, Decision]] = [
        (0, 1, "follow"), (1, 2, "follow"), (0, 3, "missing"), (2, 4, "ambiguous"),
    ]  # fmt: skip
    edges = [
        GraphEdge(source=one, target=other, text=f"see {other}", kind="section", depth=1, task=1, decision=decision)
        for one, other, decision in decisions
    ]
    empty = Report(run_id="r", mode="research", query="q", language="en", markdown="# q\n\nNone.", length="normal")
    found = {
        "references": ReferenceGraph(nodes=tuple(nodes), edges=tuple(edges)),
        "appendix": "## Missing\n\n- Reed Act",
    }
    body, _, followed = to_html(empty.model_copy(update=found)).partition("class='tree'")
    assert re.findall(r"<b>(.*?)</b>", followed) == ["Rules, 0", "Rules, 1", "Rules, 2"]
    assert body.count("Reed Act") == 1
    assert "Reed" not in followed
