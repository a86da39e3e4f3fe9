"""Changes between stop and resume (documents, version, state) are reported, or the resume is refused."""

import asyncio

import pytest
from flows import finish, workflow
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.events import ResearchRequest, Warned
from rabbithole.workflow.run.run_store import RunError
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

pytestmark = pytest.mark.slow


class Stopping(SqliteRunStore):
    """Gone as soon as some task has found evidence."""

    found = False

    def save(self, state, changed=()):
        if self.found:
            raise RunError("the process is gone")
        super().save(state, changed)
        self.found = any(task.evidence for task in state.tasks.values())


LAW = """Hausgesetz

§ 1 Ruhe
Nachts ist Ruhe zu halten. Ausnahmen regelt § 2.

§ 2 Ausnahmen
Feste sind zweimal im Jahr erlaubt."""
ORDER = """Gartenordnung

§ 1 Garten
Im Garten gilt die Ruhe nach § 1 des Hausgesetzes. Das Mähen ist werktags erlaubt."""
ASKED = "Wann ist im Haus Ruhe zu halten und welche Ausnahmen gelten?"


@pytest.fixture
def small_kb(tmp_path):
    write_pdf(tmp_path / "pdf" / "hausgesetz.pdf", [LAW], title="Hausgesetz")
    write_pdf(tmp_path / "pdf" / "gartenordnung.pdf", [ORDER], title="Gartenordnung")
    chosen = KbSettings(_env_file=None, embedding_model="hash")
    with KnowledgeBase.open(tmp_path / "kb", chosen, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "Haus")
        yield kb


def stopped_while_digging(kb, path):
    store = Stopping(path)
    with pytest.raises(RunError, match="gone"):
        asyncio.run(finish(workflow(kb, store), ResearchRequest(query=ASKED, auto_approve=True)))
    run_id = store.list()[0].id
    store.close()
    return run_id


def go_on(kb, path, run_id):
    store = SqliteRunStore(path)
    try:
        return asyncio.run(finish(workflow(kb, store), ResearchRequest(run_id=run_id, resume=True)))
    finally:
        store.close()


def test_documents_removed_between_stop_and_resume_are_named(small_kb, tmp_path):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    store = SqliteRunStore(path)
    state = store.load(run_id)
    keys = [key for task in state.tasks for key in state.evidence_keys(task)]
    file = store.evidence(run_id, keys)[0].file
    store.close()
    small_kb.remove_files("Haus", [file])
    with pytest.raises(RunError, match=rf"no longer in the knowledge base \({file}\)"):
        go_on(small_kb, path, run_id)
    small_kb.ingest([tmp_path / "pdf"], "Haus")
    report, _ = go_on(small_kb, path, run_id)
    assert report.citations


def test_documents_added_between_stop_and_resume_are_said(small_kb, tmp_path):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    write_pdf(tmp_path / "more" / "neu.pdf", ["Neue Ordnung\n\n§ 1 Neues\nAlles wird anders geregelt als bisher."])
    small_kb.ingest([tmp_path / "more"], "Haus")
    report, events = go_on(small_kb, path, run_id)
    said = [event.text for event in events if isinstance(event, Warned)]
    assert any("Dokumente" in text for text in said)
    assert set(said) <= set(report.warnings)


def test_another_version_is_said(small_kb, tmp_path, monkeypatch):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    monkeypatch.setattr("rabbithole.workflow.run.start.installed_version", lambda: "99.0")
    report, _ = go_on(small_kb, path, run_id)
    assert any("99.0" in warning for warning in report.warnings)


def test_a_state_no_version_can_read_is_one_clear_sentence(small_kb, tmp_path):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    store = SqliteRunStore(path)
    store._db.execute("UPDATE runs SET state=json_set(state, '$.depth', 'deep')")
    with pytest.raises(RunError, match="another version"):
        store.load(run_id)
    store.close()
