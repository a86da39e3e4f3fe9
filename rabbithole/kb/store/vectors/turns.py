"""Let one process at a time use a folder, and tell it whether another one has changed it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_folder

WAIT_SECONDS: Final = 120.0


class Turns:
    """A lock beside the folder, released when its process ends, and a counter of changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = FileLock(folder.with_name(f"{folder.name}.lock"), timeout=WAIT_SECONDS, thread_local=False)
        self._changes = folder.with_name(f"{folder.name}.changes")

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the lock. Raises KnowledgeBaseError if another process keeps it too long."""
        try:
            private_folder(self._folder.parent)
            self._lock.acquire()
        except Timeout as error:
            raise KnowledgeBaseError(
                f"The folder {self._folder} has been used by another process for {WAIT_SECONDS:.0f} s: try again later."
            ) from error
        except OSError as error:
            raise KnowledgeBaseError(
                f"The folder {self._folder} cannot be used ({error}): Chroma reads only where it may write. On a "
                "read-only disk use a knowledge base with VECTOR_INDEX=exact."
            ) from error
        try:
            yield
        finally:
            self._lock.release()

    def changes(self) -> int:
        """Return how often the folder was changed."""
        try:
            return int(self._changes.read_text(encoding="ascii") or 0)
        except (FileNotFoundError, ValueError):
            return 0

    def count(self) -> int:
        """Count a change before it is made, so that others notice it even if this process is killed."""
        changes = self.changes() + 1
        self._changes.write_text(str(changes), encoding="ascii")
        return changes
