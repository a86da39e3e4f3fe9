"""Every test of this folder holds for each index of chunks, and those of the store for each engine of the catalog."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.settings import KbSettings

KINDS = ("exact", "chroma", "lance")
POSTGRES = "postgres"
"""The catalog in PostgreSQL, with the exact index."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "settings" in metafunc.fixturenames:
        kinds = KINDS if "chunk_index" in metafunc.module.__name__ else (*KINDS, POSTGRES)
        metafunc.parametrize("settings", kinds, indirect=True)


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> KbSettings:
    match request.param:
        case "postgres":
            address = request.getfixturevalue("postgres_address")
            return KbSettings(embedding_model="hash", vector_index="exact", rabbithole_catalog=address, _env_file=None)
        case "lance":
            pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")
            return KbSettings(embedding_model="hash", rabbithole_index=str(tmp_path / "index"), _env_file=None)
        case kind:
            return KbSettings(embedding_model="hash", vector_index=kind, _env_file=None)
