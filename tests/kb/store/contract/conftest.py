"""Every test of this folder holds for each index of chunks, each engine of the catalog and each place for files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.settings import KbSettings

KINDS = ("exact", "chroma", "lance")
CATALOGS = ("postgres", "cluster")
"""The catalog in PostgreSQL, with the exact index and with LanceDB."""
QUICK = ("exact", "chroma")
"""What everybody has; the quick part of the tests leaves the others out."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "settings" in metafunc.fixturenames:
        kinds = KINDS if "chunk_index" in metafunc.module.__name__ else (*KINDS, *CATALOGS)
        given = [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in kinds]
        metafunc.parametrize("settings", given, indirect=True)


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> KbSettings:
    match request.param:
        case "postgres":
            address = request.getfixturevalue("postgres_address")
            return KbSettings(embedding_model="hash", vector_index="exact", rabbithole_catalog=address, _env_file=None)
        case "cluster":
            pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")
            address = request.getfixturevalue("postgres_address")
            places = {"rabbithole_catalog": address, "rabbithole_index": str(tmp_path / "index")}
            return KbSettings(embedding_model="hash", **places, _env_file=None)
        case "lance":
            pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")
            return KbSettings(embedding_model="hash", rabbithole_index=str(tmp_path / "index"), _env_file=None)
        case kind:
            return KbSettings(embedding_model="hash", vector_index=kind, _env_file=None)
