"""A disk that fills up while a run is saved or a report is written."""

import asyncio
import os
from pathlib import Path

import pytest
from flows import QUESTION, finish, research, workflow

from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.report.export import report_files as export_module
from rabbithole.workflow.report.export.report_files import ExportError, export
from rabbithole.workflow.run.run_store import RunError
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

pytestmark = pytest.mark.slow


class Filling(SqliteRunStore):
    """A store on a disk that fills up after so many commits: SQLite itself says so."""

    def __init__(self, path, commits):
        super().__init__(path)
        self.left = commits

    def save(self, state, changed=()):
        self.left -= 1
        if self.left == 0:
            pages = self._db.execute("PRAGMA page_count").fetchone()[0]
            self._db.execute(f"PRAGMA max_page_count={pages}")
        super().save(state, changed)


@pytest.mark.parametrize("commits", [2, 6, 12])
def test_a_disk_that_fills_up_ends_the_run_in_one_sentence_and_it_goes_on_later(sample_kb, tmp_path, commits):
    small = {"initial_todo_items": 2, "max_iterations": 1}
    expected = research(sample_kb, tmp_path / "whole.sqlite", **small)
    store = Filling(tmp_path / "runs.sqlite", commits)

    async def fill():
        flow = workflow(sample_kb, store, **small)
        try:
            await finish(flow, ResearchRequest(query=QUESTION, auto_approve=True))
        finally:
            await flow.settled()

    with pytest.raises(RunError, match=r"could not be saved in .*full.*resume") as caught:
        asyncio.run(fill())
    assert "\n" not in str(caught.value)
    (info,) = store.list()
    store.close()
    again = SqliteRunStore(tmp_path / "runs.sqlite")
    request = ResearchRequest(run_id=info.id, resume=True)
    report, _ = asyncio.run(finish(workflow(sample_kb, again, **small), request))
    again.close()
    assert report.markdown == expected.markdown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_under_the_report_is_one_sentence_and_leaves_nothing_half_written(sample_kb, tmp_path, monkeypatch):
    report = research(sample_kb, tmp_path / "runs.sqlite", initial_todo_items=1, max_iterations=1)

    def full(handle, mode):
        os.close(handle)
        return Path("/dev/full").open(mode)

    monkeypatch.setattr(export_module.os, "fdopen", full)
    target = tmp_path / "out" / "report.md"
    with pytest.raises(ExportError, match=r"No space left on device.*rabbithole resume"):
        export(report, target)
    assert list(target.parent.iterdir()) == []
