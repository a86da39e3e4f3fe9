"""One process at a time uses a folder, and learns that another one has changed it."""

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
    """A lock beside the folder, which dies with its process, and a count of changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = FileLock(folder.with_name(f"{folder.name}.lock"), timeout=WAIT_SECONDS, thread_local=False)
        self._changes = folder.with_name(f"{folder.name}.changes")

    @contextmanager
    def turn(self) -> Iterator[None]:
        """While nobody else has a turn. Raises KnowledgeBaseError when another process takes too long."""
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
        """How often the folder was changed."""
        try:
            return int(self._changes.read_text(encoding="ascii") or 0)
        except (FileNotFoundError, ValueError):
            return 0

    def count(self) -> int:
        """Say, before a change, that there is one more: others see it also if this process is killed. The new count."""
        changes = self.changes() + 1
        self._changes.write_text(str(changes), encoding="ascii")
        return changes
