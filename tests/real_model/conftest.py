"""A real model, served once for all these tests; they are skipped where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers.local_model import serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The server's address. ``RABBITHOLE_REAL_MODEL`` names the weights, ``..._PYTHON`` a Python with xllamacpp."""
    model = os.environ.get("RABBITHOLE_REAL_MODEL", "")
    if not Path(model).is_file():
        pytest.skip("RABBITHOLE_REAL_MODEL names no model file: run `make test-real-model`")
    with serving(Path(model), os.environ.get("RABBITHOLE_REAL_MODEL_PYTHON", sys.executable)) as found:
        yield found
