"""Changes since a user's last visit, and which of the user's reports cite them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.chat.documents.visits import Visits, differences
from rabbithole.workflow.chat.runs.history import History


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({}, {"c/a": "1"}, (["c/a"], [], [])),
        ({"c/a": "1"}, {"c/a": "2"}, ([], ["c/a"], [])),
        ({"c/a": "1"}, {}, ([], [], ["c/a"])),
        ({"c/a": "1"}, {"c/b/a": "1"}, ([], [], [])),
        ({"c/a": "1", "c/b": "2"}, {"c/a": "1", "d/e": "3"}, (["d/e"], [], ["c/b"])),
    ],
)
def test_what_differs(before: Mapping[str, str], now: Mapping[str, str], expected: tuple[list[str], ...]) -> None:
    assert differences(before, now) == expected


def test_a_person_is_told_until_they_have_asked_something(tmp_path: Path, history: History) -> None:
    folder = tmp_path / "docs"
    write_pdf(folder / "air.pdf", ["1 Air\n\nThe limit of dust is 5 grams."], title="Air rules")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "kb", settings, create=True) as kb:
        kb.ingest([folder], "Rules")
        held = kb.documents()[0]
        citation = Citation(
            marker="[1]", key="k", document=held.id, file=held.file, title=held.title, page=0, page_label="1",
            quote="The limit of dust is 5 grams.",
        )  # fmt: skip
        report = Report(run_id="r", query="How much dust?", language="en", markdown="", citations=(citation,))
        history.add_run("r", "t", "ann", report.query, "{}")
        history.set_status("r", "done")
        visits = Visits(kb, history, {"r": report}.get)
        assert visits.changes("ann") is None  # the first visit
        write_pdf(folder / "air.pdf", ["1 Air\n\nThe limit of dust is 4 grams."], title="Air rules")
        write_pdf(folder / "noise.pdf", ["1 Noise\n\nNo noise at night."], title="Noise rules")
        kb.ingest([folder], "Rules")
        for _ in range(2):  # shown again when the page is reloaded
            found = visits.changes("ann")
            assert found is not None
            assert (found.changed.names, found.added.names, found.removed.names) == (
                ("Air rules",),
                ("Noise rules",),
                (),
            )
            assert [(one.thread, one.query, one.citations) for one in found.reports] == [("t", "How much dust?", 1)]
        visits.seen("ann")
        assert visits.changes("ann") is None
