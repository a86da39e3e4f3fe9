"""The choice of the run store: PostgreSQL with RABBITHOLE_CATALOG, else a file."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from pydantic import SecretStr

from rabbithole.workflow.run.run_store import RunStore

from .sqlite import SqliteRunStore


def open_run_store(path: Path, catalog: SecretStr | None) -> RunStore:
    """Open the run store in the database that ``catalog`` addresses or, if None, in the file at ``path``.

    Raises RunError if it cannot be opened, UsageError if the address is not valid or its library is missing.
    """
    if catalog is None:
        return SqliteRunStore(path)
    adapter = import_module(".postgres", __package__)  # its library is optional
    store: RunStore = adapter.PostgresRunStore(catalog.get_secret_value())
    return store
