"""Opens a person's files, only regular ones, and creates files and folders that only their owner can read."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from .errors import IngestError

_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)  # Windows has no pipes among files


def open_regular(path: Path) -> BufferedReader:
    """Return the file, open for reading. Raises IngestError with one sentence if it is not a readable regular file.

    A pipe is opened without waiting for a writer and then refused, as are devices, which may have no end.
    """
    try:
        number = os.open(path, os.O_RDONLY | _WITHOUT_WAITING | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise IngestError(unreadable(path, error)) from error
    if stat.S_ISREG(os.fstat(number).st_mode):
        return os.fdopen(number, "rb")
    os.close(number)
    raise IngestError(f"{path.name} is not a regular file (it is a pipe, device, socket or folder) and is not read.")


def path_of(file: BufferedReader) -> Path:
    """Return a name under which the open file can be opened again, even if another file has taken its place.

    Systems without such names (Windows) do not let anything take the place of an open file.
    """
    name = Path(f"/dev/fd/{file.fileno()}")
    return name if name.exists() else Path(file.name)


def unreadable(path: Path, error: OSError) -> str:
    """Return in one sentence why a file cannot be read."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"{path.name} cannot be read: too many files are open; raise the limit (`ulimit -n 1024`) and try again."
    return f"{path.name} cannot be read: {error.strerror or error}."


def private_folder(folder: Path) -> None:
    """Create a folder, and missing ones above it, for their owner only; existing ones stay as they are."""
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        part.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path) -> None:
    """Create an empty file for its owner only, or make an existing file of the same owner private.

    SQLite gives the files beside a database the same permissions as the database.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    status = path.stat()
    if stat.S_IMODE(status.st_mode) & 0o077 and status.st_uid == getattr(os, "getuid", lambda: -1)():
        path.chmod(0o600)
