from __future__ import annotations

import pytest


@pytest.fixture(params=("exact", "chroma"))
def kind(request: pytest.FixtureRequest) -> str:
    """The vector indexes of the embedded index."""
    return request.param
