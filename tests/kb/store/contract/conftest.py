"""Every test of this folder holds for each index of vectors, and those of the store for each engine of the catalog."""

from __future__ import annotations

import pytest

from rabbithole.kb.settings import KbSettings

KINDS = ("exact", "chroma")
POSTGRES = "postgres"
"""The catalog in PostgreSQL, with the exact index."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "settings" in metafunc.fixturenames:
        kinds = KINDS if "vector" in metafunc.module.__name__ else (*KINDS, POSTGRES)
        metafunc.parametrize("settings", kinds, indirect=True)


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> KbSettings:
    if request.param == POSTGRES:
        address = request.getfixturevalue("postgres_address")
        return KbSettings(embedding_model="hash", vector_index="exact", rabbithole_catalog=address, _env_file=None)
    return KbSettings(embedding_model="hash", vector_index=request.param, _env_file=None)
