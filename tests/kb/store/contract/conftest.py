"""Every test of this folder holds for each index of vectors."""

from __future__ import annotations

import pytest

from rabbithole.kb.settings import KbSettings

KINDS = ("exact", "chroma")


@pytest.fixture(params=KINDS)
def settings(request: pytest.FixtureRequest) -> KbSettings:
    return KbSettings(embedding_model="hash", vector_index=request.param, _env_file=None)
