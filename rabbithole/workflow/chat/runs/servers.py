"""Track which server works on a run, so that two servers of one installation do not touch each other's runs."""

from __future__ import annotations

import uuid
from pathlib import Path

from filelock import FileLock, Timeout

from rabbithole.kb.files import private_folder


class Servers:
    """One locked file per live server. The operating system releases the lock however the server ends."""

    def __init__(self, folder: Path) -> None:
        private_folder(folder)
        self._folder = folder
        self.own = uuid.uuid4().hex[:12]
        self._lock = FileLock(self._path(self.own), timeout=0, thread_local=False)
        self._lock.acquire()

    def is_other(self, server: str) -> bool:
        """Return whether this is the name of another live server."""
        path = self._path(server)
        if server in ("", self.own) or not path.exists():
            return False
        try:
            with FileLock(path, timeout=0):
                path.unlink(missing_ok=True)  # it has ended, and names are not reused
        except Timeout:
            return True
        return False

    def close(self) -> None:
        self._lock.release()
        self._path(self.own).unlink(missing_ok=True)

    def _path(self, server: str) -> Path:
        return self._folder / f"{server}.lock"
