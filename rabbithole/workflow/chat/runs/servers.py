"""The live servers of one installation: whose runs are left alone, and where each keeps files of its own."""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path

from filelock import FileLock, Timeout

from rabbithole.kb.files import private_folder

STARTING = "starting"
"""Name of the lock under which a server takes its own lock and removes what dead servers left, one at a time."""


class Servers:
    """One locked file per live server, and a folder of the same name for files it needs only while it runs.

    The operating system releases the lock however the server ends. So a folder without a locked file is that of a
    server that was killed, and is removed when the next one starts.
    """

    def __init__(self, folder: Path) -> None:
        private_folder(folder)
        self._folder = folder
        self.own = uuid.uuid4().hex[:12]
        self._lock = FileLock(self._path(self.own), timeout=0, thread_local=False)
        with FileLock(self._path(STARTING)):
            self._lock.acquire()
            self._remove_dead()

    def is_other(self, server: str) -> bool:
        """Return whether this is the name of another live server."""
        return server not in ("", self.own) and self._is_locked(server)

    def own_folder(self) -> Path:
        """Return this server's own folder, which only this user can read."""
        folder = self._folder / self.own
        private_folder(folder)
        return folder

    def close(self) -> None:
        shutil.rmtree(self._folder / self.own, ignore_errors=True)
        self._lock.release()
        self._path(self.own).unlink(missing_ok=True)

    def _remove_dead(self) -> None:
        names = {path.name.removesuffix(".lock") for path in self._folder.iterdir()} - {self.own, STARTING}
        for name in names:
            if not self._is_locked(name):
                shutil.rmtree(self._folder / name, ignore_errors=True)

    def _is_locked(self, server: str) -> bool:
        path = self._path(server)
        if not path.exists():
            return False
        try:
            with FileLock(path, timeout=0):
                path.unlink(missing_ok=True)  # it has ended, and names are not reused
        except Timeout:
            return True
        return False

    def _path(self, server: str) -> Path:
        return self._folder / f"{server}.lock"
