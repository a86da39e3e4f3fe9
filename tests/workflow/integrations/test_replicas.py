"""Two servers on one PostgreSQL database: one is killed in the middle of a research, the other finishes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from bench.running.takeover import GOAL, measure
from rabbithole.kb import KbSettings, KnowledgeBase


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_killed_server_loses_no_run(sample_pdfs: Path, postgres_address: str, tmp_path: Path) -> None:
    settings = KbSettings(_env_file=None, embedding_model="hash", rabbithole_catalog=SecretStr(postgres_address))
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        assert not kb.ingest([sample_pdfs], "Sample").skipped
    taken = measure(tmp_path / "database", postgres_address, tmp_path)
    print(f"taken over after {taken.held:.1f} s, done after {taken.done:.1f} s")
    assert taken.equal
    assert taken.held < GOAL
