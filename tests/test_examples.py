"""The example application answers a question with a verified citation."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "fastapi_app.py"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["answer", "research"])
def test_example_streams_events_and_a_report(sample_database: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("RABBITHOLE_KB", str(sample_database))
    spec = importlib.util.spec_from_file_location("example_app", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    question = "Welche Grenzwerte gelten für beruflich exponierte Personen und wann darf davon abgewichen werden?"
    with TestClient(module.app) as client:
        body = client.get(f"/{path}", params={"question": question}).text
    events = [block.splitlines() for block in body.strip().split("\n\n")]
    assert events[-1][0] == "event: ReportReady"
    report = json.loads(events[-1][1].removeprefix("data: "))["report"]
    assert report["citations"]
    assert all(citation["verified"] for citation in report["citations"])
    assert path == "answer" or report["metrics"]["followed"] > 0
