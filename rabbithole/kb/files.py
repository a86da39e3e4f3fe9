"""Files of a person: only regular ones are read, and what is kept of them is for its owner alone."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from .errors import IngestError

_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)  # Windows has no pipes among files


def open_regular(path: Path) -> BufferedReader:
    """The file, open for reading. Raises IngestError in one sentence for what is missing, closed or no regular file.

    A pipe is opened without waiting for who writes into it, and then refused like a device, which may have no end.
    """
    try:
        number = os.open(path, os.O_RDONLY | _WITHOUT_WAITING | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise IngestError(unreadable(path, error)) from error
    if stat.S_ISREG(os.fstat(number).st_mode):
        return os.fdopen(number, "rb")
    os.close(number)
    raise IngestError(f"{path.name} is no regular file (a pipe, device, socket or folder) and is not read.")


def path_of(file: BufferedReader) -> Path:
    """A name under which the file can be opened again while it is open here, whatever has taken its place meanwhile.

    Systems without such names (Windows) let nothing take the place of an open file.
    """
    name = Path(f"/dev/fd/{file.fileno()}")
    return name if name.exists() else Path(file.name)


def unreadable(path: Path, error: OSError) -> str:
    """Why a file cannot be read, in one sentence."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"{path.name} cannot be read: too many files are open; raise the limit (`ulimit -n 1024`) and try again."
    return f"{path.name} cannot be read: {error.strerror or error}."


def private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone; one that exists stays as it is."""
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        part.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path) -> None:
    """Make an empty file for its owner alone, or close an existing one of the same owner to others.

    SQLite gives its own files beside a database the database's permissions.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    status = path.stat()
    if stat.S_IMODE(status.st_mode) & 0o077 and status.st_uid == getattr(os, "getuid", lambda: -1)():
        path.chmod(0o600)
