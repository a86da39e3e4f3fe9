"""What a job of ``rabbithole serve`` says when it fails: the reason, and no folder of the machine."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from security.processes import running

pytestmark = pytest.mark.slow

START = {"start_event": {"query": "Grenzwert der Dosis", "language": "de", "auto_approve": True}}


@pytest.fixture(scope="module")
def client(sample_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server whose record of runs is destroyed while it runs, so that everything it is asked for fails."""
    folder = tmp_path_factory.mktemp("failing")
    shutil.copytree(sample_database, folder / "kb" / "database")
    with running(folder, ["serve"]) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as opened:
        opened.post("/workflows/research/run", json=START).raise_for_status()
        with closing(sqlite3.connect(folder / "kb" / "runs.sqlite")) as record, record:
            record.execute("ALTER TABLE runs RENAME TO gone")
        yield opened


@pytest.fixture(scope="module")
def failed(client: httpx.Client) -> str:
    """The id of a job that failed."""
    answer = client.post("/workflows/research/run", json=START)
    assert answer.status_code == 500, answer.text
    assert answer.json()["status"] == "failed"
    handler: str = answer.json()["handler_id"]
    return handler


@pytest.mark.parametrize("path", ["/handlers/{}", "/handlers", "/events/{}?sse=false&after_sequence=-1"])
def test_a_stored_error_names_no_folder(
    client: httpx.Client, failed: str, tmp_path_factory: pytest.TempPathFactory, path: str
) -> None:
    told = client.get(path.format(failed)).text
    assert "runs.sqlite" in told
    assert str(tmp_path_factory.getbasetemp()) not in told
    assert "/kb/" not in told
