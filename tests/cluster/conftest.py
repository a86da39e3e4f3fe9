"""A cluster in one network namespace: PostgreSQL, LanceDB in a folder, Ray nodes, replicas of ``rabbithole serve``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster.base import Base
from cluster.nodes import RayNodes, only_loopback, ray_nodes


@pytest.fixture(scope="session")
def nodes() -> Iterator[RayNodes]:
    """A Ray cluster with two workers."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install rabbithole[cluster]")
    if not only_loopback():
        pytest.skip(
            "Ray listens on every network there is: run this with `make test-cluster`, which has loopback alone"
        )
    with ray_nodes(2) as started:
        yield started


@pytest.fixture
def base(postgres_address: str, tmp_path: Path) -> Base:
    """An empty knowledge base."""
    return Base(tmp_path / "shared" / "database", postgres_address, str(tmp_path / "shared" / "index"))
