"""A throwaway PostgreSQL server for tests: on a Unix socket in a temporary folder, stopped and removed at the end.

It needs Debian's ``postgresql`` and ``psycopg`` (the extra ``cluster``); without them, its tests are skipped.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

INSTALLED = Path("/usr/lib/postgresql")
ACCOUNT = "postgres"
QUICK = "-c fsync=off -c full_page_writes=off -c listen_addresses='' -c max_connections=60"


def programs() -> Path | None:
    """Return the folder of ``initdb`` and ``pg_ctl``, of the newest version installed, or None."""
    newest = sorted(INSTALLED.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = newest[-1] if newest else shutil.which("initdb")
    return Path(found).parent if found else None


class PostgresServer:
    """One server with its own folder. ``initdb`` refuses root, so root starts it as the account ``postgres``."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="rabbithole-pg-"))
        self._as: dict[str, Any] = {}
        self._user = pwd.getpwuid(os.getuid()).pw_name
        if os.getuid() == 0:
            shutil.chown(self._folder, ACCOUNT, ACCOUNT)
            self._as = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []}
            self._user = ACCOUNT
        self._numbers = itertools.count()
        self._call("initdb", "--auth=trust", "--no-sync", "--encoding=UTF8", "--no-locale", f"--username={self._user}")
        self.start()

    def start(self) -> None:
        options = f"{QUICK} -c unix_socket_directories='{self._folder}'"
        self._call("pg_ctl", "start", "--wait", "--log", str(self._folder / "log"), "--options", options)

    def stop(self) -> None:
        """Stop at once, as if the machine went down; ``start`` recovers."""
        self._call("pg_ctl", "stop", "--wait", "--mode=immediate")

    def address(self, database: str = "postgres") -> str:
        return f"postgresql:///{database}?host={self._folder}&user={self._user}"

    def new_database(self) -> str:
        """Create an empty database and return its address."""
        psycopg: Any = pytest.importorskip("psycopg")
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def remove(self) -> None:
        """Stop, and delete the folder without waiting: each database is hundreds of files."""
        self.stop()
        subprocess.Popen(["rm", "-rf", str(self._folder)], start_new_session=True)

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "-D", str(self._folder / "data"), *arguments]
        done = subprocess.run(
            command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **self._as
        )
        assert done.returncode == 0, f"{program}: {done.stderr.decode()}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this session's own; the test is skipped where it cannot be had."""
    pytest.importorskip("psycopg_pool", reason="psycopg is not installed: pip install rabbithole[cluster]")
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    server = PostgresServer(found)
    yield server
    server.remove()


@pytest.fixture
def postgres_address(postgres_server: PostgresServer) -> str:
    """The address of a new, empty database."""
    return postgres_server.new_database()
