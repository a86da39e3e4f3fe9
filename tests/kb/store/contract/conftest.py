"""Every test of this folder holds for each index of chunks."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.settings import KbSettings

KINDS = ("exact", "chroma", "lance")


@pytest.fixture(params=KINDS)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> KbSettings:
    if request.param != "lance":
        return KbSettings(embedding_model="hash", vector_index=request.param, _env_file=None)
    pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")
    return KbSettings(embedding_model="hash", rabbithole_index=str(tmp_path / "index"), _env_file=None)
