"""The stored conversations, which servers and knowledge bases of one installation keep apart."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from chat.scripted import ScriptedLaunch
from chat.test_manager import ANSWER, begin, until
from forked import forked
from work import upload_for_ever

from rabbithole.kb.errors import UsageError
from rabbithole.workflow.chat.conversation.composition import base_of, with_uploads
from rabbithole.workflow.chat.runs.history import History
from rabbithole.workflow.chat.runs.manager import RunManager
from rabbithole.workflow.chat.runs.servers import Servers
from rabbithole.workflow.chat.settings import ChatSettings

REPORT = '{"report": {"markdown": "Die Überwachung der Öfen"}}'


def asked(history: History, thread: str, query: str, report: str = "") -> None:
    history.open_thread(thread, "ann", query)
    history.add_item(thread, f"{thread}-ask", "user", query)
    history.add_run(f"run-{thread}", thread, "ann", query, "{}")
    if report:
        history.append(f"run-{thread}", 0, [("ReportReady", report)])


def test_a_conversation_belongs_to_its_knowledge_base(tmp_path: Path) -> None:
    laws, papers = (History(tmp_path / "chat.sqlite", base) for base in ("laws", "papers"))
    asked(laws, "t1", "What does the law say?")
    laws.set_preferences("ann", {"mode": "plain"})
    laws.set_visit("ann", {"a": "1"})
    assert [one.id for one in laws.threads("ann")] == ["t1"]
    assert [one.id for one in laws.runs("ann")] == ["run-t1"]
    assert papers.threads("ann") == papers.runs("ann") == []
    assert papers.thread("t1") is None
    assert papers.preferences("ann") == {}
    assert papers.visit("ann") is None


def test_a_follow_up_is_listed_with_the_conversation_it_is_part_of(tmp_path: Path) -> None:
    history = History(tmp_path / "chat.sqlite")
    asked(history, "t1", "Who tests the filters?")
    history.add_run("later", "t1", "ann", "Only in clouds", "{}")
    asked(history, "t2", "And the boiler?")
    history.rename("t2", "Boilers")
    assert {one.id: one.follows for one in history.runs("ann")} == {
        "run-t1": "", "later": "Who tests the filters?", "run-t2": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("öfen überwachung", ["t1"]),  # in the report, in any order and case
        ("wer", ["t1"]),
        ("kessel", ["t2"]),
        ("wer kessel", []),
        ("100% _", []),
        ("", ["t2", "t1"]),
    ],
)
def test_questions_and_reports_are_searched(tmp_path: Path, words: str, found: list[str]) -> None:
    history = History(tmp_path / "chat.sqlite")
    asked(history, "t1", "Wer prüft?", REPORT)
    asked(history, "t2", "Und der Kessel?")
    assert [one.id for one in history.threads("ann", search=words)] == found
    assert [one.thread for one in history.runs("ann", search=words)] == found


def test_what_is_pinned_comes_first(tmp_path: Path) -> None:
    history = History(tmp_path / "chat.sqlite")
    asked(history, "t1", "one")
    asked(history, "t2", "two")
    history.pin("t1", True)
    assert [(one.thread, one.pinned) for one in history.runs("ann")] == [("t1", True), ("t2", False)]
    assert history.thread("t1").pinned  # type: ignore[union-attr]


def test_a_record_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    history = History(path)
    asked(history, "t1", "old", REPORT)
    history.close()
    with sqlite3.connect(path) as db:
        for table, column in (("threads", "base"), ("threads", "pinned"), ("runs", "server"), ("runs", "report")):
            db.execute(f"alter table {table} drop column {column}")
    again = History(path, "laws")
    assert [one.id for one in again.threads("ann", search="Öfen")] == ["t1"]


def test_a_run_of_another_server_is_shown_and_left_alone(launch: ScriptedLaunch, tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    ours, theirs = Servers(tmp_path / "servers"), Servers(tmp_path / "servers")

    async def play() -> None:
        here = RunManager(History(path, server=ours.own), launch, other=ours.is_other)
        there = RunManager(History(path, server=theirs.own), launch, other=theirs.is_other)
        there.history.open_thread("t", "ann", "q")
        run = begin(there)
        await until(lambda: run.view.question)
        seen = here.get(run.row.id, "ann")
        assert seen is not None
        assert (seen.view.status, seen.view.question) == ("running", run.view.question)
        assert not here.answer(seen, ANSWER)
        assert not here.continue_run(seen)
        with pytest.raises(UsageError, match="is running in another"):
            await here.forget(run.row.thread)
        assert there.answer(run, ANSWER)
        await until(lambda: run.view.plan)
        seen = here.get(run.row.id, "ann")
        assert seen is not None
        assert seen.view.plan == run.view.plan
        await there.close()
        theirs.close()
        seen = here.get(run.row.id, "ann")  # now it may go on here
        assert seen is not None
        assert seen.view.status == "stopped"
        assert here.continue_run(seen)
        await here.close()
        ours.close()

    asyncio.run(asyncio.wait_for(play(), 60))


def test_what_a_server_kept_that_was_killed_is_free(tmp_path: Path) -> None:
    servers = Servers(tmp_path / "servers")
    (tmp_path / "servers" / "gone.lock").write_text("")
    assert not servers.is_other("gone")
    assert not servers.is_other(servers.own)
    assert not servers.is_other("")


def test_the_next_server_removes_the_folders_of_killed_servers_alone(tmp_path: Path) -> None:
    folder = tmp_path / "servers"
    with forked(upload_for_ever, folder) as server:
        (upload,) = folder.glob("*/upload.pdf")
        Servers(folder).close()
        assert upload.is_file()
        server.kill()
    ours = Servers(folder)
    kept = ours.own_folder()
    assert not upload.parent.exists()
    assert kept.stat().st_mode & 0o777 == 0o700
    ours.close()
    assert [path.name for path in folder.iterdir()] == ["starting.lock"]


def test_uploads_and_record_go_with_the_knowledge_base(tmp_path: Path) -> None:
    settings = ChatSettings(_env_file=None)
    assert with_uploads(settings, tmp_path / "database").uploads == tmp_path / "uploads"
    assert with_uploads(settings, tmp_path / "laws").uploads == tmp_path / "laws-uploads"
    assert base_of(tmp_path / "laws", tmp_path) == "laws"
